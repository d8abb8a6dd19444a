"""A bound of the memory that the process may take while queries of callers run.

What the engine makes outside its buffer pool (long lists, texts, the values of an answer) has no bound of its own, and
one query could take all the machine has. Under this bound its allocations fail instead, and it ends as a `limit`.

It is the last resort: while one query is at the bound, what another one or anybody else asks for fails too, and neither
the engine nor its binding looks everywhere whether it got what it asked for. That can end the process, which the log
survives, but not the machine. So what can be known before is refused before (see `sizes`).

Linux only: elsewhere the system has no such bound, or none that counts what the engine maps.
"""

import resource
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lcg.store.kuzu.machine import memory_bytes, pool_bytes

MOST_BYTES = 4 << 30
SHARE = 4
_STATM = Path("/proc/self/statm")
_DATA = 5
"""Place of the number of pages that the process may write and does not share, in that file."""


def spare_bytes() -> int:
    """Return how much more the process may take while queries run.

    That is a quarter of the machine's memory, within a bound, beside all of the buffer pool: where the engine may take
    something from its pool and the system refuses that, the engine ends the process.
    """
    return pool_bytes() + min(MOST_BYTES, memory_bytes() // SHARE)


class MemoryBound:
    """The bound of this process. Everything in it is bound while a query runs, so it is wide, and lifted in between."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._queries = 0
        self._usual: tuple[int, int] | None = None

    @contextmanager
    def bounded(self) -> Iterator[None]:
        """Bound the process for the length of a `with` block. Blocks of several threads share the first one's bound."""
        with self._lock:
            self._queries += 1
            if self._queries == 1:
                self._bind()
        try:
            yield
        finally:
            with self._lock:
                self._queries -= 1
                if not self._queries:
                    self._lift()

    @contextmanager
    def lifted(self) -> Iterator[None]:
        """Have no bound for the length of a `with` block: opening a store takes much address space, and no memory."""
        with self._lock:
            self._lift()
            try:
                yield
            finally:
                if self._queries:
                    self._bind()

    def _bind(self) -> None:
        if sys.platform != "linux" or not _STATM.exists():
            return
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        taken = int(_STATM.read_text().split()[_DATA]) * resource.getpagesize()
        most = taken + spare_bytes()
        if soft == resource.RLIM_INFINITY or most < soft:
            self._usual = (soft, hard)
            resource.setrlimit(resource.RLIMIT_DATA, (most, hard))

    def _lift(self) -> None:
        if self._usual is not None:
            resource.setrlimit(resource.RLIMIT_DATA, self._usual)
            self._usual = None


memory_bound = MemoryBound()
