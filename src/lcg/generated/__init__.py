# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 095607fc51f129001e87616dfeafda6ab6dbc93b5791373ebeebc3635a282dc3)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
