# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 78eceb27fc8fb877365ef3f8fac95dc27ae9ca8c47eeaae048b22e5370f0ccea)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
