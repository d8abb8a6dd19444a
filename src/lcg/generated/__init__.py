# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 223263468b4f6262b38467a4f57954039f1d67bf4f94ec32d4d14e6559ccc949)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
