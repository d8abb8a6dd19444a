"""Calls that an attached process forwards to a service that breaks, in every way there is."""

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from lcg.server.attached import AttachedService
from lcg.server.framing import MAX_LINE_BYTES
from tests.server.running import PATIENCE_S
from tests.server.scripted_remote import SHORT_MS, Peer, Script, ask, attached, echo, failure, frame

pytestmark = pytest.mark.usefixtures("both_ways")

BIG = "x" * 8_000_000
"""More than a socket takes while nobody reads."""


def unavailable(service: AttachedService, method: str = "echo", **params: Any) -> str:
    error = failure(service, method, **params)
    assert (error.code, error.data["kind"]) == (-32000, "unavailable")
    assert method in error.message
    assert error.data["socket"] in error.message
    return error.message


# -- while the request is written


def hang_up(peer: Peer) -> None:
    """Close at once."""


def hang_up_in_the_middle(peer: Peer) -> None:
    """Close when a part of the request was read."""
    peer.socket.recv(65536)


def test_a_connection_that_was_closed_meanwhile_is_replaced_and_the_request_sent_once(tmp_path: Path) -> None:
    with attached(tmp_path, hang_up, echo) as (service, running):
        assert running.peers[0].ended.wait(PATIENCE_S)
        assert ask(service, name="Ada")["params"]["name"] == "Ada"
        assert [len(requests) for requests in running.requests()] == [0, 1]
        assert running.requests()[1][0]["id"] == 1


def test_a_break_in_the_middle_of_the_request_is_mended_by_one_more_try(tmp_path: Path) -> None:
    with attached(tmp_path, hang_up_in_the_middle, echo) as (service, running):
        assert ask(service, text=BIG)["params"]["text"] == BIG
        assert len(running.peers) == 2


def test_a_second_break_is_reported_with_both_and_a_later_call_tries_again(tmp_path: Path) -> None:
    with attached(tmp_path, hang_up_in_the_middle, hang_up_in_the_middle, echo) as (service, running):
        message = unavailable(service, text=BIG)
        assert "the first connection broke" in message
        assert "so did a new one" in message
        assert len(running.peers) == 2
        ask(service)
        assert len(running.peers) == 3


def test_without_a_listener_the_call_fails_with_the_path_and_a_later_one_tries_again(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with attached(tmp_path, hang_up) as (service, running):
        assert running.peers[0].ended.wait(PATIENCE_S)
        os.rename(path, tmp_path / "away")
        message = unavailable(service)
        assert "connecting again failed (No such file or directory)" in message
        assert "did not take effect" in message
        assert "cannot be reached: No such file or directory" in unavailable(service)
        path.write_text("no socket")
        assert "Connection refused" in unavailable(service)
        os.rename(tmp_path / "away", path)
        running.replace_scripts(echo)
        ask(service)


# -- after the request was written


def test_a_connection_lost_mid_call_is_no_reason_to_send_again(tmp_path: Path) -> None:
    def read_and_hang_up(peer: Peer) -> None:
        peer.request()

    with attached(tmp_path, read_and_hang_up, echo) as (service, running):
        message = unavailable(service, "knowledge_add_episode", text="once")
        assert "connection lost mid-call" in message
        assert "closed" in message
        assert "unknown" in message
        assert ask(service, text="next")["params"]["text"] == "next"
        assert [[r["params"]["text"] for r in requests] for requests in running.requests()] == [["once"], ["next"]]


def half_an_answer(peer: Peer) -> None:
    peer.request()
    peer.write(b'{"jsonrpc":"2.0","id":1,"result":{}}')  # whole, but its line has no end


def frames_then_hang_up(peer: Peer) -> None:
    peer.request()
    peer.send(frame(), frame())


def reset(peer: Peer) -> None:
    """Close with a part of the request unread, which the client is told as a reset."""
    peer.socket.recv(1)


@pytest.mark.parametrize("script", [half_an_answer, frames_then_hang_up, reset])
def test_whatever_came_before_the_break_the_outcome_is_unknown(tmp_path: Path, script: Script) -> None:
    with attached(tmp_path, script, echo) as (service, running):
        assert "connection lost mid-call" in unavailable(service)
        ask(service)
        assert len(running.peers) == 2


def silent(peer: Peer) -> None:
    peer.request()
    peer.request()


def frames_then_silence(peer: Peer) -> None:
    peer.request()
    peer.send(frame(), frame("working"))
    peer.request()


def half_a_line_then_silence(peer: Peer) -> None:
    peer.request()
    peer.write(b'{"jsonrpc":')
    peer.request()


def foreign_answer_then_silence(peer: Peer) -> None:
    peer.request()
    peer.send({"jsonrpc": "2.0", "id": 77, "result": {}})
    peer.request()


@pytest.mark.parametrize("script", [silent, frames_then_silence, half_a_line_then_silence, foreign_answer_then_silence])
def test_silence_ends_the_call_and_its_connection(tmp_path: Path, script: Script) -> None:
    with attached(tmp_path, script, echo, timeout_ms=SHORT_MS) as (service, running):
        message = unavailable(service)
        assert "timed out" in message
        assert f"{SHORT_MS} ms" in message
        assert running.peers[0].ended.wait(PATIENCE_S)
        ask(service)
        assert [len(requests) for requests in running.requests()] == [1, 1]


def test_a_service_that_does_not_read_is_silent_too(tmp_path: Path) -> None:
    done = threading.Event()

    def deaf(peer: Peer) -> None:
        done.wait(PATIENCE_S)

    with attached(tmp_path, deaf, echo, timeout_ms=SHORT_MS) as (service, running):
        assert "timed out" in unavailable(service, text=BIG)
        done.set()
        ask(service)
        assert len(running.peers) == 2


NONSENSE = [
    (b"hello\n", "no JSON", "unavailable"),
    (b"\xff\xfe\n", "no JSON", "unavailable"),
    (b"[]\n", "no JSON object", "unavailable"),
    (b'{"id":1}\n', "neither a result nor an error", "unavailable"),
    (b'{"id":1,"result":[]}\n', "neither a result nor an error", "unavailable"),
    (b'{"id":1,"error":{"code":"x","message":"m"}}\n', "neither a result nor an error", "unavailable"),
    (b'{"id":1,"error":{"code":1}}\n', "neither a result nor an error", "unavailable"),
    (b'{"id":1,"result":"' + b"x" * MAX_LINE_BYTES + b'"}\n', "more than 67,108,864 bytes", "limit"),
]


@pytest.mark.parametrize(("line", "said", "kind"), NONSENSE, ids=[said for _, said, _ in NONSENSE])
def test_nonsense_ends_the_call_and_its_connection(tmp_path: Path, line: bytes, said: str, kind: str) -> None:
    def talk_nonsense(peer: Peer) -> None:
        peer.request()
        peer.write(line)
        peer.request()

    with attached(tmp_path, talk_nonsense, echo) as (service, running):
        error = failure(service)
        assert (error.code, error.data["kind"]) == (-32000, kind)
        assert said in error.message
        assert str(running.path) in error.message
        ask(service)
        assert len(running.peers) == 2
