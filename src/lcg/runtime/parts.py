"""Cutting what is too much for once into parts."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

ItemT = TypeVar("ItemT")


def parts(items: Iterable[ItemT], size: int) -> Iterator[list[ItemT]]:
    """Yield lists of so many items at the most, each when it is asked for."""
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part
