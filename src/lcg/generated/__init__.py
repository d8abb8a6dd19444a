# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 5886131a86ae507bb9d9840f8c06a1e1409263e52459e87f81b778b670493199)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
