"""Turns at something that only so many may have at a time, with a bound also on how many wait."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LOOK_SECONDS = 0.05


class TooManyWait(Exception):
    """As many wait already as may wait."""


class NoTurn(Exception):
    """The turn did not come in time."""


class GivenUp(Exception):
    """Whoever waited was told to stop."""


class Turns:
    """Gives turns to threads. Who waits holds a thread that others may need, so few may wait.

    Args:
        at_a_time: how many have a turn at once.
        most_waiting: how many may wait for one.
    """

    def __init__(self, at_a_time: int, most_waiting: int) -> None:
        self.free = at_a_time
        self.waiting = 0
        self._most_waiting = most_waiting
        self._changed = threading.Condition()

    @contextmanager
    def take(self, seconds: float, cancelled: threading.Event) -> Iterator[None]:
        """Have a turn for the length of a `with` block; waits at most `seconds` for it.

        Raises:
            TooManyWait, NoTurn, GivenUp: there is no turn.
        """
        self._wait(seconds, cancelled)
        try:
            yield
        finally:
            with self._changed:
                self.free += 1
                self._changed.notify()

    def _wait(self, seconds: float, cancelled: threading.Event) -> None:
        deadline = time.monotonic() + seconds
        with self._changed:
            if not self.free and self.waiting >= self._most_waiting:
                raise TooManyWait
            self.waiting += 1
            try:
                while not self.free:
                    if cancelled.is_set():
                        raise GivenUp
                    left = deadline - time.monotonic()
                    if left <= 0:
                        raise NoTurn
                    self._changed.wait(min(left, _LOOK_SECONDS))
                self.free -= 1
            finally:
                self.waiting -= 1
