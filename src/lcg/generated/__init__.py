# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 49d89c3f370dd60a498fe2dd22cbd79591abbf9af3dc2a254b820e14b56aa496)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
