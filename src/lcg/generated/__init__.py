# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 83b0c3d380a99e9aba2cc0d46a0b7cd7915759af7e3ada614de1d71f903183ea)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
