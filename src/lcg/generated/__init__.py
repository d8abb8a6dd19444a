# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 8a1c066aca57a617508d0fb5a39fb7dd993aaf8df741f72e2d857a749a59cc2e)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
