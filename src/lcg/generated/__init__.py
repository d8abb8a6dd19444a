# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 7b68cb8632593e0c5b00b85a274cd575c2470db0faa3f3cbe651134c826cf9ec)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
