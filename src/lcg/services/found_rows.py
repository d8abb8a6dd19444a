"""Reading what a search found, and no more than is shown."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

RowT = TypeVar("RowT")


def existing(uuids: Sequence[str], fetch: Callable[[list[str]], Mapping[str, RowT]], limit: int) -> list[RowT]:
    """Return the first rows that exist, at most `limit`; one can vanish between being found and being read."""
    found: list[RowT] = []
    start = 0
    while len(found) < limit and start < len(uuids):
        part = list(uuids[start : start + limit - len(found)])
        rows = fetch(part)
        found += [rows[uuid] for uuid in part if uuid in rows]
        start += len(part)
    return found
