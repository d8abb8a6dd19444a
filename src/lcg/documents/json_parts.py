"""Cutting a JSON document into smaller ones: by the items of an array, or the members of an object."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

MOST_CHARS: Final = 4_000
"""No part is longer, but for what leads to it, unless one value that is neither array nor object is."""

_HALVES: Final = re.compile("[\ud800-\udfff]")


def parts_of(value: Any, most: int = MOST_CHARS) -> Iterator[Any]:
    """Yield documents that together hold what one holds, in its order; a small one is yielded as it is.

    The parts of an array are arrays; those of an object are objects, with the path to what they hold.
    """
    if _size(value) <= most or not isinstance(value, dict | list) or not value:
        yield value
    elif isinstance(value, list):
        for run in _runs([[item] for item in value], most, lambda left, right: left + right):
            yield from ([part] for part in parts_of(run[0], most)) if len(run) == 1 else [run]
    else:
        singles = [{key: item} for key, item in value.items()]
        for run in _runs(singles, most, lambda left, right: left | right):
            (key, item), *others = run.items()
            yield from ({key: part} for part in parts_of(item, most)) if not others else [run]


def text_of(value: Any) -> str:
    """Return a value as JSON that people can read. Half a character, which is none, becomes U+FFFD."""
    return _HALVES.sub("\N{REPLACEMENT CHARACTER}", json.dumps(value, ensure_ascii=False, indent=1))


def _runs(singles: list[Any], most: int, joined: Any) -> Iterator[Any]:
    """Yield as few joins of neighbours as fit."""
    run = None
    for single in singles:
        longer = single if run is None else joined(run, single)
        if run is not None and _size(longer) > most:
            yield run
            longer = single
        run = longer
    if run is not None:
        yield run


def _size(value: Any) -> int:
    return len(text_of(value))
