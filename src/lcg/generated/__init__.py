# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 3a3a4c4d9ba082a102b8b80d76f2bdd3088715da78bec55d3940fd60d769cf2b)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
