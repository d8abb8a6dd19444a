"""The standalone MCP process: it owns the workspace and opens it itself."""

import socket

from lcg.server.backend import Backend
from lcg.server.lifecycle import say
from lcg.server.lock import Ownership
from lcg.server.mcp_process import HEAD_START_S, serve_client
from lcg.server.mcp_tools import Toolbox
from lcg.server.migration import migrate_before_bind
from lcg.server.socket import BindError, bind_socket
from lcg.settings import Settings


def run_standalone(settings: Settings, backend: Backend, toolbox: Toolbox) -> None:
    """Own the workspace and serve it to the client at stdin and stdout until that ends or somebody asks to stop.

    Other processes can attach to its socket meanwhile.

    Raises:
        WorkspaceOwned, LockFailed: it cannot start; the message says what to do.
        OSError: there is no stdin or stdout.
    """
    ownership = Ownership.acquire(settings, "mcp-stdio")
    migrate_before_bind(settings)
    ownership.take_logs(settings)
    bound = _bind(settings, ownership)
    timeout_s = settings.shutdown_timeout_ms / 1000
    serve_client(
        lambda: backend.open_service(settings), backend.traits, toolbox, timeout_s, bound, head_start_s=HEAD_START_S
    )
    ownership.release()


def _bind(settings: Settings, ownership: Ownership) -> socket.socket | None:
    """Bind the socket; without one the client that is here is served all the same."""
    try:
        return bind_socket(settings.socket_path)
    except BindError as error:
        say(f"lcg: no other process can attach to this one: {error}")
        ownership.tell_no_socket("mcp-stdio")
        return None
