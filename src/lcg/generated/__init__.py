# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 87813d8cb10ce8b234aadc9ce1ed21dc8ec44280375fada6f283246b2ba9d835)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
