"""Vectors on their way into the cache: learned and not saved yet, and which saved ones were asked for."""

import threading
from collections.abc import Iterable, Mapping

from lcg.search.protocol import Vector


class Learned:
    """What the next write to the cache is to take along, by key. Safe from any thread."""

    def __init__(self) -> None:
        self._vectors: dict[bytes, Vector] = {}
        self._used: set[bytes] = set()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._vectors)

    def add(self, vectors: Mapping[bytes, Vector]) -> None:
        """Take in vectors."""
        with self._lock:
            self._vectors |= vectors

    def found(self, keys: Iterable[bytes]) -> dict[bytes, Vector]:
        """Return those of these vectors that wait here."""
        with self._lock:
            return {key: self._vectors[key] for key in keys if key in self._vectors}

    def note_use(self, keys: Iterable[bytes]) -> None:
        """Note that saved vectors were asked for."""
        with self._lock:
            self._used.update(keys)

    def waiting(self) -> tuple[dict[bytes, Vector], set[bytes]]:
        """Return the vectors to save and the keys that were asked for; `drop` them once that is done."""
        with self._lock:
            return dict(self._vectors), set(self._used)

    def drop(self, vectors: Iterable[bytes], used: Iterable[bytes]) -> None:
        """Forget what was saved."""
        with self._lock:
            for key in vectors:
                self._vectors.pop(key, None)
            self._used.difference_update(used)
