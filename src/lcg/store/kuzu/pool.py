"""A fixed number of readers, and the gate that holds them back while a checkpoint runs."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

from lcg.store.protocol import StoreError

T = TypeVar("T")


class ReaderPool(Generic[T]):
    """Lends each reader to one caller at a time.

    A caller that holds a reader must neither ask for a second one nor wait for a write: a checkpoint waits for it.
    """

    def __init__(self, readers: Sequence[T]) -> None:
        self._all = tuple(readers)
        self._free = list(readers)
        self._changed = threading.Condition()
        self._held_back = False
        self._closed = False

    @contextmanager
    def lend(self) -> Iterator[T]:
        """Lend a reader; waits while all are lent or the gate is down.

        Raises:
            StoreError: the pool is closed.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or (self._free and not self._held_back))
            if self._closed:
                raise StoreError("the store is closed")
            reader = self._free.pop()
        try:
            yield reader
        finally:
            with self._changed:
                self._free.append(reader)
                self._changed.notify_all()

    @contextmanager
    def quiet(self, patience_seconds: float) -> Iterator[bool]:
        """Hold new readers back and wait for the lent ones; True when all are in, False when patience ran out.

        The gate stays down while the caller works with a True, and is up again at once with a False.
        """
        deadline = time.monotonic() + patience_seconds
        with self._changed:
            self._held_back = True
            is_quiet = self._changed.wait_for(self._all_in, deadline - time.monotonic())
            if not is_quiet:
                self._raise_gate()
        try:
            yield is_quiet
        finally:
            if is_quiet:
                with self._changed:
                    self._raise_gate()

    def close(self, patience_seconds: float) -> bool:
        """Lend no more and wait for what is lent; False when patience ran out."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            return self._changed.wait_for(self._all_in, patience_seconds)

    def _all_in(self) -> bool:
        return len(self._free) == len(self._all)

    def _raise_gate(self) -> None:
        self._held_back = False
        self._changed.notify_all()
