"""MCP over stdin and stdout, for whatever service is behind it."""

import asyncio
import contextlib
import select
import socket
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from lcg.runtime.call import Service
from lcg.server.calls import CLOSE_METHOD, Begin, CallRunner, MethodTraits
from lcg.server.lifecycle import Stop, close_service
from lcg.server.mcp_front import Front
from lcg.server.mcp_lists import PreparedResults
from lcg.server.mcp_session import Session
from lcg.server.mcp_tools import Toolbox
from lcg.server.socket import SocketServer
from lcg.server.stdin_pump import StdinPump

if TYPE_CHECKING:
    from lcg.server.mcp_sdk import SdkSession

_LOOK_S: Final = 0.25
"""How often it is looked whether anybody still reads the answers."""


async def serve_stdio(
    service: Service,
    traits: MethodTraits,
    toolbox: Toolbox,
    stop: Stop,
    descriptors: tuple[int, int],
    timeout_s: float,
    bound: socket.socket | None = None,
    begin: Begin | None = None,
) -> None:
    """Serve one client on two descriptors until its input ends or somebody asks to stop, then close the service.

    Other processes are served on `bound` meanwhile; when this client goes, they have to find another service.

    When the input ends, what was read is finished and answered, as long as somebody reads the answers. When somebody
    asks to stop, then or before, requests already read are answered within `timeout_s`; after a part of that time
    running calls are cancelled, so that they can answer too. `begin` is what takes calls without a thread, if the
    service has that.
    """
    runner = CallRunner(service, traits, begin)
    silent = asyncio.Event()
    pump = StdinPump(*descriptors, on_end=lambda _: silent.set())

    def load_sdk() -> "Callable[[], SdkSession]":
        from lcg.server.mcp_sdk import SdkSession

        return lambda: SdkSession(toolbox, runner, stop, pump)

    front = Front(pump, Session(PreparedResults(toolbox)), toolbox, runner, stop, load_sdk)
    others = SocketServer(runner, lambda: stop.request(CLOSE_METHOD))
    if bound is not None:
        await others.start(bound)
    pump.start(front.accept)
    stopping = asyncio.create_task(stop.wait())
    await _first(stopping, silent.wait())
    pump.stop_reading()
    front.end_streams()
    await _finish(pump, stopping, descriptors[1])
    deadline = time.monotonic() + timeout_s
    leaving = asyncio.create_task(others.stop(timeout_s * 0.7))
    if not await _within(pump.wait_answered(), timeout_s * 0.4):
        runner.cancel_all()
        await _within(pump.wait_answered(), timeout_s * 0.3)
    await leaving
    runner.cancel_all()
    try:
        await front.close(deadline - time.monotonic())
    finally:
        await _within(pump.wait_written(), deadline - time.monotonic())
        await asyncio.to_thread(close_service, service, deadline)


async def _first(known: "asyncio.Task[Any]", waiting: Coroutine[Any, Any, Any]) -> None:
    """Wait for either, and give up the second."""
    task = asyncio.create_task(waiting)
    await asyncio.wait({known, task}, return_when=asyncio.FIRST_COMPLETED)
    task.cancel()


async def _finish(pump: StdinPump, stopping: "asyncio.Task[Any]", sink: int) -> None:
    """Wait until all that was read is answered, somebody asks to stop, or nobody reads the answers any more."""
    while not stopping.done() and not _is_unheard(sink):
        if await _within(pump.wait_answered(), _LOOK_S):
            break
    stopping.cancel()


def _is_unheard(sink: int) -> bool:
    """Whether what is written there reaches nobody: the other end of the pipe or socket is closed."""
    poll = select.poll()
    poll.register(sink, 0)
    return bool(poll.poll(0))


async def _within(waiting: Any, seconds: float) -> bool:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(waiting, seconds)
        return True
    return False
