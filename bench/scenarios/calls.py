"""What a call costs on its way, by transport."""

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

from bench.bare.servers import echo, mcp_command, mcp_over_http, our_tools
from bench.scenario import Figure, Result, Run, Scenario, Target, interleaved
from bench.service import HELLO, PROGRAM, REVISION, Service, StdioClient, memory_of, request_line, serving

METHOD: Final = "knowledge_rebuild_status"
ASKED: Final = {"job_id": "no-such-job"}
_TOOL_LINE: Final = request_line("tools/call", {"name": METHOD, "arguments": ASKED})


def measure(run: Run) -> Result:
    """Make calls that do next to nothing, over everything that carries them."""
    calls = run.pick(3_000, 500, 5)
    with ExitStack() as stack:
        folder, empty = stack.enter_context(run.scratch()), stack.enter_context(run.scratch())
        tools = our_tools(empty)
        service = stack.enter_context(serving(folder, arguments=("--http", "127.0.0.1:0"), idle=False))
        client = service.client()
        stack.callback(client.close)
        attached = _stdio(stack, (*PROGRAM, "--mcp-stdio", "--connect", "auto"), folder)
        standalone = _stdio(stack, (*PROGRAM, "--mcp-stdio"), empty)
        bare = _stdio(stack, mcp_command(tools), empty)
        echoed = stack.enter_context(echo(empty / "echo.sock", client.call(METHOD, **ASKED)))
        http, bare_http = (
            stack.enter_context(HttpClient(address))
            for address in (address_of(service), stack.enter_context(mcp_over_http(tools)))
        )
        line = request_line(METHOD, ASKED)
        ways: dict[str, Callable[[], object]] = {
            "socket": lambda: client.ask(line),
            "echo": lambda: echoed.ask(line),
            "standalone": lambda: standalone.ask(_TOOL_LINE),
            "attached": lambda: attached.ask(_TOOL_LINE),
            "bare": lambda: bare.ask(_TOOL_LINE),
            "http": lambda: http.ask(_TOOL_LINE),
            "bare http": lambda: bare_http.ask(_TOOL_LINE),
        }
        for way in ways.values():
            rate(way, calls // 10 + 1)
        rates = interleaved(run.rounds, {name: _rate_of(way, calls) for name, way in ways.items()})
        memory = [
            memory_of(service.process.pid, "service, empty"),
            memory_of(attached.process.pid, "attached client"),
            memory_of(bare.process.pid, "bare MCP server"),
        ]
    return Result(
        [
            _figure("socket", rates["socket"], rates["echo"], Target("ours/bare", ">=", 0.6)),
            _figure("MCP, standalone", rates["standalone"], rates["bare"], Target("ours/bare", ">=", 1.0)),
            _figure("MCP, attached", rates["attached"], rates["bare"], Target("ours/bare", ">=", 1.0)),
            _figure("MCP over HTTP", rates["http"], rates["bare http"]),
        ],
        memory,
    )


def rate(call: Callable[[], object], calls: int) -> float:
    """Return how many such calls one client makes in a second, one after another."""
    begun = time.perf_counter()
    for _ in range(calls):
        call()
    return calls / (time.perf_counter() - begun)


class HttpClient:
    """An MCP client over HTTP, in a session."""

    def __init__(self, address: str) -> None:
        self._connection = HTTPConnection(address, timeout=60)
        self._headers = {
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
            "mcp-protocol-version": REVISION,
        }

    def __enter__(self) -> "HttpClient":
        answer = self._post(request_line("initialize", HELLO))
        if session := answer.headers.get("mcp-session-id"):
            self._headers["mcp-session-id"] = session
        answer.read()
        self._post(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()).read()
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def ask(self, request: bytes) -> bytes:
        """Post a message that is ready and return the body of what answers it."""
        try:
            answer = self._post(request)
        except (ConnectionError, HTTPException):
            # A server may close a connection that was idle while others had their turn.
            self._connection.close()
            answer = self._post(request)
        body: bytes = answer.read()
        if answer.status != 200:
            raise ConnectionError(f"status {answer.status}: {body[:200]!r}")
        return body

    def _post(self, message: bytes) -> Any:
        self._connection.request("POST", "/mcp", message, self._headers)
        return self._connection.getresponse()


def address_of(service: Service) -> str:
    """Return host and port of a service that was started with HTTP."""
    said = (service.workspace / "errors.txt").read_text(encoding="utf-8")
    return said.partition("listening on http://")[2].partition("/")[0]


def _stdio(stack: ExitStack, command: Any, folder: Path) -> StdioClient:
    client = StdioClient(command, folder)
    stack.callback(client.close)
    client.initialize()
    return client


def _rate_of(call: Callable[[], object], calls: int) -> Callable[[], float]:
    return lambda: rate(call, calls)


def _figure(way: str, ours: list[float], bare: list[float], *targets: Target) -> Figure:
    return Figure(f"calls that do nothing, {way}", "a second", ours, bare, targets=targets)


SCENARIO = Scenario(
    "calls",
    "What a call costs on its way",
    "One client asks for the status of a job that nobody knows, one call after another. Bare is, for the socket, an "
    "asyncio server that parses the same line with orjson and writes the same answer; for MCP, a server made with the "
    "low-level server of the MCP SDK, on stdio and on HTTP, that answers every call with a constant.",
    measure,
)
