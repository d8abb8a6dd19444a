# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 019fc2d865b905917173fe10c7e7af69ae605ed9ea8146089b54f6079d2aa75e)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
