# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 f178c2ea542f09ed284855f55bc8596f8a8177656ca7228dc2ae00ea310c4929)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
