"""A service that opens while others are served: who calls it waits, and hears why when it does not open."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from lcg.errors import OperationFailed
from lcg.runtime.call import Call, Service
from lcg.server.late_service import LateService
from tests.server.fake_service import FakeService


class Opening:
    """What opens a fake service, when the test lets it."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.service = FakeService()
        self.may = threading.Event()
        self.times = 0
        self.failed: list[str] = []
        self._failure = failure

    def __call__(self) -> Service:
        self.times += 1
        assert self.may.wait(20)
        if self._failure is not None:
            raise self._failure
        return self.service


def test_calls_that_come_early_wait_and_it_is_opened_once() -> None:
    opening = Opening()
    late = LateService(opening, opening.failed.append)
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(late.call, "echo", {"n": n}, Call("echo")) for n in range(8)]
        late.begin()
        assert not late.answers_at_once("at_once")
        assert not late.works_unasked()
        assert opening.service.seen == []
        opening.may.set()
        assert [call.result(20)["params"]["n"] for call in calls] == list(range(8))
    assert opening.times == 1
    assert late.answers_at_once("at_once")
    late.close()
    assert opening.service.closed == 1
    late.raise_failure()


def test_a_call_that_is_given_up_waits_no_longer() -> None:
    opening = Opening()
    late = LateService(opening, opening.failed.append)
    call = Call("echo")
    threading.Timer(0.1, call.cancelled.set).start()
    with pytest.raises(OperationFailed, match="cancelled"):
        late.call("echo", {}, call)
    assert opening.service.seen == []
    opening.may.set()
    assert late.call("echo", {}, Call("echo"))["method"] == "echo"


def test_one_that_nobody_began_is_closed_without_being_opened() -> None:
    opening = Opening()
    late = LateService(opening, opening.failed.append)
    late.close()
    late.begin()
    assert (opening.times, opening.service.closed) == (0, 0)
    late.raise_failure()


def test_one_that_cannot_be_opened_says_so_to_every_caller_and_to_whoever_serves() -> None:
    opening = Opening(RuntimeError("no owner can be reached"))
    late = LateService(opening, opening.failed.append)
    late.begin()
    opening.may.set()
    for _ in range(2):
        with pytest.raises(OperationFailed, match="echo: no owner can be reached"):
            late.call("echo", {}, Call("echo"))
    assert len(opening.failed) == 1
    assert not late.answers_at_once("at_once")
    assert not late.works_unasked()
    late.close()
    with pytest.raises(RuntimeError, match="no owner"):
        late.raise_failure()
