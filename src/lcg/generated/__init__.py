# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 0902e6269b0e6cb5ddbd90eeec87fb06f4fd499ebbcf80937395fa8ca535bbb5)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
