"""All rows of a store as plain values: whole, or in outline, without texts that no index looks a row up by.

All of them come from one statement, and are made column by column, a thousand rows at a time. Reading rows by their
keys takes ten times as long, and nearly all of what an open graph waits for.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice, repeat
from typing import Any

from lcg.model.plain import Plain
from lcg.model.pointers import KEY
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, TEXTS, TIME, Column, Table
from lcg.store.protocol import StoreError

_ROWS_AT_ONCE = 1_000
_EPOCH = datetime(1970, 1, 1)
_MICROSECOND = timedelta(microseconds=1)

_MENTIONS = "MATCH (p:Episodic)-[m:MENTIONS]->(e:Entity) RETURN m.group_id, p.uuid, e.uuid"


class _Outline:
    """Which columns of a table are read, and what stands for the values of the others."""

    def __init__(self, table: Table[Any], left_out: dict[str, Any], instead: dict[str, str] | None = None) -> None:
        """`left_out` are fields with what stands for them; `instead` are fields with what is read for them."""
        self._columns: list[tuple[Column, Any]] = [(c, left_out.get(c.field)) for c in table.columns]
        self._read = [c for c in table.columns if c.field not in left_out]
        values = [(instead or {}).get(c.field, f"n.{c.name}") for c in self._read]
        self.statement = f"MATCH (n:{table.label}) RETURN {', '.join(values)}"

    def rows(self, found: Sequence[Sequence[Any]]) -> Iterator[Plain]:
        """Turn what the statement returned of some rows into their values."""
        values = {
            c.field: _read_many(c, column) for c, column in zip(self._read, zip(*found, strict=True), strict=True)
        }
        columns = [values.get(c.field) or repeat(instead, len(found)) for c, instead in self._columns]
        return zip(*columns, strict=True)


_OUTLINES: dict[type[Row], _Outline] = {
    Entity: _Outline(ENTITY, {"summary": "", "attributes": "{}", "name_embedded": None, "summary_embedded": None}),
    Edge: _Outline(
        EDGE,
        {"fact": "", "valid_at": None, "relation_type": None, "fact_embedded": None},
        {"attributes": f"CASE WHEN n.attributes CONTAINS '{KEY}' THEN n.attributes END"},
    ),
    Episode: _Outline(EPISODE, {"source": "", "content": "", "valid_at": None}),
}
_WHOLE: dict[type[Row], _Outline] = {
    Entity: _Outline(ENTITY, {}),
    Edge: _Outline(EDGE, {}),
    Episode: _Outline(EPISODE, {}),
}


def outlined(session: Session, kind: type[Row], one_by_one: Iterator[Plain]) -> Iterator[Plain]:
    """Yield rows of a kind in outline, as is written in `StoreReader`; `one_by_one` are the rows themselves."""
    return _all_at_once(session, _OUTLINES[kind], one_by_one)


def whole(session: Session, kind: type[Row], one_by_one: Iterator[Plain]) -> Iterator[Plain]:
    """Yield rows of a kind, of mentions too; `one_by_one` are the same, read with less memory."""
    if kind is Mention:
        return ((group_id or "", episode, entity) for group_id, episode, entity in session.stream(_MENTIONS))
    return _all_at_once(session, _WHOLE[kind], one_by_one)


def _all_at_once(session: Session, outline: _Outline, one_by_one: Iterator[Plain]) -> Iterator[Plain]:
    rows = session.stream(outline.statement)
    try:
        part = list(islice(rows, _ROWS_AT_ONCE))
    except StoreError:
        # The engine holds a whole result in its buffer pool. Where that is too small, rows are read a few at a time.
        yield from one_by_one
        return
    while part:
        yield from outline.rows(part)
        part = list(islice(rows, _ROWS_AT_ONCE))


def _read_many(column: Column, values: Sequence[Any]) -> Sequence[Any]:
    """Turn what the engine returned for many rows into their fields, as `Column.read` does for one."""
    if column.type == TIME:
        return [column.fallback if value is None else (value - _EPOCH) // _MICROSECOND for value in values]
    if column.type == TEXTS:
        return [tuple(value) if value and None not in value else column.read(value) for value in values]
    return values if None not in values else [column.fallback if value is None else value for value in values]
