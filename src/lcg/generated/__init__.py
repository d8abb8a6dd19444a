# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 04c67772805af69294d92b5b8521156349c14eee92a907150f3e4af73d7ec947)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
