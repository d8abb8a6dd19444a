# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 fc859da02acb176d4606a81262b703b689c7918bbced35386bd226b63201cc91)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
