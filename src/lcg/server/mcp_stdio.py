"""MCP over stdin and stdout, for whatever service is behind it."""

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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

    Requests already read are answered first, within `timeout_s`; after a part of that time running calls are
    cancelled, so that they can answer too. `begin` is what takes calls without a thread, if the service has that.
    """
    runner = CallRunner(service, traits, begin)
    pump = StdinPump(*descriptors, on_end=stop.request)

    def load_sdk() -> "Callable[[], SdkSession]":
        from lcg.server.mcp_sdk import SdkSession

        return lambda: SdkSession(toolbox, runner, stop, pump)

    front = Front(pump, Session(PreparedResults(toolbox)), toolbox, runner, stop, load_sdk)
    others = SocketServer(runner, lambda: stop.request(CLOSE_METHOD))
    if bound is not None:
        await others.start(bound)
    pump.start(front.accept)
    await stop.wait()
    deadline = time.monotonic() + timeout_s
    pump.stop_reading()
    front.end_streams()
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


async def _within(waiting: Any, seconds: float) -> bool:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(waiting, seconds)
        return True
    return False
