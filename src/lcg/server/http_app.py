"""The HTTP side of the program as an ASGI application: /mcp, /health and, when it is asked for, /metrics."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Final

import anyio
from mcp.server.transport_security import RequestBodyLimitMiddleware
from mcp_types import JSONRPCRequest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lcg.errors import LcgError
from lcg.runtime.call import Call
from lcg.server.calls import CallRunner
from lcg.server.envelope import InvalidRequest, encode_error
from lcg.server.http_doors import Doors
from lcg.server.http_guard import Guard, Refused, problem
from lcg.server.http_tokens import Token
from lcg.server.mcp_messages import read_message

MCP_PATH: Final = "/mcp"
HEALTH_PATH: Final = "/health"
METRICS_PATH: Final = "/metrics"

_LAST_WORDS_S: Final = 0.2
"""How long streams that were told to end may take to say so."""
_LOOK_S: Final = 0.01
_STREAM_METHOD: Final = "subscriptions/listen"
_METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_ENDING: Final = "lcg is about to end, so it takes no more requests. Call again when it runs again."


@dataclass(slots=True)
class _Exchange:
    """One request and its response; due is one that has been read whole and will be answered in time."""

    bearer: Token | None
    is_due: bool = False
    cut: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    began: bool = False
    ended: bool = False

    def watched(self, send: Send) -> Send:
        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.began = True
            elif message["type"] == "http.response.body":
                self.ended = not message.get("more_body", False)
            await send(message)

        return watch


class HttpApp:
    """Lets requests in and hands them to the endpoint of their token; knows which are not yet answered.

    Args:
        doors: the endpoints.
        guard: who may come in.
        runner: runs calls; here only those behind /health and /metrics.
        max_request_bytes: bytes of the body of a request.
        render_metrics: writes what /metrics answers from a result of knowledge_status; None when there is no such path.
    """

    def __init__(
        self,
        doors: Doors,
        guard: Guard,
        runner: CallRunner,
        *,
        max_request_bytes: int,
        render_metrics: Callable[[dict[str, Any] | None], bytes] | None = None,
    ) -> None:
        self._doors = doors
        self._guard = guard
        self._runner = runner
        self._max_request_bytes = max_request_bytes
        self._render_metrics = render_metrics
        self._exchanges: dict[int, _Exchange] = {}
        self._all_answered = asyncio.Event()
        self._all_answered.set()
        self._stopping = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. See the ASGI specification."""
        if scope["type"] != "http":
            return
        try:
            response = await self._respond(Request(scope, receive))
        except Refused as refused:
            response = refused.response
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> ASGIApp:
        path = request.url.path
        if path == HEALTH_PATH:
            # Whoever watches processes calls by addresses that we cannot know, and learns nothing but the state.
            return await self._health() if request.method in ("GET", "HEAD") else _only("GET, HEAD")
        await self._guard.check_names(request)
        if path == MCP_PATH:
            return await self._mcp(request)
        if path == METRICS_PATH and self._render_metrics is not None:
            self._guard.bearer(request)
            return await self._metrics(self._render_metrics) if request.method == "GET" else _only("GET")
        return problem(404, f"there is nothing at this path. MCP is at {MCP_PATH}, the state at {HEALTH_PATH}.")

    # -- /health and /metrics

    async def _health(self) -> Response:
        try:
            health = await self._runner.run({}, Call("health_check"))
        except LcgError:
            health = {"ok": False, "state": "degraded"}
        if self._stopping:
            health = health | {"ok": False, "state": "ending"}
        told = {"healthy": health["ok"]} | {name: health[name] for name in ("state", "version") if name in health}
        return JSONResponse(told, status_code=200 if health["ok"] else 503)

    async def _metrics(self, render: Callable[[dict[str, Any] | None], bytes]) -> Response:
        status = None
        with contextlib.suppress(LcgError):
            status = await self._runner.run({}, Call("knowledge_status"))
        return Response(render(status), media_type=_METRICS_TYPE)

    # -- /mcp

    async def _mcp(self, request: Request) -> ASGIApp:
        bearer = self._guard.bearer(request)
        self._forget_others_than(self._guard.known())
        if self._stopping:
            return problem(503, _ENDING, connection="close")
        declared = request.headers.get("content-length", "")
        if declared.isdigit() and int(declared) > self._max_request_bytes:
            return problem(
                413,
                f"the request has {declared} bytes, and at most {self._max_request_bytes} are taken. Send less at "
                "once, or start lcg with a larger LCG_HTTP_MAX_REQUEST_BYTES.",
            )

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            await self._exchange(_Exchange(bearer), scope, receive, send)

        return serve

    def _forget_others_than(self, known: Collection[Token]) -> None:
        self._doors.keep(known)
        for exchange in self._exchanges.values():
            if exchange.bearer is not None and exchange.bearer not in known and not exchange.is_due:
                exchange.cut.cancel()

    async def _exchange(self, exchange: _Exchange, scope: Scope, receive: Receive, send: Send) -> None:
        key = id(exchange)
        self._exchanges[key] = exchange

        async def pass_on(scope: Scope, receive: Receive, send: Send) -> None:
            await self._pass_on(exchange, scope, receive, send)

        try:
            with exchange.cut:
                await RequestBodyLimitMiddleware(pass_on, self._max_request_bytes)(
                    scope, receive, exchange.watched(send)
                )
            if exchange.cut.cancelled_caught and not exchange.ended:
                await _break_off(exchange, scope, receive, send)
        finally:
            del self._exchanges[key]
            self._tell()

    async def _pass_on(self, exchange: _Exchange, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "POST":
            try:
                body = await Request(scope, receive).body()
                message = read_message(body)
            except ClientDisconnect:
                return
            except LcgError as error:
                id = error.id if isinstance(error, InvalidRequest) else None
                refusal = Response(encode_error(id, error), status_code=400, media_type="application/json")
                await refusal(scope, receive, send)
                return
            is_stream = isinstance(message, JSONRPCRequest) and message.method == _STREAM_METHOD
            exchange.is_due = not is_stream and not self._stopping
            self._tell()
            receive = _replayed(body, receive)
        if self._stopping and not exchange.is_due:
            await problem(503, _ENDING, connection="close")(scope, receive, send)
            return
        endpoint = await self._doors.open(exchange.bearer)
        await endpoint(scope, receive, send)

    # -- the end

    def _tell(self) -> None:
        if any(exchange.is_due for exchange in self._exchanges.values()):
            self._all_answered.clear()
        else:
            self._all_answered.set()

    def refuse_more(self) -> None:
        """Take no more requests."""
        self._stopping = True

    async def wait_answered(self) -> None:
        """Wait until every request that was taken is answered; streams without an end do not count."""
        await self._all_answered.wait()

    async def close(self) -> None:
        """End every session and stream, and break off what is left."""
        await self._doors.close()
        end = time.monotonic() + _LAST_WORDS_S
        while self._exchanges and time.monotonic() < end:
            await asyncio.sleep(_LOOK_S)
        for exchange in list(self._exchanges.values()):
            exchange.cut.cancel()


def _replayed(body: bytes, receive: Receive) -> Receive:
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return parts.pop() if parts else await receive()

    return replay


async def _break_off(exchange: _Exchange, scope: Scope, receive: Receive, send: Send) -> None:
    if exchange.began:
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    else:
        await problem(503, _ENDING, connection="close")(scope, receive, send)


def _only(methods: str) -> Response:
    return problem(405, f"only {methods} is answered here.", allow=methods)
