# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 e8191a1af2d906f005083f10582cf77674d9af557ce37f83eb3fa7ed115b985c)
# Template: codegen/templates/package.py.j2
"""Everything that merely repeats the registry: tools, parameters, results, protocols, dispatch and errors."""
