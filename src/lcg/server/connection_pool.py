"""A few connections shared by many threads: one call each at a time, dialled when they are needed."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.server.socket_client import ServiceConnection

MOST_CONNECTIONS: Final = 8
_LOOK_S: Final = 0.05

Dial = Callable[[threading.Event], ServiceConnection]
"""Makes a connection, unless the event is set meanwhile."""


class Lease:
    """The right to one connection for the length of one call."""

    def __init__(self, held: ServiceConnection | None, dial: Dial, cancelled: threading.Event) -> None:
        self.held = held
        self._dial = dial
        self._cancelled = cancelled

    def connection(self) -> ServiceConnection:
        """Return a connection that was not closed yet, as far as is known; dials when there is none.

        Raises:
            DialFailed, OperationFailed: as `ServiceConnection.dial`.
        """
        if self.held is None or self.held.closed:
            self.held = self._dial(self._cancelled)
        return self.held


class ConnectionPool:
    """Lends connections; a caller waits while all are lent."""

    def __init__(self, dial: Dial, size: int = MOST_CONNECTIONS) -> None:
        self._dial = dial
        self._free = size
        self._idle: list[ServiceConnection] = []
        self._changed = threading.Condition()
        self._closed = False

    @contextmanager
    def lease(self, cancelled: threading.Event) -> Iterator[Lease]:
        """Hold one place of the pool. What is connected at the end, and not closed, is kept for the next call.

        Raises:
            OperationFailed: `cancelled`, while waiting for a place, or because the pool is closed.
        """
        lease = Lease(self._take(cancelled), self._dial, cancelled)
        try:
            yield lease
        finally:
            self.give_back(lease.held)

    def take_idle(self) -> ServiceConnection | None:
        """Hold a place with a connection that is idle now, until `give_back`; None when there is none. Never waits."""
        with self._changed:
            if self._closed or not (self._free and self._idle):
                return None
            self._free -= 1
            return self._idle.pop()

    def close(self) -> None:
        """Close what is idle now, and everything else as soon as its call ends. Safe to call twice."""
        with self._changed:
            self._closed = True
            idle, self._idle = self._idle, []
            self._changed.notify_all()
        for connection in idle:
            connection.close()

    def _take(self, cancelled: threading.Event) -> ServiceConnection | None:
        with self._changed:
            while not (self._closed or cancelled.is_set()):
                if self._free:
                    self._free -= 1
                    return self._idle.pop() if self._idle else None
                self._changed.wait(_LOOK_S)
        raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled")

    def give_back(self, connection: ServiceConnection | None) -> None:
        """Give up a place. A connection that is not closed is kept for the next call."""
        with self._changed:
            self._free += 1
            keep = connection is not None and not connection.closed and not self._closed
            if keep and connection is not None:
                self._idle.append(connection)
            self._changed.notify()
        if connection is not None and not keep:
            connection.close()
