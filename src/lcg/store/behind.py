"""A store that takes a batch at once and applies it on a thread of its own, while its caller goes on.

Batches that come while one is applied wait, a bounded amount of rows of them, and are applied together. Whoever asks
the store for anything waits for all of them. So nobody can tell that they are not there yet, except by the time that a
write takes.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from lcg.runtime.threads import started
from lcg.store.gathering import gathered, size
from lcg.store.protocol import (
    Batch,
    Bookkeeping,
    CypherAnswer,
    GroupLoad,
    Position,
    RowChanges,
    Snapshot,
    Store,
    StoreError,
    StoreReader,
)

_log = logging.getLogger(__name__)

Failed = Callable[[StoreError], None]

MOST_WAITING = 200
"""Rows and links that may wait while others are applied: with more, what a batch costs falls no further, and readers
wait longer. A batch that has more by itself waits alone."""


class BehindStore:
    """A `Store` over another one.

    Once a batch that was taken could not be applied, everything but `close` raises StoreError: what the store holds
    lacks what was promised, until it is opened again and brought level with the logs.
    """

    def __init__(self, store: Store) -> None:
        """Begin; the thread starts with the first batch."""
        self._store = store
        self._changed = threading.Condition()
        self._waiting: list[tuple[Batch, Failed]] = []
        self._taken = self._done = 0
        self._failure: StoreError | None = None
        self._closing = False
        self._thread: threading.Thread | None = None

    def apply_later(self, batch: Batch, failed: Failed) -> None:
        """See `Store.apply_later`. Of several that fail together, the `failed` of the first is called."""
        rows = size(batch)
        with self._changed:
            self._changed.wait_for(lambda: self._failure is not None or not self._waiting or self._has_room(rows))
            self._raise_failure()
            if self._thread is None:
                self._thread = started("lcg-store", self._run)
            self._waiting.append((batch, failed))
            self._taken += 1
            self._changed.notify_all()

    def _has_room(self, rows: int) -> bool:
        return sum(size(batch) for batch, _ in self._waiting) + rows <= MOST_WAITING

    def settle(self) -> None:
        """Wait until all is applied that was taken by now; what is taken meanwhile may be on its way still.

        Raises:
            StoreError: a batch that was taken could not be applied.
        """
        with self._changed:
            taken = self._taken
            self._changed.wait_for(lambda: self._failure is not None or self._done >= taken)
            self._raise_failure()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise StoreError(f"an earlier batch was not applied: {self._failure}") from self._failure

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    return
                batches, failed = [batch for batch, _ in self._waiting], self._waiting[0][1]
                self._waiting = []
                # Whoever waits for room.
                self._changed.notify_all()
            failure = self._apply_together(batches)
            try:
                if failure is not None:
                    # Before anybody who waits goes on. What waits by now is in the log too, and repaired with this.
                    failed(failure)
            finally:
                with self._changed:
                    self._done += len(batches)
                    if failure is not None:
                        self._done, self._waiting, self._failure = self._taken, [], failure
                    self._changed.notify_all()
            if failure is not None:
                return

    def _apply_together(self, batches: list[Batch]) -> StoreError | None:
        try:
            for batch in gathered(batches):
                self._store.apply(batch)
        except Exception as error:
            _log.exception("a batch was not applied")
            return error if isinstance(error, StoreError) else StoreError(str(error))
        return None

    def apply(self, batch: Batch) -> None:
        """See `Store.apply`."""
        self.settle()
        self._store.apply(batch)

    def load_group(self, load: GroupLoad) -> None:
        """See `Store.load_group`."""
        self.settle()
        self._store.load_group(load)

    def mutate(
        self,
        query: str,
        parameters: dict[str, Any],
        *,
        max_rows: int,
        timeout_ms: int,
        spent_ms: int = 0,
        accept: Callable[[RowChanges], Bookkeeping],
        cancelled: threading.Event | None = None,
    ) -> CypherAnswer:
        """See `Store.mutate`."""
        self.settle()
        return self._store.mutate(
            query,
            parameters,
            max_rows=max_rows,
            timeout_ms=timeout_ms,
            spent_ms=spent_ms,
            accept=accept,
            cancelled=cancelled,
        )

    def positions(self) -> dict[str, Position]:
        """See `Store.positions`."""
        self.settle()
        return self._store.positions()

    def meta(self, key: str) -> str | None:
        """See `Store.meta`."""
        self.settle()
        return self._store.meta(key)

    def set_meta(self, key: str, value: str) -> None:
        """See `Store.set_meta`."""
        self.settle()
        self._store.set_meta(key, value)

    def reader(self) -> AbstractContextManager[StoreReader]:
        """See `Store.reader`."""
        self.settle()
        return self._store.reader()

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """See `Store.snapshot`."""
        self.settle()
        with self._store.snapshot() as snapshot:
            yield snapshot

    def writer_reader(self) -> StoreReader:
        """See `Store.writer_reader`. Ask anew for each use: what comes of it does not wait by itself."""
        self.settle()
        return self._store.writer_reader()

    def checkpoint(self) -> bool:
        """See `Store.checkpoint`."""
        self.settle()
        return self._store.checkpoint()

    def give_back(self) -> None:
        """See `Store.give_back`."""
        self.settle()
        self._store.give_back()

    def close(self) -> None:
        """Wait for what is on its way, then close. Safe to call twice."""
        with self._changed:
            self._changed.wait_for(lambda: self._done == self._taken)
            self._closing = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
        self._store.close()
