# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 97fbb392971bb4bcffa808946703d263a35da0a883567d83aae82ceabe68c783)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
