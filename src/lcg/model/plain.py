"""Rows as plain values: the tuple of a row's fields, in their order.

A log leaves hundreds of thousands of rows, most of which go into the columns of the store without being looked at. A
tuple is made in a fraction of the time of a row, and many of them turn into columns at once; whoever does look at one
gets the row made from it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

from lcg.model.rows import Edge, Entity, Episode, Mention, Row

RowT = TypeVar("RowT", Entity, Edge, Episode)

Plain = tuple[Any, ...]
"""The values of one row."""

_KINDS: tuple[type[Row], ...] = (Entity, Edge, Episode, Mention)
_NAMES: dict[type[Row], list[str]] = {kind: [field.name for field in fields(kind)] for kind in _KINDS}
_VALUES: dict[type[Row], Callable[[Any], Plain]] = {kind: attrgetter(*names) for kind, names in _NAMES.items()}


def plain(row: Row) -> Plain:
    """Return the values of a row."""
    return _VALUES[type(row)](row)


def place(kind: type[Row], field: str) -> int:
    """Return where the value of a field stands."""
    return _NAMES[kind].index(field)


class RowTable(Mapping[str, RowT]):
    """Rows by their uuid, kept as `plain` values; each is made when it is asked for."""

    def __init__(self, kind: type[RowT]) -> None:
        self.plain: dict[str, Plain] = {}
        self._kind: Callable[..., RowT] = kind

    def __getitem__(self, uuid: str) -> RowT:
        return self._kind(*self.plain[uuid])

    def __contains__(self, uuid: object) -> bool:
        return uuid in self.plain

    def __iter__(self) -> Iterator[str]:
        return iter(self.plain)

    def __len__(self) -> int:
        return len(self.plain)
