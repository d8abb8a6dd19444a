# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 94f2f000b01ef6b36cc7c90a7952c9153a5dc301dab763b06a05424ba001cbf6)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
