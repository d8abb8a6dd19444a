"""Calls that an attached process forwards to a service that behaves."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import LcgError
from lcg.runtime.call import Call
from lcg.server.attached import AttachedService, AttachFailed
from lcg.server.framing import MAX_LINE_BYTES
from tests.server.running import PATIENCE_S, eventually
from tests.server.scripted_remote import LONG_MS, SHORT_MS, Peer, ask, attached, echo, failure, frame

pytestmark = pytest.mark.usefixtures("both_ways")

MOST_CONNECTIONS = 8


def test_a_call_is_forwarded_with_its_arguments_as_they_came_and_a_token(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {
        "query": "Ада",
        "group_ids": "one",
        "limit": "5",
        "none": None,
        "big": 2**70,
        "deep": [{"a": []}],
    }
    with attached(tmp_path, echo) as (service, running):
        params = ask(service, "knowledge_find_entities", **arguments)["params"]
    token = params.pop("_progress_token")
    assert token is not None
    assert {**params, "big": int(params["big"])} == arguments
    assert running.requests()[0][0]["jsonrpc"] == "2.0"
    assert running.requests()[0][0]["method"] == "knowledge_find_entities"


def test_missing_arguments_are_forwarded_as_none(tmp_path: Path) -> None:
    with attached(tmp_path, echo) as (service, _):
        assert service.call("echo", None, Call("echo"))["params"].keys() == {"_progress_token"}


def test_calls_in_a_row_use_one_connection_and_count_their_ids_from_one(tmp_path: Path) -> None:
    with attached(tmp_path, echo) as (service, running):
        for _ in range(3):
            ask(service)
        assert [[request["id"] for request in requests] for requests in running.requests()] == [[1, 2, 3]]


def test_an_error_of_the_service_keeps_code_message_and_data(tmp_path: Path) -> None:
    error = {"code": -32602, "message": "query: nothing came.", "data": {"parameter": "query"}}

    def refuse(peer: Peer) -> None:
        peer.send({"jsonrpc": "2.0", "id": peer.request()["id"], "error": error})
        peer.send({"jsonrpc": "2.0", "id": peer.request()["id"], "error": {"code": -7, "message": "no data"}})
        echo(peer)

    with attached(tmp_path, refuse) as (service, running):
        first, second = failure(service), failure(service)
        assert (first.code, first.message, first.data) == (-32602, error["message"], error["data"])
        assert (second.code, second.message, second.data) == (-7, "no data", {})
        ask(service)
        assert len(running.peers) == 1


def test_answers_to_other_requests_are_passed_over(tmp_path: Path) -> None:
    def confused(peer: Peer) -> None:
        request = peer.request()
        for id in (0, 2, "1", None, True, 1.0, [1]):
            peer.send({"jsonrpc": "2.0", "id": id, "result": {"wrong": id}})
        peer.send({"jsonrpc": "2.0", "method": "note"}, {"jsonrpc": "2.0", "result": {"wrong": "no id"}})
        peer.answer(request, right=True)

    with attached(tmp_path, confused) as (service, _):
        assert ask(service) == {"right": True}


def test_a_late_answer_does_not_answer_the_next_call(tmp_path: Path) -> None:
    def twice(peer: Peer) -> None:
        request = peer.request()
        peer.answer(request, number=1)
        peer.answer(request, number="again")
        peer.answer(peer.request(), number=2)

    with attached(tmp_path, twice) as (service, _):
        assert [ask(service), ask(service)] == [{"number": 1}, {"number": 2}]


def test_frames_are_passed_on_and_keep_alives_are_not(tmp_path: Path) -> None:
    def work(peer: Peer) -> None:
        request = peer.request()
        peer.send(frame("working", 0, 0), frame("reading"), frame(processed="many"), frame(total=None), frame())
        peer.answer(request)

    seen: list[Any] = []
    with attached(tmp_path, work) as (service, _):
        service.call("knowledge_rebuild_from_wal", {}, Call("knowledge_rebuild_from_wal", seen.append))
    assert seen == [{"phase": phase, "processed": 1, "total": 2, "message": "m"} for phase in ("reading", "applying")]


def test_frames_that_nobody_asked_for_are_passed_over(tmp_path: Path) -> None:
    def work(peer: Peer) -> None:
        request = peer.request()
        peer.send(frame(), frame("working"))
        peer.answer(request, done=True)

    with attached(tmp_path, work) as (service, _):
        assert ask(service) == {"done": True}


@pytest.mark.parametrize("sign_of_life", [b'{"type":"progress","phase":"working"}\n', b"\n", b'{"id":99}\n'])
def test_every_line_gives_a_long_call_more_time(tmp_path: Path, sign_of_life: bytes) -> None:
    def slow(peer: Peer) -> None:
        request = peer.request()
        for _ in range(10):
            peer.write(sign_of_life)
            time.sleep(SHORT_MS / 1000 / 6)
        peer.answer(request, done=True)

    with attached(tmp_path, slow, timeout_ms=SHORT_MS) as (service, _):
        assert ask(service) == {"done": True}


def test_an_answer_that_comes_bit_by_bit_is_no_silence(tmp_path: Path) -> None:
    def slow(peer: Peer) -> None:
        answer = json.dumps({"jsonrpc": "2.0", "id": peer.request()["id"], "result": {"text": "y" * 14}})
        for start in range(0, len(answer), 4):
            peer.write(answer[start : start + 4].encode())
            time.sleep(SHORT_MS / 1000 / 6)
        peer.write(b"\r\n")

    with attached(tmp_path, slow, timeout_ms=SHORT_MS) as (service, _):
        assert ask(service) == {"text": "y" * 14}


def test_answers_and_requests_of_sixty_mebibytes_pass(tmp_path: Path) -> None:
    size = 60 * 1024 * 1024
    with attached(tmp_path, echo) as (service, _):
        assert len(ask(service, text="x" * size)["params"]["text"]) == size


def test_a_request_over_the_limit_is_refused_here_and_the_connection_stays(tmp_path: Path) -> None:
    with attached(tmp_path, echo) as (service, running):
        assert failure(service, text="x" * MAX_LINE_BYTES).data["kind"] == "limit"
        assert ask(service, text="short")["params"]["text"] == "short"
        assert len(running.peers) == 1


# -- several calls at once


def in_threads(count: int, work: Callable[[int], None]) -> list[threading.Thread]:
    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    return threads


def test_as_many_calls_run_at_once_as_there_are_connections_and_the_next_ones_wait(tmp_path: Path) -> None:
    release = threading.Event()

    def hold(peer: Peer) -> None:
        while (request := peer.request()) is not None:
            assert release.wait(PATIENCE_S)
            peer.answer(request, number=request["params"]["number"])

    answers: dict[int, Any] = {}
    count = 3 * MOST_CONNECTIONS
    with attached(tmp_path, hold) as (service, running):
        threads = in_threads(count, lambda number: answers.update({number: ask(service, number=number)}))
        eventually(lambda: sum(map(len, running.requests())) == MOST_CONNECTIONS)
        assert not answers
        release.set()
        for thread in threads:
            thread.join(PATIENCE_S)
        assert answers == {number: {"number": number} for number in range(count)}
        assert len(running.peers) == MOST_CONNECTIONS
        for requests in running.requests():
            assert [request["id"] for request in requests] == list(range(1, len(requests) + 1))


def test_a_call_that_is_given_up_hangs_up_and_leaves_the_others_alone(tmp_path: Path) -> None:
    def hold_then_echo(peer: Peer) -> None:
        peer.request()
        assert peer.request() is None  # the end of the client's lines

    call = Call("echo")
    errors: list[str] = []

    def given_up(_: int) -> None:
        try:
            service.call("echo", {}, call)
        except LcgError as error:
            errors.append(error.data["kind"])

    with attached(tmp_path, hold_then_echo, echo) as (service, running):
        (thread,) = in_threads(1, given_up)
        eventually(lambda: running.requests()[0] != [])
        assert ask(service, other=1)["params"]["other"] == 1
        call.cancelled.set()
        assert running.peers[0].ended.wait(PATIENCE_S)
        thread.join(PATIENCE_S)
        assert errors == ["cancelled"]
        ask(service)
        assert len(running.peers) == 2


def test_a_call_can_be_given_up_while_it_waits_for_a_connection(tmp_path: Path) -> None:
    def hold(peer: Peer) -> None:
        peer.request()
        peer.request()

    holding = [Call("echo") for _ in range(MOST_CONNECTIONS)]
    waiting = Call("echo")
    errors: list[str] = []

    def run(call: Call) -> None:
        with pytest.raises(LcgError) as caught:
            service.call("echo", {}, call)
        errors.append(caught.value.data["kind"])

    with attached(tmp_path, hold) as (service, running):
        threads = in_threads(MOST_CONNECTIONS, lambda number: run(holding[number]))
        eventually(lambda: sum(map(len, running.requests())) == MOST_CONNECTIONS)
        (thread,) = in_threads(1, lambda _: run(waiting))
        waiting.cancelled.set()
        thread.join(PATIENCE_S)
        assert errors == ["cancelled"]
        for call in holding:
            call.cancelled.set()
        for thread in threads:
            thread.join(PATIENCE_S)


def test_a_closed_service_takes_no_calls_and_has_hung_up(tmp_path: Path) -> None:
    with attached(tmp_path, echo) as (service, running):
        ask(service)
        service.close()
        service.close()
        assert running.peers[0].ended.wait(PATIENCE_S)
        assert failure(service).data["kind"] == "cancelled"


# -- attaching


@pytest.mark.parametrize(
    ("name", "said"),
    [("missing", "No such file or directory"), ("file", "Connection refused"), ("x" * 200, "too long")],
)
def test_attaching_to_nothing_fails_with_the_path(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "file").touch()
    path = str(tmp_path / name)
    with pytest.raises(AttachFailed, match=said) as caught:
        AttachedService(path, LONG_MS).attach()
    assert path in str(caught.value)
    assert "`lcg`" in str(caught.value)


def test_attaching_says_nothing_to_the_service(tmp_path: Path) -> None:
    with attached(tmp_path, echo) as (service, running):
        ask(service)
        assert [[request["method"] for request in requests] for requests in running.requests()] == [["echo"]]
