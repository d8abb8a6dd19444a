# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 9b60cdb07ca9ce220cbc58dad551d8023813d2463d21e2c4558917b8db40148e)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
