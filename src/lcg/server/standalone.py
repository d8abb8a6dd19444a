"""The standalone MCP process: everything that happens before the SDK is there, and what it does side by side."""

import asyncio
import gc
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from lcg.server.backend import Backend
from lcg.server.lifecycle import Stop, block_signals, ending_signals, watch_parent, watch_signals
from lcg.server.lock import WorkspaceLock
from lcg.server.mcp_tools import Toolbox
from lcg.server.stdio import take_stdio
from lcg.settings import LOCK_PATH, Settings


def run_standalone(settings: Settings, backend: Backend, scopes: Sequence[str], profile: str) -> None:
    """Own the workspace and serve it to the client at stdin and stdout until that ends or somebody asks to stop.

    Raises:
        WorkspaceOwned, LockFailed: it cannot start; the message says what to do.
        OSError: there is no stdin or stdout.
    """
    descriptors = take_stdio()
    signals = ending_signals(service=False)
    block_signals(signals)
    lock = WorkspaceLock.acquire(LOCK_PATH, "mcp-stdio", settings.socket_path)
    stop = Stop()
    watch_signals(signals, stop)
    watch_parent(stop)
    # The store opens while the SDK is imported, which takes longer than anything else here.
    opening = ThreadPoolExecutor(1, thread_name_prefix="open").submit(backend.open_service, settings)
    gc.disable()  # a collection during imports finds nothing and costs a fifth of their time
    from lcg.server.mcp_stdio import serve_stdio

    gc.enable()
    gc.freeze()
    toolbox = Toolbox(backend.tools, scopes, profile)
    service = opening.result()
    asyncio.run(serve_stdio(service, backend.traits, toolbox, stop, descriptors, settings.shutdown_timeout_ms / 1000))
    lock.release()
