"""Changes of dictionaries that can be taken back: what a write did to the index, until it is committed."""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Journal:
    """Remembers, for each entry that changes, what was there before: once between two marks.

    A long text adds thousands of members to one tuple; each of its lengths would be kept otherwise.
    """

    def __init__(self) -> None:
        self._entries: list[tuple[dict[Any, Any], Any, Any]] = []
        self._noted: set[tuple[int, Any]] = set()
        self.recording = True

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let changes be for good at once for the length of a `with` block."""
        self.recording = False
        try:
            yield
        finally:
            self.recording = True

    def mark(self) -> int:
        """Return a point to which `undo` can go back."""
        self._noted.clear()
        return len(self._entries)

    def undo(self, mark: int) -> None:
        """Take back every change since the mark."""
        self._noted.clear()
        while len(self._entries) > mark:
            table, key, old = self._entries.pop()
            if old is None:
                table.pop(key, None)
            else:
                table[key] = old

    def commit(self) -> None:
        """Forget how to go back."""
        self._entries.clear()
        self._noted.clear()

    def set(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        """Set an entry; None and an empty tuple remove it."""
        if self.recording and (noted := (id(table), key)) not in self._noted:
            # The entry keeps its table alive, so that no other one gets this id.
            self._noted.add(noted)
            self._entries.append((table, key, table.get(key)))
        if value is None or value == ():
            table.pop(key, None)
        else:
            table[key] = value

    def add(self, table: dict[Any, tuple[Any, ...]], key: Any, member: Any) -> None:
        """Add a member to a sorted tuple."""
        others = table.get(key, ())
        at = bisect_left(others, member)
        self.set(table, key, (*others[:at], member, *others[at:]))

    def remove_sorted(self, table: dict[Any, tuple[Any, ...]], key: Any, member: Any) -> None:
        """Take a member out of a sorted tuple, as `remove` does."""
        others = table.get(key, ())
        at = bisect_left(others, member)
        if others[at : at + 1] == (member,):
            self.set(table, key, others[:at] + others[at + 1 :])

    def remove(self, table: dict[Any, tuple[Any, ...]], key: Any, member: Any) -> None:
        """Take a member out of a tuple; the tuple goes with its last one."""
        self.set(table, key, tuple(other for other in table.get(key, ()) if other != member))
