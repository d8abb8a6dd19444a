"""A bounded cache of rows, so that a search does not read its ten rows from the engine again and again.

A reader that misses may be overtaken by a commit while it reads. It therefore notes the epoch before reading, and
what it read is kept only if no commit came between.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

RowT = TypeVar("RowT")


class RowCache(Generic[RowT]):
    """Rows of one table by uuid; the oldest entries go first."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._rows: dict[str, RowT] = {}
        self._epoch = 0
        self._lock = threading.Lock()

    def fetch(self, uuids: Iterable[str], read: Callable[[list[str]], Mapping[str, RowT]]) -> dict[str, RowT]:
        """Return rows by uuid, reading those that are not cached. Rows that do not exist are left out."""
        with self._lock:
            epoch = self._epoch
            wanted = list(dict.fromkeys(uuids))
            found = {uuid: self._rows[uuid] for uuid in wanted if uuid in self._rows}
        missing = [uuid for uuid in wanted if uuid not in found]
        if missing:
            fresh = read(missing)
            found.update(fresh)
            with self._lock:
                if epoch == self._epoch:
                    self._rows.update(fresh)
                    self._trim()
        return found

    def commit(self, changes: Mapping[str, RowT | None]) -> None:
        """Take over what a transaction changed (None: the row is gone)."""
        with self._lock:
            self._epoch += 1
            for uuid, row in changes.items():
                if row is None:
                    self._rows.pop(uuid, None)
                else:
                    self._rows[uuid] = row
            self._trim()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._epoch += 1
            self._rows.clear()

    def _trim(self) -> None:
        excess = len(self._rows) - self._capacity
        if excess > 0:
            for uuid in list(self._rows)[: excess + self._capacity // 10]:
                del self._rows[uuid]
