"""Which calls of an attached process are made in the event loop."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lcg.server.attached import AttachedService
from tests.server import scripted_remote
from tests.server.running import PATIENCE_S, eventually
from tests.server.scripted_remote import SHORT_MS, InLoop, Peer, ask, attached, echo, failure, frame


@pytest.fixture(autouse=True)
def in_the_loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(scripted_remote, "KINDS", [InLoop])
    yield


def begun(service: AttachedService) -> list[str]:
    assert isinstance(service, InLoop)
    return service.begun


def test_a_plain_call_over_a_connection_that_stands_ready_needs_no_thread(tmp_path: Path) -> None:
    with attached(tmp_path, echo) as (service, _):
        for number in range(3):
            assert ask(service, "echo", number=number)["params"]["number"] == number
        assert begun(service) == ["echo"] * 3


def test_a_long_request_is_left_to_a_thread_and_the_connection_is_used_again(tmp_path: Path) -> None:
    with attached(tmp_path, echo) as (service, running):
        assert ask(service, "long", text="x" * 100_000)["params"]["text"] == "x" * 100_000
        ask(service, "short")
        assert begun(service) == ["short"]
        assert [[request["id"] for request in requests] for requests in running.requests()] == [[1, 2]]


def test_after_a_failure_the_connection_is_hung_up_and_the_next_call_dials_in_a_thread(tmp_path: Path) -> None:
    def nonsense(peer: Peer) -> None:
        peer.request()
        peer.write(b"nonsense\n")
        assert peer.request() is None

    with attached(tmp_path, nonsense, echo) as (service, running):
        assert "no JSON" in failure(service, "first").message
        assert running.peers[0].ended.wait(PATIENCE_S)
        ask(service, "second")
        ask(service, "third")
        assert begun(service) == ["first", "third"]


def test_silence_counts_from_the_last_byte(tmp_path: Path) -> None:
    def slow(peer: Peer) -> None:
        request = peer.request()
        for number in range(4):
            peer.ended.wait(SHORT_MS * 0.6 / 1000)
            peer.send(frame(processed=number))
        peer.answer(request, right=True)
        peer.request()
        peer.request()

    with attached(tmp_path, slow, timeout_ms=SHORT_MS) as (service, running):
        assert ask(service, "first") == {"right": True}
        assert "silent" in failure(service, "second").message
        assert begun(service) == ["first", "second"]
        eventually(running.peers[0].ended.is_set)
