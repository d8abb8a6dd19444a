"""The first reader of stdin: what it answers, what it hands to the SDK, and that nothing is lost between the two."""

import asyncio
import json
import os
import sys
import time
from typing import Any

import pytest

from lcg.server.mcp_lists import HANDSHAKE_VERSIONS, MODERN_VERSION
from tests.server.fake_service import FakeService
from tests.server.stdio_peer import MODERN, Peer, serve


@pytest.fixture
def slow_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the SDK take a while to load, as it does in a process of its own."""
    import lcg.server.mcp_sdk as loaded

    class Slow:
        @property
        def SdkSession(self) -> Any:
            time.sleep(0.3)
            return loaded.SdkSession

    monkeypatch.setitem(sys.modules, "lcg.server.mcp_sdk", Slow())


def test_handshake_lists_and_calls_need_no_sdk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lcg.server.mcp_sdk", None)  # importing it fails

    async def conversation(peer: Peer) -> None:
        peer.handshake()
        peer.send("ping", id=1)
        peer.send("tools/list", id=2)
        peer.call(3, a=1)
        peer.call(4, "no_such_tool")
        found = await peer.answers(5)
        assert found["handshake"]["result"]["protocolVersion"] == "2025-11-25"
        assert found[1]["result"] == {}
        assert len(found[2]["result"]["tools"]) == 43
        expected = {"method": "knowledge_status", "params": {"a": 1}}
        assert found[3]["result"]["structuredContent"] == expected
        assert json.loads(found[3]["result"]["content"][0]["text"]) == expected
        assert found[3]["result"]["isError"] is False
        assert (found[4]["error"]["code"], found[4]["error"]["data"]["tool"]) == (-32602, "no_such_tool")

    assert serve(conversation) == []


@pytest.mark.parametrize("version", [*HANDSHAKE_VERSIONS, MODERN_VERSION])
def test_what_needs_the_sdk_is_answered_in_the_session_that_began_without_it(version: str) -> None:
    meta = {"_meta": MODERN} if version == MODERN_VERSION else {}

    async def conversation(peer: Peer) -> None:
        if version == MODERN_VERSION:
            peer.send("server/discover", meta, id="handshake")
        else:
            peer.handshake(version)
        peer.send("tools/list", meta, id=1)
        peer.send("prompts/get", {"name": "recall", "arguments": {"topic": "x"}} | meta, id=2)
        peer.send("resources/read", {"uri": "knowledge://guide"} | meta, id=3)
        peer.send("no/such", meta, id=4)
        found = await peer.answers(5)
        assert "x" in found[2]["result"]["messages"][0]["content"]["text"]
        assert found[3]["result"]["contents"][0]["uri"] == "knowledge://guide"
        assert found[4]["error"]["code"] == -32601
        peer.call(5, meta=meta.get("_meta"))
        assert (await peer.line())["result"]["isError"] is False

    assert serve(conversation) == []


@pytest.mark.usefixtures("slow_sdk")
def test_requests_that_come_while_the_sdk_loads_are_answered_each_once_and_in_order() -> None:
    async def conversation(peer: Peer) -> None:
        peer.handshake()
        for number in range(40):
            peer.send("no/such", id=f"sdk {number}")
            peer.send("ping", id=f"ping {number}")
            peer.call(f"call {number}")
        found = await peer.answers(121)
        order = list(found)
        # What needs no SDK does not wait for it.
        assert max(order.index(f"call {number}") for number in range(40)) < order.index("sdk 0")
        assert [id for id in order if id.startswith("sdk")] == [f"sdk {number}" for number in range(40)]

    assert serve(conversation) == []


@pytest.mark.usefixtures("slow_sdk")
def test_any_number_of_notifications_and_stray_answers_passes_while_the_sdk_loads() -> None:
    async def conversation(peer: Peer) -> None:
        peer.handshake()
        peer.send("no/such", id=1)
        for _ in range(3000):
            await asyncio.to_thread(peer.send, "notifications/progress", {"progressToken": 1, "progress": 1})
        os.write(peer.feed, b'{"jsonrpc":"2.0","id":99,"result":{}}\n')
        peer.send("ping", id=2)
        assert set(await peer.answers(3)) == {"handshake", 1, 2}

    assert serve(conversation) == []


@pytest.mark.usefixtures("slow_sdk")
def test_the_end_of_input_while_the_sdk_loads_loses_no_answer() -> None:
    async def conversation(peer: Peer) -> None:
        peer.handshake()
        peer.send("prompts/get", {"name": "recall", "arguments": {"topic": "x"}}, id=1)
        peer.call(2)

    assert sorted(str(message["id"]) for message in serve(conversation)) == ["1", "2", "handshake"]


@pytest.mark.usefixtures("slow_sdk")
def test_bad_lines_are_answered_at_once_also_while_the_sdk_loads() -> None:
    async def conversation(peer: Peer) -> None:
        peer.handshake()
        await peer.line()
        peer.send("prompts/get", {"name": "no such"}, id=1)
        os.write(peer.feed, b"{\n[]\n")
        first, second, third = [await peer.line() for _ in range(3)]
        assert [first["error"]["code"], second["error"]["code"], third["id"]] == [-32700, -32600, 1]

    assert serve(conversation) == []


@pytest.mark.usefixtures("slow_sdk")
def test_a_request_that_waits_for_the_sdk_can_be_cancelled() -> None:
    async def conversation(peer: Peer) -> None:
        peer.handshake()
        peer.send("subscriptions/listen", {}, id=1)
        peer.send("resources/read", {"uri": "knowledge://schema"}, id=2)
        peer.send("notifications/cancelled", {"requestId": 2})
        peer.send("prompts/get", {"name": "recall", "arguments": {"topic": "x"}}, id=3)
        assert "result" in (await peer.answers(3))[3]

    assert serve(conversation, FakeService(ready=False)) == []


def test_a_session_without_a_handshake_is_refused_and_can_begin_anew() -> None:
    async def conversation(peer: Peer) -> None:
        peer.send("tools/list", id=1)
        assert "`initialize`" in (await peer.line())["error"]["message"]
        peer.handshake()
        peer.send("tools/list", id=2)
        peer.call(3)
        found = await peer.answers(3)
        assert len(found[2]["result"]["tools"]) == 43
        assert found[3]["result"]["isError"] is False

    assert serve(conversation) == []


@pytest.mark.parametrize("named", [1, "1"])
def test_a_cancelled_call_is_told_so_and_not_answered(named: Any) -> None:
    service = FakeService(ready=False)

    async def conversation(peer: Peer) -> None:
        peer.handshake()
        await peer.line()
        peer.call(1, "knowledge_find_entities")
        peer.send("notifications/cancelled", {"requestId": named})
        peer.call(2, "knowledge_find_entities")
        peer.send("notifications/cancelled", {"requestId": "of nobody"})
        await asyncio.sleep(0.05)
        service.ready.set()
        assert (await peer.line())["id"] == 2

    assert serve(conversation, service) == []


@pytest.mark.parametrize("named", [None, True, 1.5, [], {}])
def test_a_cancellation_that_names_no_request_cancels_none(named: Any) -> None:
    service = FakeService(ready=False)

    async def conversation(peer: Peer) -> None:
        peer.handshake()
        await peer.line()
        for id in ("", 1):
            peer.call(id, "knowledge_find_entities")
        peer.send("notifications/cancelled", {"requestId": named})
        await asyncio.sleep(0.05)
        service.ready.set()
        assert (await peer.answers(2)).keys() == {"", 1}

    assert serve(conversation, service) == []


HUGE = [2**63, 2**64, -(2**63) - 1, 2**70 + 1, 10**300]


@pytest.mark.parametrize("id", HUGE)
def test_integers_of_any_size_are_ids_with_and_without_the_sdk(id: int) -> None:
    async def conversation(peer: Peer) -> None:
        peer.handshake()
        await peer.line()
        for method, params in (("ping", {}), ("prompts/get", {"name": "recall", "arguments": {"topic": "x"}})):
            peer.send(method, params, id=id)
            answer = await peer.line()
            assert answer["id"] == id and "result" in answer
        peer.call(1, "knowledge_rebuild_from_wal", {"progressToken": id})
        assert (await peer.line())["params"]["progressToken"] == id
        while "id" not in await peer.line():
            pass

    assert serve(conversation) == []


@pytest.mark.parametrize("id", HUGE)
def test_calls_with_ids_of_any_size_can_be_cancelled(id: int) -> None:
    service = FakeService(ready=False)

    async def conversation(peer: Peer) -> None:
        peer.handshake()
        await peer.line()
        peer.call(id, "knowledge_find_entities")
        peer.send("notifications/cancelled", {"requestId": id})
        peer.call(2, "knowledge_find_entities")
        await asyncio.sleep(0.05)
        service.ready.set()
        assert (await peer.line())["id"] == 2

    assert serve(conversation, service) == []


def test_a_call_that_the_end_cuts_off_is_told_so() -> None:
    class Deaf(FakeService):
        def call(self, method: str, params: Any, call: Any) -> dict[str, Any]:
            time.sleep(1.0)
            return {}

    async def conversation(peer: Peer) -> None:
        peer.handshake()
        await peer.line()
        peer.call(1, "knowledge_find_entities")
        await asyncio.sleep(0.05)

    (cut,) = serve(conversation, Deaf(), timeout_s=0.2)
    assert (cut["id"], cut["error"]["message"]) == (1, "Connection closed")


@pytest.mark.parametrize("token", [0, "t"])
@pytest.mark.parametrize("modern", [False, True])
def test_progress_comes_before_the_result_in_both_eras(token: Any, modern: bool) -> None:
    meta = {"progressToken": token} | (MODERN if modern else {})

    async def conversation(peer: Peer) -> None:
        if not modern:
            peer.handshake()
            await peer.line()
        peer.call(1, "knowledge_rebuild_from_wal", meta=meta, total=3, pause=0.01)
        *notes, result = [await peer.line()]
        while "method" in result:
            notes.append(result["params"])
            result = await peer.line()
        assert result["result"]["structuredContent"]["done"] == 6
        assert {note["progressToken"] for note in notes} == {token}
        assert (notes[-1]["progress"], notes[-1]["total"]) == (6, 6)
        if modern:
            assert result["result"]["resultType"] == "complete"

    assert serve(conversation) == []


def test_a_write_of_a_call_reaches_those_who_subscribed_through_the_sdk() -> None:
    class Changing(FakeService):
        def call(self, method: str, params: Any, call: Any) -> dict[str, Any]:
            self.rebuilt += method == "knowledge_assert_entity"
            return {"wal_groups": {"default": self.rebuilt}}

    async def conversation(peer: Peer) -> None:
        peer.handshake()
        peer.send("resources/subscribe", {"uri": "knowledge://groups"}, id=1)
        await peer.answers(2)
        peer.call(2, "knowledge_assert_entity")
        told = [await peer.line(), await peer.line()]
        assert {message.get("method") for message in told} == {None, "notifications/resources/updated"}

    assert serve(conversation, Changing()) == []


def test_a_fault_of_ours_says_nothing_secret() -> None:
    class Faulty(FakeService):
        def call(self, method: str, params: Any, call: Any) -> dict[str, Any]:
            raise ValueError("secret of the engine")

    async def conversation(peer: Peer) -> None:
        peer.handshake()
        await peer.line()
        peer.call(1)
        answer = await peer.line()
        assert answer["result"]["isError"] is True
        assert answer["result"]["structuredContent"]["code"] == -32603
        assert "secret" not in json.dumps(answer)

    assert serve(conversation, Faulty()) == []


def test_without_the_sdk_what_needs_it_ends_the_process_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lcg.server.mcp_sdk", None)

    async def conversation(peer: Peer) -> None:
        peer.handshake()
        await peer.line()
        peer.send("prompts/get", {"name": "recall"}, id=1)

    with pytest.raises(ImportError):
        serve(conversation, timeout_s=0.5)


@pytest.mark.parametrize("stray", [b'{"jsonrpc":"2.0","id":99,"error":5}', b'{"jsonrpc":"1.0","id":99,"result":{}}'])
def test_an_answer_that_is_none_is_refused_and_keeps_nothing_due(stray: bytes) -> None:
    async def conversation(peer: Peer) -> None:
        peer.handshake()
        await peer.line()
        os.write(peer.feed, stray + b"\n")
        answer = await peer.line()
        assert (answer["id"], answer["error"]["code"]) == (None, -32600)

    assert serve(conversation, timeout_s=60.0) == []  # and it ends long before that
