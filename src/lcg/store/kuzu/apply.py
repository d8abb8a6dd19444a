"""How a batch becomes statements. The caller has opened the transaction and ends it.

Hops follow from the edge row: a link is made where the endpoint exists, and an endpoint that arrives later brings
its own through `Batch.attach`. New rows are created without looking for old ones; a changed row that is not there is
an error, because then the store no longer is what the log says.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from lcg.runtime.parts import parts
from lcg.store.kuzu.creating import new_rows
from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.linking import (
    CHUNK_ROWS,
    add_mentions,
    attach,
    create_edges,
    create_mentioned,
    mention_changed,
    new_episodes,
    relink,
    together,
)
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, Table
from lcg.store.kuzu.schema import META, POSITIONS
from lcg.store.protocol import Batch, Change, Position, RowT, StoreError

_NONE: Mapping[str, Sequence[str]] = MappingProxyType({})
MANY = 4
"""From this many new rows on, one statement for all of them is cheaper than one each."""
_UPDATES_TOGETHER = (4, 3, 2, 1)

_LINKS = {
    EDGE.label: ("(:Entity)-[link:RELATES_TO]->({row})", "({row})-[link:RELATES_TO]->(:Entity)"),
    EPISODE.label: ("({row})-[link:MENTIONS]->(:Entity)",),
    ENTITY.label: (
        "({row})-[link:RELATES_TO]->(:RelatesToNode_)",
        "(:RelatesToNode_)-[link:RELATES_TO]->({row})",
        "(:Episodic)-[link:MENTIONS]->({row})",
    ),
}
"""The links that a row of a table can have."""


def _deleting(label: str, row: str, condition: str = "") -> tuple[str, ...]:
    """Write the statements that delete rows with their links.

    DETACH DELETE would be one statement, but in a transaction that deletes other links too the engine logs it so that
    who opens the file after a kill loses links of other rows.
    """
    links = (f"MATCH {pattern.format(row=row)} {condition}DELETE link" for pattern in _LINKS[label])
    return (*links, f"MATCH ({row}) {condition}DELETE n")


_DELETE = {label: _deleting(label, f"n:{label} {{uuid: $uuid}}") for label in _LINKS}
_CLEAR_GROUP = tuple(
    statement
    for table in (EDGE, EPISODE, ENTITY)
    for statement in _deleting(table.label, f"n:{table.label}", "WHERE n.group_id = $group_id ")
)
REMOVE_MENTION = "MATCH (p:Episodic {uuid: $episode})-[m:MENTIONS]->(e:Entity {uuid: $entity}) DELETE m"
SET_EPISODE_ENTITIES = "MATCH (p:Episodic {uuid: $episode}) SET p.entity_edges = $entities"
_MOVE_POSITION = (
    f"MATCH (p:{POSITIONS} {{group_id: $group_id}}) "
    "SET p.applied_seq = $applied_seq, p.generation = $generation, p.digest = $digest RETURN 1"
)
NEW_POSITION = (
    f"CREATE (:{POSITIONS} "
    "{group_id: $group_id, applied_seq: $applied_seq, generation: $generation, digest: $digest})"
)
READ_POSITIONS = f"MATCH (p:{POSITIONS}) RETURN p.group_id, p.applied_seq, p.generation, p.digest"
READ_META = f"MATCH (m:{META} {{key: $key}}) RETURN m.value"
WRITE_META = f"MERGE (m:{META} {{key: $key}}) SET m.value = $value"


def apply_batch(session: Session, batch: Batch, link_in_bulk: Callable[[Session, Batch], None] | None = None) -> None:
    """Run everything that the batch says.

    `link_in_bulk` makes the hops of new edges and the new mentions once all rows are there; without it, which is best
    for a few, they come with their rows.

    Raises:
        StoreError: the first statement that failed, or a changed row that is not stored.
    """
    for group_id in batch.cleared:
        clear_group(session, group_id)
    for mention in batch.mentions_removed:
        session.rows(REMOVE_MENTION, {"episode": mention.episode_uuid, "entity": mention.entity_uuid})
    _delete(session, EPISODE, batch.episodes)
    _delete(session, EDGE, batch.edges)
    _delete(session, ENTITY, batch.entities)
    _put_episodes(session, batch)
    entities, changes, mentions = _new(batch.entities), batch.entities, batch.mentions_added
    if link_in_bulk is None:
        entities, mentions = create_mentioned(session, batch)
        changes, mentions = mention_changed(session, batch, mentions)
    _create(session, ENTITY, entities)
    _update(session, ENTITY, changes)
    _put_edges(session, batch, with_hops=link_in_bulk is None)
    if link_in_bulk is None:
        add_mentions(session, batch, mentions)
    else:
        link_in_bulk(session, batch)
    attach(session, batch.attach)
    for position in batch.positions:
        move_position(session, position)


def clear_group(session: Session, group_id: str) -> None:
    """Remove everything that a group owns."""
    for statement in _CLEAR_GROUP:
        session.rows(statement, {"group_id": group_id})


def _delete(session: Session, table: Table[RowT], changes: Sequence[Change[RowT]]) -> None:
    for change in changes:
        if change.old and not change.new:
            for statement in _DELETE[table.label]:
                session.rows(statement, {"uuid": change.old.uuid})


def _put_episodes(session: Session, batch: Batch) -> None:
    new = new_episodes(batch)
    _create(session, EPISODE, _new(batch.episodes), batch.episode_entities)
    _update(session, EPISODE, batch.episodes)
    for episode_uuid, entity_uuids in batch.episode_entities.items():
        if episode_uuid not in new:
            session.rows(SET_EPISODE_ENTITIES, {"episode": episode_uuid, "entities": list(entity_uuids)})


def _put_edges(session: Session, batch: Batch, *, with_hops: bool) -> None:
    if with_hops:
        create_edges(session, _new(batch.edges))
    else:
        _create(session, EDGE, _new(batch.edges))
    _update(session, EDGE, batch.edges)
    for edge in batch.edges:
        if edge.new and edge.old:
            relink(session, edge.old, edge.new)


def _new(changes: Sequence[Change[RowT]]) -> list[RowT]:
    return [change.new for change in changes if change.new and not change.old]


def _create(
    session: Session, table: Table[RowT], rows: Sequence[RowT], texts: Mapping[str, Sequence[str]] = _NONE
) -> None:
    """Create rows; `texts` has what belongs into the table's derived column, by uuid."""
    created = [table.write(row, derived=texts.get(row.uuid, ())) for row in rows]
    if len(created) < MANY:
        for values in created:
            session.rows(table.create, values)
    else:
        for some in parts(created, CHUNK_ROWS):
            made = new_rows(table, some)
            session.rows(f"UNWIND $rows AS r CREATE ({made.pattern})", {**made.beside, "rows": made.rows})


def _update(session: Session, table: Table[RowT], changes: Sequence[Change[RowT]]) -> None:
    """Change rows; those of which the same columns change go together, a few in one statement."""
    alike: dict[tuple[str, ...], list[RowT]] = {}
    for change in changes:
        if change.new and change.old:
            alike.setdefault(table.differing(change.old, change.new), []).append(change.new)
    for columns, rows in alike.items():
        for some in together(rows, _UPDATES_TOGETHER):
            if not session.rows(*table.update(columns, some)):
                raise StoreError(f"no {table.label} {' or '.join(row.uuid for row in some)} to change")


def move_position(session: Session, position: Position) -> None:
    """Record how far a group's log is applied."""
    values = {
        "group_id": position.group_id,
        "applied_seq": position.applied_seq,
        "generation": position.generation,
        "digest": f"{position.digest:032x}",
    }
    if not session.rows(_MOVE_POSITION, values):
        session.rows(NEW_POSITION, values)


def read_positions(session: Session) -> dict[str, Position]:
    """Return each group's recorded position."""
    return {
        group_id: Position(group_id, applied_seq, generation, int(digest, 16))
        for group_id, applied_seq, generation, digest in session.rows(READ_POSITIONS)
    }
