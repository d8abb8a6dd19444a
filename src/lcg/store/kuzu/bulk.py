"""Loading a whole group at once: from rows to Arrow tables to the engine's COPY, some fifteen times faster than rows.

The engine checkpoints at the end of a COPY, whatever it is told, so the caller holds readers back around the commit.
"""

# The engine looks for `importlib.util` without importing it when it is given a table.
import importlib.util  # noqa: F401
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any

import pyarrow as pa

from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, NUMBER, TEXTS, TIME, Column, Table
from lcg.store.protocol import Batch, GroupLoad, RowT

ROWS_PER_COPY = 50_000
_TYPES: dict[str, pa.DataType] = {
    TIME: pa.timestamp("us"),
    NUMBER: pa.int64(),
    TEXTS: pa.list_(pa.string()),
}
_SOURCE_HOPS = "COPY RELATES_TO FROM $rows (from='Entity', to='RelatesToNode_')"
_TARGET_HOPS = "COPY RELATES_TO FROM $rows (from='RelatesToNode_', to='Entity')"
_MENTIONS = "COPY MENTIONS FROM $rows"
_HAS_ENTITY = "MATCH (n:Entity {uuid: $uuid}) RETURN 1"


def copy_group(session: Session, load: GroupLoad) -> None:
    """Copy a group's rows and links into tables that hold none of them. The caller has opened the transaction.

    Raises:
        StoreError: the engine's text.
    """
    _copy_rows(session, ENTITY, load.entities, {})
    _copy_rows(session, EDGE, load.edges, {})
    entities_of: dict[str, list[str]] = {}
    for mention in load.mentions:
        entities_of.setdefault(mention.episode_uuid, []).append(mention.entity_uuid)
    _copy_rows(session, EPISODE, load.episodes, {"entity_edges": entities_of})
    _copy_links(session, _SOURCE_HOPS, ((e.source_uuid, e.uuid) for e in load.edges if e.source_uuid in load.present))
    _copy_links(session, _TARGET_HOPS, ((e.uuid, e.target_uuid) for e in load.edges if e.target_uuid in load.present))
    group_id = load.position.group_id
    _copy_links(session, _MENTIONS, ((m.episode_uuid, m.entity_uuid, group_id) for m in load.mentions))


def link_in_bulk(session: Session, batch: Batch) -> None:
    """Make the hops of new edges and the new mentions by COPY: best for hundreds, and linear for thousands.

    Raises:
        StoreError: the engine's text.
    """
    edges = [change.new for change in batch.edges if change.new and not change.old]
    present = _present(session, batch, {end for edge in edges for end in (edge.source_uuid, edge.target_uuid)})
    _copy_links(session, _SOURCE_HOPS, ((e.source_uuid, e.uuid) for e in edges if e.source_uuid in present))
    _copy_links(session, _TARGET_HOPS, ((e.uuid, e.target_uuid) for e in edges if e.target_uuid in present))
    mentions = batch.mentions_added
    _copy_links(session, _MENTIONS, ((m.episode_uuid, m.entity_uuid, m.group_id) for m in mentions))


def _present(session: Session, batch: Batch, uuids: set[str]) -> set[str]:
    """Return which of these entities exist: the ones that the batch puts, and those that the table has."""
    put = {change.new.uuid for change in batch.entities if change.new}
    others = uuids - put
    return put | {uuid for uuid in others if session.rows(_HAS_ENTITY, {"uuid": uuid})}


def _copy_rows(
    session: Session, table: Table[RowT], rows: Collection[RowT], derived: dict[str, dict[str, list[str]]]
) -> None:
    names = [*(column.name for column in table.columns), *derived]
    statement = f"COPY {table.label}({', '.join(names)}) FROM $rows"
    for part in _parts(rows, ROWS_PER_COPY):
        arrays = [_array(column, part) for column in table.columns]
        arrays += [pa.array([lists.get(row.uuid, []) for row in part], _TYPES[TEXTS]) for lists in derived.values()]
        session.copy(statement, pa.table(arrays, names=names))


def _array(column: Column, rows: list[Any]) -> pa.Array:
    values = [getattr(row, column.field) for row in rows]
    return pa.array(values, _TYPES.get(column.type, pa.string()))


def _copy_links(session: Session, statement: str, links: Iterable[tuple[str, ...]]) -> None:
    for part in _parts(links, ROWS_PER_COPY):
        columns = list(zip(*part, strict=True))
        session.copy(statement, pa.table([pa.array(column, pa.string()) for column in columns], names=_ends(columns)))


def _ends(columns: list[Any]) -> list[str]:
    return ["from", "to", "group_id"][: len(columns)]


def _parts(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(items)
    while part := list(islice(iterator, size)):
        yield part
