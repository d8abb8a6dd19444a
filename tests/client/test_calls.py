"""Both clients against a service that is a script: what they send, and what becomes of every kind of answer."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lcg import client
from lcg.client import AsyncClient, Client, ClientError, OutcomeUnknown, Unreachable
from lcg.client.errors import failure
from lcg.generated.errors import ErrorCode
from tests.server.fake_service import FakeService
from tests.server.running import eventually, running_server
from tests.server.scripted_remote import Peer, echo, frame, remote

Call = Callable[..., Any]


def call_sync(path: Path, method: str, params: Any = None, on_progress: Any = None, timeout_s: float = 20) -> Any:
    with Client(path, timeout_s=timeout_s) as graph:
        return graph.call(method, params, on_progress)


def call_async(path: Path, method: str, params: Any = None, on_progress: Any = None, timeout_s: float = 20) -> Any:
    async def main() -> Any:
        async with AsyncClient(path, timeout_s=timeout_s) as graph:
            return await graph.call(method, params, on_progress)

    return asyncio.run(main())


both = pytest.mark.parametrize("call", [call_sync, call_async])


def hang_up_after(requests: int) -> Callable[[Peer], None]:
    def script(peer: Peer) -> None:
        for _ in range(requests):
            request = peer.request()
            if request is not None:
                peer.answer(request, method=request["method"])

    return script


def read_and_hang_up(peer: Peer) -> None:
    peer.request()


@both
def test_a_call_goes_out_as_it_was_made_and_its_result_comes_back(tmp_path: Path, call: Call) -> None:
    with remote(tmp_path / "s", echo):
        answer = call(tmp_path / "s", "knowledge_find_entities", {"query": "ж", "group_ids": ["a"]})
    assert answer["method"] == "knowledge_find_entities"
    assert {**answer["params"], "_progress_token": 0} == {"query": "ж", "group_ids": ["a"], "_progress_token": 0}


@both
@pytest.mark.parametrize("code", [*ErrorCode, -32050])
def test_an_error_is_an_exception_of_its_own_class_with_all_that_came(tmp_path: Path, call: Call, code: int) -> None:
    def refuse(peer: Peer) -> None:
        request = peer.request()
        error = {"code": code, "message": "No such thing.", "data": {"kind": "not_found", "name": "Ada"}}
        peer.send({"jsonrpc": "2.0", "id": request["id"], "error": error})
        peer.request()

    with remote(tmp_path / "s", refuse), pytest.raises(client.CallFailed) as caught:
        call(tmp_path / "s", "x")
    error = caught.value
    assert type(error) is type(failure(code, "", {}))
    assert (error.code, error.message, str(error)) == (code, "No such thing.", "No such thing.")
    assert (error.kind, error.data) == ("not_found", {"kind": "not_found", "name": "Ada"})


def test_every_code_that_a_sound_request_can_meet_has_a_class_of_its_own() -> None:
    of_the_line = {ErrorCode.PARSE_ERROR, ErrorCode.INVALID_REQUEST}
    classes = [type(failure(code, "", {})) for code in ErrorCode if code not in of_the_line]
    assert client.CallFailed not in classes
    assert len(set(classes)) == len(classes)
    assert all(getattr(client, found.__name__) is found for found in classes)


@both
def test_where_nobody_serves_the_call_did_not_take_effect(tmp_path: Path, call: Call) -> None:
    with pytest.raises(Unreachable, match="did not take effect") as caught:
        call(tmp_path / "nobody", "knowledge_status")
    assert "knowledge_status" in caught.value.message
    assert str(tmp_path / "nobody") in caught.value.message


@both
def test_what_a_lost_service_made_of_a_call_is_unknown_and_it_is_not_repeated(tmp_path: Path, call: Call) -> None:
    with remote(tmp_path / "s", read_and_hang_up) as service, pytest.raises(OutcomeUnknown, match="Look whether"):
        call(tmp_path / "s", "knowledge_clear_all")
    assert [request["method"] for sent in service.requests() for request in sent] == ["knowledge_clear_all"]


@both
def test_silence_ends_a_call(tmp_path: Path, call: Call) -> None:
    def say_nothing(peer: Peer) -> None:
        while peer.request() is not None:
            pass

    with remote(tmp_path / "s", say_nothing), pytest.raises(OutcomeUnknown, match=r"timed out.*silent for 0\.3 s"):
        call(tmp_path / "s", "knowledge_status", timeout_s=0.3)


@both
def test_nonsense_is_no_answer(tmp_path: Path, call: Call) -> None:
    def talk_nonsense(peer: Peer) -> None:
        peer.request()
        peer.write(b"<html>\n")
        peer.request()

    with remote(tmp_path / "s", talk_nonsense), pytest.raises(OutcomeUnknown, match="no JSON"):
        call(tmp_path / "s", "knowledge_status")


def test_a_call_after_a_restart_goes_to_the_new_service(tmp_path: Path) -> None:
    with Client(tmp_path / "s") as graph:
        for method in ("before", "after"):
            with remote(tmp_path / "s", hang_up_after(1)) as service:
                assert graph.call(method) == {"method": method}
                eventually(service.peers[0].ended.is_set)
        with pytest.raises(Unreachable):
            graph.call("between")
        with remote(tmp_path / "s", hang_up_after(1)):
            assert graph.call("again") == {"method": "again"}


@both
def test_frames_reach_the_callback_before_the_result_and_keep_alives_do_not(tmp_path: Path, call: Call) -> None:
    def report(peer: Peer) -> None:
        request = peer.request()
        peer.send(frame(), {**frame(), "phase": "working"}, frame(processed=2))
        peer.answer(request, done=True)
        peer.request()

    seen: list[Any] = []
    with remote(tmp_path / "s", report):
        assert call(tmp_path / "s", "knowledge_rebuild_from_wal", None, seen.append) == {"done": True}
    assert [found["processed"] for found in seen] == [1, 2]


def test_what_a_callback_raises_ends_the_call_here_and_in_the_service(tmp_path: Path) -> None:
    def fail(_: Any) -> None:
        raise KeyError("mine")

    service = FakeService()
    with running_server(tmp_path / "s", service), Client(tmp_path / "s") as graph:
        with pytest.raises(KeyError, match="mine"):
            graph.call("knowledge_rebuild_from_wal", {"total": 1000, "pause": 0.01}, fail)
        eventually(lambda: service.cancelled == ["knowledge_rebuild_from_wal"])
        assert graph.call("echo")["method"] == "echo"


def test_a_task_that_is_cancelled_stops_the_call_in_the_service(tmp_path: Path) -> None:
    service = FakeService()

    async def main() -> None:
        async with AsyncClient(tmp_path / "s") as graph:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await graph.call("wait", {"seconds": 60})
            assert (await graph.call("echo"))["method"] == "echo"

    with running_server(tmp_path / "s", service):
        asyncio.run(main())
        eventually(lambda: service.cancelled == ["wait"])


def test_many_calls_at_once_each_get_their_own_answer(tmp_path: Path) -> None:
    async def main() -> list[Any]:
        async with AsyncClient(tmp_path / "s") as graph:
            answers: list[Any] = await asyncio.gather(*(graph.call("echo", {"n": n}) for n in range(50)))
            return answers

    with running_server(tmp_path / "s"):
        assert [answer["params"]["n"] for answer in asyncio.run(main())] == list(range(50))


def test_threads_share_a_client(tmp_path: Path) -> None:
    answers: list[int] = []

    def ask(graph: Client, n: int) -> None:
        answers.append(graph.call("echo", {"n": n})["params"]["n"])

    with running_server(tmp_path / "s"), Client(tmp_path / "s") as graph:
        threads = [threading.Thread(target=ask, args=(graph, n)) for n in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(answers) == list(range(20))


def test_a_closed_client_calls_nobody(tmp_path: Path) -> None:
    with running_server(tmp_path / "s"):
        graph = Client(tmp_path / "s")
        graph.close()
        graph.close()
        with pytest.raises(ClientError, match="cancelled"):
            graph.call("echo")


def test_a_request_that_is_too_long_for_a_line_is_not_sent(tmp_path: Path) -> None:
    with remote(tmp_path / "s", echo) as service, Client(tmp_path / "s") as graph:
        with pytest.raises(client.OperationFailed) as caught:
            graph.call("echo", {"text": "x" * (64 * 1024 * 1024)})
        assert caught.value.kind == "limit"
        assert [sent for sent in service.requests() if sent] == []
        assert graph.call("echo")["method"] == "echo"
