"""A query's values as JSON values."""

import math
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from lcg.model.times import format_time, from_datetime
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE

_VISIBLE: dict[str, frozenset[str]] = {
    ENTITY.label: ENTITY.visible,
    EDGE.label: EDGE.visible,
    EPISODE.label: EPISODE.visible | {"entity_edges"},
}


MOST_CELLS = 5_000_000
MOST_CHARACTERS = 64 << 20
"""Bounds of one answer. No line may have more bytes, and so many values already take some hundred megabytes here."""


class Room:
    """What is left of these bounds."""

    def __init__(self) -> None:
        self._cells = MOST_CELLS
        self._characters = MOST_CHARACTERS

    def takes(self, value: Any) -> bool:
        """Take a JSON value in, and say whether there was room for it."""
        if isinstance(value, str):
            self._characters -= len(value)
        elif isinstance(value, list):
            self._cells -= len(value)
            for item in value:
                if isinstance(item, (str, list, dict)):
                    self.takes(item)
        elif isinstance(value, dict):
            self._cells -= len(value)
            self._characters -= sum(map(len, value))
            for item in value.values():
                self.takes(item)
        return self._cells >= 0 and self._characters >= 0


def cell(value: Any) -> Any:
    """Turn one value into what JSON can hold.

    Nodes and links become objects with `_label` and their properties, paths `{"nodes", "rels"}`, times
    `YYYY-MM-DD HH:MM:SS`, NaN and Infinity null; bytes (as hex), decimals, identifiers and intervals become text.
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime):
        return format_time(from_datetime(value if value.tzinfo else value.replace(tzinfo=UTC)))
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, (list, tuple)):
        return [cell(item) for item in value]
    if isinstance(value, Mapping):
        return _object(value)
    return str(value)


def _object(value: Mapping[Any, Any]) -> dict[str, Any]:
    # The engines spell these keys in different cases.
    marks = {key.lower(): key for key in value if isinstance(key, str) and key.startswith("_")}
    if {"_nodes", "_rels"} == set(marks) and len(value) == 2:
        return {"nodes": cell(value[marks["_nodes"]]), "rels": cell(value[marks["_rels"]])}
    if "_label" in marks and "_id" in marks:
        label = value[marks["_label"]]
        visible = _VISIBLE.get(label)
        shown = {
            key: cell(item)
            for key, item in value.items()
            if (key in visible if visible is not None else not key.startswith("_"))
        }
        return {"_label": label, **shown}
    return {key if isinstance(key, str) else str(cell(key)): cell(item) for key, item in value.items()}
