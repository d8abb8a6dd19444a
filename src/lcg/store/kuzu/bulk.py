"""Loading a whole group at once: from rows to Arrow tables to the engine's COPY, some fifteen times faster than rows.

The engine checkpoints at the end of a COPY, whatever it is told, so the caller holds readers back around the commit.
"""

# The engine looks for `importlib.util` without importing it when it is given a table.
import importlib.util  # noqa: F401
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from operator import itemgetter
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from lcg.model.plain import Plain, place, plain
from lcg.model.rows import Edge
from lcg.runtime.parts import parts
from lcg.store.kuzu.apply import clear_group
from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, NUMBER, TEXTS, TIME, Table
from lcg.store.protocol import Batch, GroupLoad, RowT

_Copy = tuple[str, pa.Table]
"""A statement and what it copies."""

ROWS_PER_COPY = 131_072
"""The engine keeps so many rows together, and takes longer to commit when they come in pieces."""
LONG_ROWS_PER_COPY = 50_000
"""Of rows with long texts, which are all in memory at once."""
_ROWS_PER_BATCH = 2_048
"""So many rows are turned into columns at once: what the engine takes at a time, and the processor keeps at hand."""
_TYPES: dict[str, pa.DataType] = {
    TIME: pa.timestamp("us"),
    NUMBER: pa.int64(),
    TEXTS: pa.list_(pa.string()),
}
_UUID, _SOURCE, _TARGET = (place(Edge, field) for field in ("uuid", "source_uuid", "target_uuid"))
_HOPS = (
    ("COPY RELATES_TO FROM $rows (from='Entity', to='RelatesToNode_')", _SOURCE, (_SOURCE, _UUID)),
    ("COPY RELATES_TO FROM $rows (from='RelatesToNode_', to='Entity')", _TARGET, (_UUID, _TARGET)),
)
"""How each hop of an edge is copied, and where the entity stands that it needs, and its two ends."""
_MENTIONS = "COPY MENTIONS FROM $rows"
_HAS_ENTITY = "MATCH (n:Entity {uuid: $uuid}) RETURN 1"


def copy_group(session: Session, load: GroupLoad) -> None:
    """Copy a group's rows and links into the tables, in place of what they hold of it.

    The caller has opened the transaction. Tables are made on another thread, one ahead: the engine lets that go on.

    Raises:
        StoreError: the engine's text.
    """
    copies = _tables(load)
    with ThreadPoolExecutor(1, "lcg-arrow") as beside:
        due = beside.submit(next, copies, None)
        clear_group(session, load.position.group_id)
        while (made := due.result()) is not None:
            due = beside.submit(next, copies, None)
            session.copy(*made)


def _tables(load: GroupLoad) -> Iterator[_Copy]:
    yield from _rows(ENTITY, load.entities)
    yield from _edges(load)
    yield from _rows(EPISODE, load.episodes, load.mentions, LONG_ROWS_PER_COPY)
    group_id = load.position.group_id
    mentions = ((episode, entity, group_id) for episode, entities in load.mentions.items() for entity in entities)
    yield from _links(_MENTIONS, mentions, 3)


def _edges(load: GroupLoad) -> Iterator[_Copy]:
    """Yield copies of edges, then of their hops, made of the same columns."""
    edges: list[pa.Table] = []
    for statement, table in _rows(EDGE, load.edges):
        edges.append(table.select([EDGE.columns[at].name for at in (_SOURCE, _UUID, _TARGET)]))
        yield statement, table
    if load.meanwhile:
        load.meanwhile()
    own = {row[_UUID] for row in load.entities}
    for statement, end, ends in _HOPS:
        entities = map(itemgetter(end), load.edges)
        for table in edges:
            hops = table.select([EDGE.columns[at].name for at in ends]).rename_columns(["from", "to"])
            some = list(islice(entities, table.num_rows))
            if not all(map(own.__contains__, some)):
                hops = hops.filter(pa.array([uuid in own or load.present(uuid) for uuid in some], pa.bool_()))
            if hops.num_rows:
                yield statement, hops


def link_in_bulk(session: Session, batch: Batch) -> None:
    """Make the hops of new edges and the new mentions by COPY: best for hundreds, and linear for thousands.

    Raises:
        StoreError: the engine's text.
    """
    edges = [change.new for change in batch.edges if change.new and not change.old]
    present = _present(session, batch, {end for edge in edges for end in (edge.source_uuid, edge.target_uuid)})
    mentions = ((mention.episode_uuid, mention.entity_uuid, mention.group_id) for mention in batch.mentions_added)
    for statement, table in chain(_hops(list(map(plain, edges)), present), _links(_MENTIONS, mentions, 3)):
        session.copy(statement, table)


def _present(session: Session, batch: Batch, uuids: set[str]) -> set[str]:
    """Return which of these entities exist: the ones that the batch puts, and those that the table has."""
    put = {change.new.uuid for change in batch.entities if change.new}
    others = uuids - put
    return put | {uuid for uuid in others if session.rows(_HAS_ENTITY, {"uuid": uuid})}


def _rows(
    table: Table[RowT],
    rows: Iterable[Plain],
    derived: Mapping[str, Collection[str]] = MappingProxyType({}),
    rows_per_copy: int = ROWS_PER_COPY,
) -> Iterator[_Copy]:
    """Yield copies of rows. The derived column, where a table has one, gets `derived` by uuid."""
    schema = pa.schema([(column.name, _TYPES.get(column.type, pa.string())) for column in table.columns])
    if table.derived:
        schema = schema.append(pa.field(table.derived, _TYPES[TEXTS]))

    def columns(some: list[Plain]) -> list[Sequence[Any]]:
        made: list[Sequence[Any]] = list(zip(*some, strict=True))
        return [*made, [list(derived.get(uuid, ())) for uuid in made[0]]] if table.derived else made

    statement = f"COPY {table.label}({', '.join(schema.names)}) FROM $rows"
    return _copies(statement, schema, rows, columns, rows_per_copy)


def _hops(edges: Collection[Plain], present: Container[str]) -> Iterator[_Copy]:
    for statement, end, ends in _HOPS:
        bound = (edge for edge in edges if edge[end] in present)
        yield from _links(statement, map(itemgetter(*ends), bound), 2)


def _links(statement: str, links: Iterable[Plain], width: int) -> Iterator[_Copy]:
    """Yield copies of links, each of which is its two ends and, where its table has that, its group."""
    schema = pa.schema([(name, pa.string()) for name in ("from", "to", "group_id")[:width]])
    return _copies(statement, schema, links, lambda some: list(zip(*some, strict=True)))


def _copies(
    statement: str,
    schema: pa.Schema,
    rows: Iterable[Plain],
    columns: Callable[[list[Plain]], list[Sequence[Any]]],
    rows_per_copy: int = ROWS_PER_COPY,
) -> Iterator[_Copy]:
    for part in parts(rows, rows_per_copy):
        batches = [
            pa.record_batch(list(map(pa.array, columns(some), schema.types)), schema=schema)
            for some in parts(part, _ROWS_PER_BATCH)
        ]
        yield statement, pa.Table.from_batches(batches)
