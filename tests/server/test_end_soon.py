"""A process that can go no further ends as if it had been asked to, after the answer."""

import os
import signal
import threading

import pytest

from lcg.server import lifecycle


def test_a_process_ends_itself_by_the_signal_that_ends_it_cleanly(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, int]] = []
    done = threading.Event()

    def kill(pid: int, number: int) -> None:
        sent.append((pid, number))
        done.set()

    monkeypatch.setattr(os, "kill", kill)
    lifecycle.end_soon()
    assert sent == []
    assert done.wait(30)
    assert sent == [(os.getpid(), signal.SIGTERM)]
