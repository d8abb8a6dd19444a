# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 0f20483950da7580b1f7d32aa652f177a8df0d3dfbb562dac1595523aadaf5e3)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
