# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 82cec67924ca708d92e7c2569ca43acc035aedf4d7a15c022020027e50e2898a)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
