"""The HTTP server proper: the SDK's endpoints behind the guard, on a socket that listens already."""

import asyncio
import contextlib
import math
import socket
import time
from collections.abc import Callable
from typing import Any, Final

import uvicorn

from lcg.http_settings import HttpSettings
from lcg.server.calls import CallRunner
from lcg.server.http_address import HttpAddress
from lcg.server.http_app import HttpApp
from lcg.server.http_doors import Doors, Endpoint
from lcg.server.http_guard import Guard
from lcg.server.http_tokens import Token, TokenFile
from lcg.server.lifecycle import Stop
from lcg.server.mcp_resources import Resources
from lcg.server.mcp_server import build_server
from lcg.server.mcp_tools import Toolbox
from lcg.server.mcp_updates import Updates
from lcg.server.socket import stop_listening

MOST_CONNECTIONS: Final = 1024
_KEEP_ALIVE_S: Final = 75
_LAST_WORDS_S: Final = 1
"""The least time that connections may take to close once everything is answered."""


class HttpServer:
    """Serves HTTP in the event loop in which it is made.

    Args:
        toolbox: returns the tools that a token opens.
        runner: runs the calls.
        stop: asked when a client's call is to end the process.
        address: where the clients find it.
        settings: its limits and who may come in.
        tokens: the file of tokens, or None.
        render_metrics: see `HttpApp`.
    """

    def __init__(
        self,
        toolbox: Callable[[Token | None], Toolbox],
        runner: CallRunner,
        stop: Stop,
        address: HttpAddress,
        settings: HttpSettings,
        tokens: TokenFile | None,
        render_metrics: Callable[[dict[str, Any] | None], bytes] | None = None,
    ) -> None:
        self._runner = runner
        self._app = HttpApp(
            Doors(lambda bearer: _endpoint(toolbox(bearer), runner, stop)),
            Guard(address, settings.hosts, tokens),
            runner,
            max_request_bytes=settings.max_request_bytes,
            render_metrics=render_metrics,
        )
        config = uvicorn.Config(
            self._app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=_KEEP_ALIVE_S,
        )
        self._server = uvicorn.Server(config)
        self._serving: asyncio.Task[None] | None = None

    def start(self, bound: socket.socket) -> None:
        """Begin to answer those who call on a socket from `bind_http`."""
        self._serving = asyncio.create_task(self._server.serve(sockets=[bound]))

    async def stop(self, timeout_s: float) -> None:
        """Take no more requests, answer what was taken, end all streams, and close, within the time given.

        Halfway through that time, calls that still run are cancelled; at its end they are cut.
        """
        deadline = time.monotonic() + timeout_s
        self._app.refuse_more()
        for listening in getattr(self._server, "servers", ()):
            await stop_listening(listening)
        if not await self._answered_within(timeout_s / 2):
            self._runner.cancel_all()
            await self._answered_within(timeout_s / 4)
        await self._app.close()
        # What is left of the time is for clients that are slow to read what they were answered.
        left = max(_LAST_WORDS_S, math.floor(deadline - time.monotonic()))
        self._server.config.timeout_graceful_shutdown = left
        self._server.should_exit = True
        if self._serving is not None:
            await asyncio.wait({self._serving}, timeout=left + _LAST_WORDS_S)
            self._serving.cancel()

    async def _answered_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._app.wait_answered(), seconds)
            return True
        return False


def _endpoint(toolbox: Toolbox, runner: CallRunner, stop: Stop) -> Endpoint:
    updates = Updates(Resources(toolbox, runner))
    server = build_server(toolbox, runner, stop, updates)
    # Clients of the newest revision may repeat arguments in headers; without this, every call of theirs would list
    # all tools to find out which.
    server.get_tool_input_schema = {spec.name: spec.input_schema for spec in toolbox.visible}.get
    return Endpoint(server, updates.close)
