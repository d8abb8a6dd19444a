"""MCP over HTTP: the wire, both protocol eras, who may come in, limits, and the end."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import httpx2
import pytest
from mcp.client import Client

from lcg.generated.tool_specs import SCOPES
from lcg.http_settings import HttpSettings
from lcg.server.calls import CallRunner
from lcg.server.http_front import HttpFront
from lcg.server.lifecycle import Stop
from tests.server.fake_service import TRAITS, FakeService
from tests.server.running import eventually
from tests.server.running_http import (
    ACCEPTED,
    LEGACY,
    PATIENCE_S,
    RunningHttp,
    Session,
    events,
    in_background,
    modern,
    request,
    running_http,
    tool_call,
)
from tests.server.test_mcp import ALL, eras


@pytest.fixture
def running() -> Iterator[RunningHttp]:
    with running_http(ALL) as server:
        yield server


def talk(running: RunningHttp, era: str, conversation: Callable[[Client], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        async with asyncio.timeout(PATIENCE_S), Client(f"{running.url}/mcp", mode=era) as client:
            return await conversation(client)

    return asyncio.run(main())


def begins(running: RunningHttp, method: str) -> None:
    eventually(lambda: method in running.service.seen)


@eras
def test_tools_are_listed_and_called(running: RunningHttp, era: str) -> None:
    async def conversation(client: Client) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == [spec.name for spec in ALL]
        result = await client.call_tool("echo", {"name": "Ada"})
        assert result.structured_content == {"method": "echo", "params": {"name": "Ada"}}
        failed = await client.call_tool("refuse", {"name": "Ada"})
        assert failed.is_error
        assert failed.structured_content is not None
        assert failed.structured_content["data"] == {"kind": "not_found", "name": "Ada"}

    talk(running, era, conversation)


@eras
def test_progress_comes_before_the_result_and_rises(running: RunningHttp, era: str) -> None:
    seen: list[float] = []

    async def conversation(client: Client) -> Any:
        async def note(progress: float, total: float | None, message: str | None) -> None:
            seen.append(progress)

        return await client.call_tool("knowledge_rebuild_from_wal", {"pause": 0.05}, progress_callback=note)

    assert talk(running, era, conversation).structured_content == {"done": 6, "asked": True}
    assert seen == sorted(set(seen))
    assert seen[-1] == 6


def test_clients_are_served_at_once(running: RunningHttp) -> None:
    with running.client() as one, running.client() as other:
        session = Session(one)
        with in_background(lambda: session.call("wait", id=7)) as waiting:
            begins(running, "wait")
            assert "result" in Session(other).call("echo")
            session.notify("notifications/cancelled", requestId=7)
            assert "error" in waiting()


def test_a_cancelled_call_stops(running: RunningHttp) -> None:
    with running.client() as http:
        session = Session(http)
        with in_background(lambda: session.call("wait", id=7)) as waiting:
            begins(running, "wait")
            session.notify("notifications/cancelled", requestId=7)
            eventually(lambda: running.service.cancelled == ["wait"])
            assert waiting()["error"]["code"] == -32800


def test_leaving_cancels_a_call_of_the_newest_revision(running: RunningHttp) -> None:
    message, headers = modern(tool_call("wait"))
    with running.client() as http, pytest.raises(httpx2.ReadTimeout):
        http.post("/mcp", json=message, headers=headers, timeout=httpx2.Timeout(PATIENCE_S, read=0.5))
    eventually(lambda: running.service.cancelled == ["wait"])


def test_leaving_ends_no_call_of_an_older_revision(running: RunningHttp) -> None:
    with running.client() as http:
        session = Session(http)
        message = tool_call("knowledge_rebuild_from_wal", {"pause": 0.2})
        with pytest.raises(httpx2.ReadTimeout):
            http.post(
                "/mcp", json=message, headers=session.headers, timeout=httpx2.Timeout(PATIENCE_S, read=0.2)
            ).read()
    eventually(lambda: running.service.rebuilt == 1)
    assert running.service.cancelled == []


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        (b'{"jsonrpc":', -32700, "Parse error: "),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', -32700, "Parse error: "),
        (b"[]", -32600, "batches are not supported"),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, "`id` must be a string or an integer"),
        (b'{"jsonrpc":"1.0","id":4,"method":"ping"}', -32600, '`jsonrpc` must be "2.0"'),
    ],
    ids=["cut", "nan", "batch", "null id", "version"],
)
@pytest.mark.parametrize("revision", [LEGACY, "2026-07-28"])
def test_a_message_that_is_none_is_refused_as_everywhere(
    running: RunningHttp, body: bytes, code: int, said: str, revision: str
) -> None:
    headers = {"content-type": "application/json", "mcp-protocol-version": revision}
    with running.client() as http:
        answer = http.post("/mcp", content=body, headers=headers)
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == code
        assert said in answer.json()["error"]["message"]
        assert "result" in Session(http).call("echo")


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", ""])
def test_another_name_of_this_server_is_refused(running: RunningHttp, host: str) -> None:
    with running.client(host=host) as http:
        answer = http.post("/mcp", json=request("ping"))
    assert answer.status_code == 421
    assert "LCG_HTTP_HOSTS" in answer.json()["error"]
    assert running.service.seen == []


@pytest.mark.parametrize("host", ["localhost:1", "localhost", "127.0.0.1:80", "[::1]:8765"])
def test_names_of_this_machine_are_taken(running: RunningHttp, host: str) -> None:
    with running.client(host=host) as http:
        assert "result" in Session(http).call("echo")


@pytest.mark.parametrize("origin", ["http://evil.example", "https://localhost.evil.example", "null", "file://"])
def test_a_page_of_another_site_is_refused(running: RunningHttp, origin: str) -> None:
    with running.client(origin=origin) as http:
        answer = http.post("/mcp", json=request("ping"))
        assert http.get("/metrics").status_code == 403
    assert answer.status_code == 403
    assert origin in answer.json()["error"]


def test_more_names_can_be_allowed() -> None:
    with running_http(ALL, settings=HttpSettings(hosts=("graph.example",))) as running:
        with running.client(host="graph.example", origin="https://graph.example") as http:
            assert "result" in Session(http).call("echo")
        with running.client(host="other.example") as http:
            assert http.post("/mcp", json=request("ping")).status_code == 421


def test_a_request_above_the_limit_is_refused_and_the_next_one_taken() -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(64):
            yield b" " * 1024

    headers = {"content-type": "application/json"}
    with running_http(ALL, settings=HttpSettings(max_request_bytes=4096)) as running, running.client() as http:
        declared = http.post("/mcp", content=b" " * 4097, headers=headers)
        assert declared.status_code == 413
        assert "LCG_HTTP_MAX_REQUEST_BYTES" in declared.json()["error"]
        assert http.post("/mcp", content=chunks(), headers=headers).status_code == 413
        exact = json.dumps(request("ping")).encode()
        assert http.post("/mcp", content=exact.ljust(4096), headers=headers).status_code != 413
        assert "result" in Session(http).call("echo")


def test_sessions_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lcg.server.http_doors.MOST_SESSIONS", 2)
    with running_http(ALL) as running, running.client() as http:
        first = Session(http)
        Session(http)
        with pytest.raises(httpx2.HTTPStatusError, match="503"):
            Session(http)
        http.delete("/mcp", headers=first.headers)
        assert "result" in Session(http).call("echo")


def test_other_paths_and_methods_are_explained(running: RunningHttp) -> None:
    with running.client() as http:
        assert "/mcp" in http.get("/").json()["error"]
        assert http.post("/health").status_code == 405
        assert http.get("/metrics").status_code == 404
        assert http.put("/mcp", headers=Session(http).headers).status_code == 405


# -- health


def test_health_tells_the_state_to_anybody() -> None:
    service = FakeService(ready=False)
    with running_http(ALL, service) as running, httpx2.Client(base_url=running.url, trust_env=False) as http:
        starting = http.get("/health", headers={"host": "10.0.0.7:8765"})
        assert (starting.status_code, starting.json()) == (503, {"healthy": False})
        service.ready.set()
        healthy = http.get("/health")
        assert (healthy.status_code, healthy.json()) == (200, {"healthy": True})


# -- metrics


def test_metrics_count_calls_by_method_and_outcome() -> None:
    with running_http(ALL, settings=HttpSettings(metrics=True)) as running, running.client() as http:
        session = Session(http)
        for _ in range(3):
            session.call("knowledge_find_entities")
        session.call("refuse")
        told = http.get("/metrics")
    assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'lcg_calls_total{method="knowledge_find_entities",outcome="ok"} 3.0\n' in told.text
    # A name that is no method's could be any, and there are many.
    assert 'lcg_calls_total{method="unknown",outcome="not_found"} 1.0\n' in told.text
    assert 'lcg_call_seconds_count{method="knowledge_find_entities"} 3.0\n' in told.text


# -- the end


def test_what_runs_is_answered_before_the_end_and_streams_are_closed(running: RunningHttp) -> None:
    with running.client() as http, running.client() as other:
        session = Session(http)
        with session.stream() as stream, in_background(lambda: session.call("wait", {"seconds": 0.5})) as waiting:
            begins(running, "wait")
            idle = Session(other)
            running.stop()
            assert waiting()["result"]["structuredContent"] == {"waited": True}
            stream.read()
            running.wait_stopped()
            with pytest.raises(httpx2.HTTPError):
                idle.call("echo")
    assert running.service.cancelled == []


@pytest.mark.parametrize("revision", [LEGACY, "2026-07-28"])
def test_who_reads_slowly_gets_the_whole_answer_before_the_end(running: RunningHttp, revision: str) -> None:
    size = 10_000_000
    message, headers = modern(tool_call("text", {"size": size}))
    with running.client() as http:
        if revision == LEGACY:
            message, headers = tool_call("text", {"size": size}), Session(http).headers
        with http.stream("POST", "/mcp", json=message, headers=headers) as answer:
            begins(running, "text")
            running.stop()
            assert not running.stopped.wait(1.5), "it waits for the reader"
            (told,) = events(answer.read().decode())
    assert len(told["result"]["structuredContent"]["text"]) == size
    running.wait_stopped()


def test_a_call_that_lasts_too_long_for_the_end_is_cancelled_and_told_so() -> None:
    with running_http(ALL, stop_timeout_s=1.0) as running, running.client() as http:
        session = Session(http)
        with in_background(lambda: session.call("wait")) as waiting:
            begins(running, "wait")
            running.stop()
            assert waiting()["result"]["structuredContent"]["data"]["kind"] == "cancelled"
        running.wait_stopped()


def test_a_listening_client_of_the_newest_revision_does_not_hold_up_the_end(running: RunningHttp) -> None:
    subscriptions = {"resourceSubscriptions": ["knowledge://status"]}
    message, headers = modern(request("subscriptions/listen", notifications=subscriptions))
    with running.client() as http, http.stream("POST", "/mcp", json=message, headers=headers) as stream:
        lines = stream.iter_lines()
        assert "event: message" in next(lines)
        running.stop()
        told = [json.loads(line[5:]) for line in lines if line.startswith("data:")]
        running.wait_stopped()
    assert "result" in told[-1], "the end of the stream is said"


def test_close_is_answered_and_ends_the_server(running: RunningHttp) -> None:
    with running.client() as http:
        assert Session(http).call("knowledge_close")["result"]["structuredContent"] == {"status": "closed"}
    running.wait_stopped()


def test_a_client_that_sends_no_end_of_its_request_does_not_hold_up_the_end(running: RunningHttp) -> None:
    going = threading.Event()

    def half() -> Iterator[bytes]:
        yield b'{"jsonrpc":"2.0",'
        going.set()
        running.stopped.wait(PATIENCE_S)

    headers = ACCEPTED | {"content-type": "application/json"}
    with running.client() as http, in_background(lambda: http.post("/mcp", content=half(), headers=headers)):
        assert going.wait(PATIENCE_S)
        running.stop()
        running.wait_stopped()


def test_events_are_read_from_both_forms_of_a_response() -> None:
    assert events('{"a":1}') == events('event: message\r\ndata: {"a":1}\r\n\r\n') == [{"a": 1}]


def test_what_keeps_it_from_serving_ends_the_process_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lcg.server.http_front._SERVER", "lcg.server.no_such_module")
    front = HttpFront("127.0.0.1:0", HttpSettings(), ALL, SCOPES, "all")
    front.bind()
    stop = Stop()

    async def main() -> None:
        front.start(CallRunner(FakeService(), TRAITS), stop)
        async with asyncio.timeout(PATIENCE_S):
            await stop.wait()
        await front.stop(1.0)

    asyncio.run(main())
    with pytest.raises(ModuleNotFoundError):
        front.raise_fault()
