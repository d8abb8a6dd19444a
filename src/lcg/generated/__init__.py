# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85a559484eaa703847d3a242207a0e3acd8a505dc2128603c8e3aeb3cea77b9d)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
