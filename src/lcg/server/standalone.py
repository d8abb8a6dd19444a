"""The standalone MCP process: it owns the workspace and opens it itself."""

from lcg.server.backend import Backend
from lcg.server.lock import Ownership
from lcg.server.mcp_process import serve_client
from lcg.server.mcp_tools import Toolbox
from lcg.server.migration import migrate_before_bind
from lcg.settings import Settings


def run_standalone(settings: Settings, backend: Backend, toolbox: Toolbox) -> None:
    """Own the workspace and serve it to the client at stdin and stdout until that ends or somebody asks to stop.

    Raises:
        WorkspaceOwned, LockFailed: it cannot start; the message says what to do.
        OSError: there is no stdin or stdout.
    """
    ownership = Ownership.acquire(settings, "mcp-stdio")
    migrate_before_bind(settings)
    ownership.take_logs(settings)
    serve_client(lambda: backend.open_service(settings), backend.traits, toolbox, settings.shutdown_timeout_ms / 1000)
    ownership.release()
