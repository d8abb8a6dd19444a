"""Which rows have which vector, where several rows may share one."""

from collections.abc import Iterator


class Holders:
    """Rows by the label of their vector. Most labels have one row, so only the others cost a set."""

    def __init__(self) -> None:
        self._label: dict[str, int] = {}
        self._first: dict[int, str] = {}
        self._others: dict[int, set[str]] = {}

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._label)

    def __iter__(self) -> Iterator[str]:
        """Yield the rows."""
        return iter(self._label)

    def label_of(self, uuid: str) -> int | None:
        """Return the label of a row's vector; None if the row is not here."""
        return self._label.get(uuid)

    def attach(self, uuid: str, label: int) -> None:
        """Let a row, which has none, have this label."""
        self._label[uuid] = label
        if label not in self._first:
            self._first[label] = uuid
        else:
            self._others.setdefault(label, set()).add(uuid)

    def detach(self, uuid: str) -> int | None:
        """Forget a row. Return its label if no row has that any more."""
        label = self._label.pop(uuid, None)
        if label is None:
            return None
        others = self._others.get(label)
        if others is None:
            del self._first[label]
            return label
        if self._first[label] == uuid:
            self._first[label] = others.pop()
        else:
            others.discard(uuid)
        if not others:
            del self._others[label]
        return None

    def is_held(self, label: int) -> bool:
        """Return whether any row has this label."""
        return label in self._first

    def of(self, label: int) -> list[str]:
        """Return the rows of a label, in no order."""
        first = self._first.get(label)
        return [] if first is None else [first, *self._others.get(label, ())]
