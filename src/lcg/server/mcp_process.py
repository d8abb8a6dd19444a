"""What every process that serves one MCP client over stdin and stdout does, wherever its graph is."""

import asyncio
import gc
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from lcg.runtime.call import Service
from lcg.server.calls import MethodTraits
from lcg.server.lifecycle import Stop, block_signals, ending_signals, watch_parent, watch_signals
from lcg.server.mcp_tools import Toolbox
from lcg.server.stdio import take_stdio


def serve_client(
    open_service: Callable[[], Service],
    traits: MethodTraits,
    toolbox: Toolbox,
    shutdown_timeout_s: float,
    bound: socket.socket | None = None,
) -> None:
    """Serve the client until it goes, its process dies, a signal comes or it asks to stop; then close the service.

    Whoever connects to `bound` meanwhile, a socket from `bind_socket`, is served too.

    Raises:
        OSError: there is no stdin or stdout.
    """
    descriptors = take_stdio()
    signals = ending_signals(service=False)
    block_signals(signals)
    stop = Stop()
    watch_signals(signals, stop)
    watch_parent(stop)
    # The service opens while the SDK is imported, which takes longer than anything else here.
    opening = ThreadPoolExecutor(1, thread_name_prefix="open").submit(open_service)
    gc.disable()  # a collection during imports finds nothing and costs a fifth of their time
    from lcg.server.mcp_stdio import serve_stdio

    gc.enable()
    gc.freeze()
    service = opening.result()
    asyncio.run(serve_stdio(service, traits, toolbox, stop, descriptors, shutdown_timeout_s, bound))
