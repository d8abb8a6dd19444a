"""The thread that builds indexes of vectors while searches and writes go on."""

import atexit
import logging
import os
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from lcg.runtime.threads import started
from lcg.search.approximate import ApproximateTable, Dissolution, Sizes
from lcg.search.hnsw_files import HnswFiles, Place
from lcg.search.matrices import Matrices
from lcg.search.read_write_lock import ReadWriteLock

_log = logging.getLogger(__name__)


def _half_the_processors() -> int:
    return max(1, (os.cpu_count() or 1) // 2)


class IndexBuilder:
    """Makes the tables of one space and does their jobs, one after the other.

    `memory` is the lock that guards the tables: searches read under it, whoever changes them writes under it.
    """

    def __init__(
        self, files: HnswFiles, dim: int, memory: ReadWriteLock, sizes: Sizes, threads: int | None = None
    ) -> None:
        """Begin; the thread starts with the first job. `threads` build an index: half the processors by default."""
        self._files = files
        self._dim = dim
        self._memory = memory
        self._sizes = sizes
        self._matrices = Matrices(files.folder)
        self._threads = threads or _half_the_processors()
        self._waiting: deque[tuple[Place, ApproximateTable]] = deque()
        self._changed = threading.Condition()
        self._is_busy = False
        self._delays = 0
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def open_table(self, place: Place) -> ApproximateTable:
        """Return an empty table for a place, with the index that was saved for it, if there is one."""
        table: ApproximateTable
        saved = self._files.read(place, least=self._sizes.least)
        table = ApproximateTable(self._dim, self._sizes, saved, lambda: self._ask(place, table), self._matrices)
        return table

    def discard(self, place: Place, table: ApproximateTable) -> None:
        """Let a table that is used no more have no job and no file. The caller holds the lock for writing."""
        table.retired = True
        self._files.discard(place)

    def sweep(self, used: Iterable[Place]) -> None:
        """Remove the files of places that no longer exist."""
        self._files.sweep(used)

    @contextmanager
    def delayed(self) -> Iterator[None]:
        """Begin no job for the length of a `with` block: many rows come, and somebody waits for them."""
        self._delay(1)
        try:
            yield
        finally:
            self._delay(-1)

    def _delay(self, by: int) -> None:
        with self._changed:
            self._delays += by
            self._changed.notify_all()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until nothing is left to build; return False when that took longer than so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._is_busy, timeout)

    def stop(self) -> None:
        """Stop, within a part of a second; what was not finished is built another time. Safe to call twice."""
        with self._changed:
            self._stopping.set()
            self._waiting.clear()
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
            atexit.unregister(self.stop)

    def _ask(self, place: Place, table: ApproximateTable) -> None:
        with self._changed:
            if self._stopping.is_set():
                return
            self._waiting.append((place, table))
            self._changed.notify_all()
            if self._thread is None:
                self._thread = started("lcg-index-builder", self._run)
                # A thread that still computes while the interpreter goes away would take the process down with it.
                atexit.register(self.stop)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: (self._waiting and not self._delays) or self._stopping.is_set())
                if self._stopping.is_set():
                    return
                place, table = self._waiting.popleft()
                self._is_busy = True
            try:
                self._do(place, table)
            except Exception:
                _log.exception("building an index of vectors failed; exact search serves instead")
                with self._memory.writing():
                    table.give_up()

    def _do(self, place: Place, table: ApproximateTable) -> None:
        with self._memory.reading():
            job = table.next_job()
        if job is None or not job.run(self._threads, self._stopping.is_set):
            return
        if not isinstance(job, Dissolution):
            self._files.write(place, job.index)
        with self._memory.writing():
            table.take_over(job)
        if table.retired or isinstance(job, Dissolution):
            self._files.discard(place)
