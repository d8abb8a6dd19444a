"""What every process that serves one MCP client over stdin and stdout does, wherever its graph is."""

import asyncio
import gc
import socket
import threading
from collections.abc import Callable
from typing import Final

from lcg.runtime.call import Service
from lcg.server.calls import Begin, MethodTraits
from lcg.server.late_service import LateService
from lcg.server.lifecycle import Stop, block_signals, ending_signals, watch_parent, watch_signals
from lcg.server.mcp_stdio import serve_stdio
from lcg.server.mcp_tools import Toolbox
from lcg.server.stdio import take_stdio

HEAD_START_S: Final = 0.1
"""Time for a client to shake hands and list the tools before anything else is begun."""


def serve_client(
    open_service: Callable[[], Service],
    traits: MethodTraits,
    toolbox: Toolbox,
    shutdown_timeout_s: float,
    bound: socket.socket | None = None,
    *,
    head_start_s: float = 0.0,
    begin: Begin | None = None,
) -> None:
    """Serve the client until it goes, its process dies, a signal comes or it asks to stop; then close the service.

    Whoever connects to `bound` meanwhile, a socket from `bind_socket`, is served too. The service opens with the first
    call, or without one after `head_start_s`: what it imports would keep the interpreter from the first answers.
    `begin` is what takes calls without a thread, if the service has that.

    Raises:
        OSError: there is no stdin or stdout.
        Exception: what opening the service raised.
    """
    descriptors = take_stdio()
    signals = ending_signals(service=False)
    block_signals(signals)
    stop = Stop()
    watch_signals(signals, stop)
    watch_parent(stop)
    service = LateService(open_service, stop.request)
    beginning = threading.Timer(head_start_s, service.begin)
    beginning.daemon = True
    beginning.start()
    gc.freeze()
    asyncio.run(serve_stdio(service, traits, toolbox, stop, descriptors, shutdown_timeout_s, bound, begin))
    service.raise_failure()
