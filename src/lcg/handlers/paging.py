"""One page of a list, and what is said about the rest."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """The uuids of a page, how many rows match in all, and whether some remain after it."""

    uuids: list[str]
    total: int
    has_more: bool


def page_of(uuids: Sequence[str], offset: int, limit: int | None) -> Page:
    """Cut a page out of a list; without a limit, everything after the offset."""
    end = len(uuids) if limit is None else offset + limit
    return Page(list(uuids[offset:end]), len(uuids), end < len(uuids))
