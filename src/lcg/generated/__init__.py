# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 128a87169898f92c11109fc1f9af77e05e99bdac03dce3ab93a5a9c6bcbab321)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
