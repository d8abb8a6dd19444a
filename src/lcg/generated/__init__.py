# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 66017728a3ad3615311f1cb8b55b9645a43b5bef24aa3923fc8fc06233979a09)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
