"""The socket service: from the lock to the last answer."""

import asyncio
import logging
import os
import socket
import time
from typing import Final

from lcg.runtime.call import Service
from lcg.server.backend import Backend
from lcg.server.calls import CallRunner, MethodTraits
from lcg.server.http_front import HttpFront
from lcg.server.idle import end_when_idle
from lcg.server.lifecycle import Stop, block_signals, close_service, ending_signals, say, watch_signals
from lcg.server.lock import Ownership
from lcg.server.migration import migrate_before_bind
from lcg.server.service_log import keep_small
from lcg.server.socket import SocketServer, bind_socket
from lcg.settings import SERVICE_LOG, Settings

_log = logging.getLogger(__name__)
_PATIENCE_S: Final = 10.0
"""How long a service that a client started waits for the workspace: an owner that ends may have much to write."""


def run_service(
    settings: Settings, backend: Backend, front: HttpFront | None = None, *, detached: bool = False
) -> None:
    """Serve the workspace on its socket, and over HTTP if it is asked for, until somebody asks to stop.

    The socket is bound before the service is opened, so that probes find it while a long replay runs.

    Args:
        settings: where everything is.
        backend: what is served.
        front: what serves HTTP, or None.
        detached: whether this was started by a client, for all that come: it waits for an owner that is about to
            end, looks after its log, and ends when there is no client for `settings.idle_exit_secs`.

    Raises:
        WorkspaceOwned, LockFailed, BindError, UnusableFile: it cannot start; the message says what to do.
    """
    signals = ending_signals(service=True)
    block_signals(signals)
    if detached:
        keep_small(SERVICE_LOG)
        _log.info("process %d, started by process %d, is to serve this workspace", os.getpid(), os.getppid())
    ownership = Ownership.acquire(settings, "service", _PATIENCE_S if detached else 0.0)
    migrate_before_bind(settings)
    ownership.take_logs(settings)
    if front is not None:
        front.bind()
    bound = bind_socket(settings.socket_path)
    say(f"listening on {settings.socket_path}")
    stop = Stop()
    watch_signals(signals, stop)
    service = backend.open_service(settings)
    if front is not None:
        service = front.measured(service)
    idle_s = settings.idle_exit_secs if detached else None
    asyncio.run(_serve(service, backend.traits, bound, front, stop, settings.shutdown_timeout_ms / 1000, idle_s))
    ownership.release()


async def _serve(
    service: Service,
    traits: MethodTraits,
    bound: socket.socket,
    front: HttpFront | None,
    stop: Stop,
    timeout_s: float,
    idle_s: float | None,
) -> None:
    runner = CallRunner(service, traits)
    server = SocketServer(runner, lambda: stop.request("knowledge_close"))
    await server.start(bound)
    if front is not None:
        front.start(runner, stop)
    watching = None
    if idle_s is not None:
        watching = asyncio.create_task(
            end_when_idle(server, lambda: runner.is_busy or service.works_unasked(), idle_s, stop)
        )
    await stop.wait()
    if watching is not None:
        watching.cancel()
    deadline = time.monotonic() + timeout_s
    # The larger part is for answers due, the rest for writing out what is in memory.
    endings = [server.stop(timeout_s * 0.75)]
    if front is not None:
        endings.append(front.stop(timeout_s * 0.75))
    await asyncio.gather(*endings)
    runner.cancel_all()
    await asyncio.to_thread(close_service, service, deadline)
    if front is not None:
        front.raise_fault()
