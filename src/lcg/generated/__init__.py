# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 e4f890739112eb6ae1c3bb12ee8c60eff71a4398621fa0236021e85643b3852b)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
