"""The HTTP server over the fake service in a thread of its own, and raw requests to it."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx2

from lcg.generated.tool_specs import SCOPES
from lcg.http_settings import HttpSettings
from lcg.runtime.call import Service
from lcg.runtime.tool_spec import ToolSpec
from lcg.server.calls import CallRunner
from lcg.server.http_front import HttpFront
from lcg.server.lifecycle import Stop
from tests.server.fake_service import TRAITS, FakeService

PATIENCE_S = 20.0
MODERN = "2026-07-28"
LEGACY = "2025-11-25"
ACCEPTED = {"accept": "application/json, text/event-stream"}


class RunningHttp:
    """What a test sees of the server thread."""

    def __init__(self, service: FakeService) -> None:
        self.service = service
        self.url = ""
        self.stop: Callable[[], None] = lambda: None
        self.stopped = threading.Event()

    def client(self, **headers: str) -> httpx2.Client:
        """Return a client that sends these headers with everything."""
        sent = {name.replace("_", "-"): value for name, value in (ACCEPTED | headers).items()}
        return httpx2.Client(base_url=self.url, headers=sent, timeout=PATIENCE_S, trust_env=False)

    def wait_stopped(self) -> None:
        assert self.stopped.wait(PATIENCE_S)


@contextmanager
def running_http(
    tools: tuple[ToolSpec, ...],
    service: FakeService | None = None,
    settings: HttpSettings | None = None,
    *,
    scopes: tuple[str, ...] = SCOPES,
    stop_timeout_s: float = 10.0,
) -> Iterator[RunningHttp]:
    running = RunningHttp(service or FakeService())
    front = HttpFront("127.0.0.1:0", settings or HttpSettings(), tools, scopes, "all")
    front.bind()
    running.url = f"http://{front.address}"
    stop = Stop()
    running.stop = lambda: stop.request("the test")
    ready = threading.Event()

    async def main() -> None:
        served: Service = front.measured(running.service)
        runner = CallRunner(served, TRAITS)
        front.start(runner, stop)
        ready.set()
        await stop.wait()
        await front.stop(stop_timeout_s)
        front.raise_fault()
        await runner.wait_idle()

    def run() -> None:
        asyncio.run(main())
        running.stopped.set()

    thread = threading.Thread(target=run, name="http server")
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        yield running
    finally:
        running.service.ready.set()
        running.stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


class Session:
    """A client of a revision with handshake and sessions, in raw HTTP."""

    def __init__(self, http: httpx2.Client) -> None:
        self.http = http
        answer = http.post(
            "/mcp",
            json=request(
                "initialize",
                id="init",
                protocolVersion=LEGACY,
                capabilities={},
                clientInfo={"name": "test", "version": "1"},
            ),
        )
        answer.raise_for_status()
        self.headers = {"mcp-session-id": answer.headers["mcp-session-id"], "mcp-protocol-version": LEGACY}
        self.notify("notifications/initialized")

    def notify(self, method: str, **params: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        assert self.http.post("/mcp", json=message, headers=self.headers).status_code == 202

    def post(self, message: dict[str, Any]) -> httpx2.Response:
        return self.http.post("/mcp", json=message, headers=self.headers)

    def call(self, name: str, arguments: dict[str, Any] | None = None, id: Any = 1) -> Any:
        """Call a tool and return the whole answer."""
        return events(self.post(tool_call(name, arguments, id)).text)[-1]

    @contextmanager
    def stream(self) -> Iterator[httpx2.Response]:
        """Open the stream on which the server speaks unasked."""
        with self.http.stream("GET", "/mcp", headers=self.headers) as response:
            assert response.status_code == 200, response.read()
            yield response


def request(method: str, id: Any = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def tool_call(name: str, arguments: dict[str, Any] | None = None, id: Any = 1) -> dict[str, Any]:
    return request("tools/call", id, name=name, arguments=arguments or {})


def modern(message: dict[str, Any], **meta: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a message as the newest revision has it, and its headers."""
    prefix = "io.modelcontextprotocol/"
    envelope = {f"{prefix}protocolVersion": MODERN, f"{prefix}clientCapabilities": {}, **meta}
    headers = {"mcp-protocol-version": MODERN, "mcp-method": message["method"]}
    if "name" in message["params"]:
        headers["mcp-name"] = message["params"]["name"]
    return message | {"params": message["params"] | {"_meta": envelope}}, headers


def events(text: str) -> list[Any]:
    """Return the messages of a response, be it a stream or not."""
    if text.startswith("{"):
        return [json.loads(text)]
    return [json.loads(line[5:]) for line in text.splitlines() if line.startswith("data:") and line[5:].strip()]


@contextmanager
def in_background(action: Callable[[], Any]) -> Iterator[Callable[[], Any]]:
    """Run something in a thread; yields what waits for its result, which is an exception when it raised one."""
    results: list[Any] = []

    def run() -> None:
        try:
            results.append(action())
        except Exception as error:
            results.append(error)

    thread = threading.Thread(target=run)
    thread.start()

    def result() -> Any:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()
        return results[0]

    try:
        yield result
    finally:
        with suppress(AssertionError):
            result()
