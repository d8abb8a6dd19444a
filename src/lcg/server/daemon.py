"""The socket service: from the lock to the last answer."""

import asyncio
import socket
import time

from lcg.runtime.call import Service
from lcg.server.backend import Backend
from lcg.server.calls import CallRunner, MethodTraits
from lcg.server.lifecycle import Stop, block_signals, close_service, ending_signals, say, watch_signals
from lcg.server.lock import Ownership
from lcg.server.migration import migrate_before_bind
from lcg.server.socket import SocketServer, bind_socket
from lcg.settings import Settings


def run_service(settings: Settings, backend: Backend) -> None:
    """Serve the workspace on its socket until somebody asks to stop.

    The socket is bound before the service is opened, so that probes find it while a long replay runs.

    Raises:
        WorkspaceOwned, LockFailed, BindError: it cannot start; the message says what to do.
    """
    signals = ending_signals(service=True)
    block_signals(signals)
    ownership = Ownership.acquire(settings, "service")
    migrate_before_bind(settings)
    ownership.take_logs(settings)
    bound = bind_socket(settings.socket_path)
    say(f"listening on {settings.socket_path}")
    stop = Stop()
    watch_signals(signals, stop)
    service = backend.open_service(settings)
    asyncio.run(_serve(service, backend.traits, bound, stop, settings.shutdown_timeout_ms / 1000))
    ownership.release()


async def _serve(service: Service, traits: MethodTraits, bound: socket.socket, stop: Stop, timeout_s: float) -> None:
    runner = CallRunner(service, traits)
    server = SocketServer(runner, lambda: stop.request("knowledge_close"))
    await server.start(bound)
    await stop.wait()
    deadline = time.monotonic() + timeout_s
    # The larger part is for answers due, the rest for writing out what is in memory.
    await server.stop(timeout_s * 0.75)
    runner.cancel_all()
    await asyncio.to_thread(close_service, service, deadline)
