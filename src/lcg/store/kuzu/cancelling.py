"""Stops queries whose callers give up.

One thread looks after all of them. With a thread for each, a query that takes all the memory there is could keep the
thread of the next one from starting, and whoever starts it would wait for ever.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from lcg.runtime.threads import started
from lcg.store.kuzu.engine import Session

_LOOK_SECONDS = 0.05


class Canceller:
    """Interrupts sessions whose callers have given up. Safe from any thread."""

    def __init__(self) -> None:
        self._watched: dict[object, tuple[Session, threading.Event]] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @contextmanager
    def watching(self, session: Session, cancelled: threading.Event | None) -> Iterator[None]:
        """Interrupt what runs on the session during a `with` block once the event is set; never after it."""
        if cancelled is None:
            yield
            return
        key = object()
        with self._changed:
            if self._thread is None:
                self._thread = started("lcg-cancel", self._look)
            self._watched[key] = (session, cancelled)
            self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                del self._watched[key]

    def _look(self) -> None:
        while True:
            with suppress(Exception), self._changed:
                if not self._watched:
                    self._changed.wait()
                self._changed.wait(_LOOK_SECONDS)
                for session, cancelled in self._watched.values():
                    # Again and again: what begins to run later does not notice an earlier interrupt.
                    if cancelled.is_set():
                        session.interrupt()


canceller = Canceller()
