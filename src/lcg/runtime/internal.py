"""Calls that only the program's own commands make: they are no methods of the registry, and no MCP client has them."""

from typing import Final

IMPORT_ROWS: Final = "lcg_import_rows"
"""What `lcg import` asks of the service; see `lcg.handlers.importing`."""

REPORTING: Final = frozenset({IMPORT_ROWS})
"""Those that report progress."""
