"""How a batch becomes statements. The caller has opened the transaction and ends it.

Hops follow from the edge row: a link is made where the endpoint exists, and an endpoint that arrives later brings
its own through `Batch.attach`. New rows are created without looking for old ones; a changed row that is not there is
an error, because then the store no longer is what the log says.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from lcg.model.rows import Edge
from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, Table
from lcg.store.kuzu.schema import META, POSITIONS
from lcg.store.protocol import Batch, Change, Position, RowT, StoreError

MANY = 4
"""From this many new rows on, one statement for all of them is cheaper than one each."""
CHUNK_ROWS = 500
_TOGETHER = (4, 2, 1)
"""How many mentions one statement makes; more of them at once save nothing more."""

_SOURCE = "MATCH (a:Entity {uuid: $source})"
_TARGET = "MATCH (b:Entity {uuid: $target})"
_EDGE = "MATCH (n:RelatesToNode_ {uuid: $edge})"
_LINK_BOTH = f"{_SOURCE} {_EDGE} {_TARGET} CREATE (a)-[:RELATES_TO]->(n), (n)-[:RELATES_TO]->(b) RETURN 1"
_LINK_SOURCE = f"{_SOURCE} {_EDGE} CREATE (a)-[:RELATES_TO]->(n)"
_LINK_TARGET = f"{_TARGET} {_EDGE} CREATE (n)-[:RELATES_TO]->(b)"
# Attaching may meet a hop that is there; four times as dear as creating, so only here.
_ATTACH_SOURCE = f"{_SOURCE} {_EDGE} WHERE n._source_uuid = a.uuid MERGE (a)-[:RELATES_TO]->(n)"
_ATTACH_TARGET = f"{_TARGET} {_EDGE} WHERE n._target_uuid = b.uuid MERGE (n)-[:RELATES_TO]->(b)"
_UNLINK_SOURCE = "MATCH (:Entity)-[hop:RELATES_TO]->(n:RelatesToNode_ {uuid: $edge}) DELETE hop"
_UNLINK_TARGET = "MATCH (n:RelatesToNode_ {uuid: $edge})-[hop:RELATES_TO]->(:Entity) DELETE hop"
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
ADD_MENTION = (
    "MATCH (p:Episodic {uuid: $episode}) MATCH (e:Entity {uuid: $entity}) "
    "MERGE (p)-[m:MENTIONS]->(e) SET m.group_id = $group_id"
)
REMOVE_MENTION = "MATCH (p:Episodic {uuid: $episode})-[m:MENTIONS]->(e:Entity {uuid: $entity}) DELETE m"
SET_EPISODE_ENTITIES = "MATCH (p:Episodic {uuid: $episode}) SET p.entity_edges = $entities"
_MOVE_POSITION = (
    f"MATCH (p:{POSITIONS} {{group_id: $group_id}}) "
    "SET p.applied_seq = $applied_seq, p.generation = $generation, p.digest = $digest RETURN 1"
)
_NEW_POSITION = (
    f"CREATE (:{POSITIONS} "
    "{group_id: $group_id, applied_seq: $applied_seq, generation: $generation, digest: $digest})"
)
READ_POSITIONS = f"MATCH (p:{POSITIONS}) RETURN p.group_id, p.applied_seq, p.generation, p.digest"
READ_META = f"MATCH (m:{META} {{key: $key}}) RETURN m.value"
WRITE_META = f"MERGE (m:{META} {{key: $key}}) SET m.value = $value"


def apply_batch(session: Session, batch: Batch, link: Callable[[Session, Batch], None] | None = None) -> None:
    """Run everything that the batch says, in the order that its description gives.

    `link` makes the hops of new edges and the new mentions; `link_one_by_one` does when it is left out.

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
    _put(session, ENTITY, batch.entities)
    _put(session, EDGE, batch.edges)
    for edge in batch.edges:
        if edge.new and edge.old:
            _relink(session, edge.old, edge.new)
    _put(session, EPISODE, batch.episodes)
    (link or link_one_by_one)(session, batch)
    attach(session, batch.attach)
    for episode_uuid, entity_uuids in batch.episode_entities.items():
        session.rows(SET_EPISODE_ENTITIES, {"episode": episode_uuid, "entities": list(entity_uuids)})
    for position in batch.positions:
        move_position(session, position)


def link_one_by_one(session: Session, batch: Batch) -> None:
    """Make the hops of new edges and the new mentions, each end looked up by its key: best for a few."""
    for edge in batch.edges:
        if edge.new and not edge.old:
            _link(session, edge.new)
    mentioned: dict[tuple[str, str], dict[str, None]] = {}
    for mention in batch.mentions_added:
        mentioned.setdefault((mention.episode_uuid, mention.group_id), {})[mention.entity_uuid] = None
    new = {change.new.uuid for change in batch.episodes if change.new and not change.old}
    for (episode_uuid, group_id), entity_uuids in mentioned.items():
        place = {"episode": episode_uuid, "group_id": group_id}
        _add_mentions(session, place, list(entity_uuids), is_new=episode_uuid in new)


def _add_mentions(session: Session, place: dict[str, str], entity_uuids: list[str], *, is_new: bool) -> None:
    """Make mentions of one episode. A new one has none yet, so they are made without looking, several at once."""
    start = 0
    while start < len(entity_uuids):
        size = next(size for size in _TOGETHER if size <= len(entity_uuids) - start)
        some = entity_uuids[start : start + size]
        start += size
        ends = {f"entity{number}": uuid for number, uuid in enumerate(some)}
        if is_new and session.rows(_new_mentions(size), {**place, **ends}):
            continue
        for uuid in some:
            session.rows(ADD_MENTION, {**place, "entity": uuid})


@cache
def _new_mentions(count: int) -> str:
    """Write the statement that makes so many mentions of an episode. It makes none when any entity is missing."""
    ends = " ".join(f"MATCH (e{number}:Entity {{uuid: $entity{number}}})" for number in range(count))
    links = ", ".join(f"(p)-[:MENTIONS {{group_id: $group_id}}]->(e{number})" for number in range(count))
    return f"MATCH (p:Episodic {{uuid: $episode}}) {ends} CREATE {links} RETURN 1"


def new_links(batch: Batch) -> int:
    """Return how many links `link_one_by_one` would make at the most."""
    return 2 * sum(1 for edge in batch.edges if edge.new and not edge.old) + len(batch.mentions_added)


def clear_group(session: Session, group_id: str) -> None:
    """Remove everything that a group owns."""
    for statement in _CLEAR_GROUP:
        session.rows(statement, {"group_id": group_id})


def attach(session: Session, pairs: Iterable[tuple[str, str]]) -> None:
    """Make the hops of edges whose entity, the first of a pair, arrived after them."""
    for entity_uuid, edge_uuid in pairs:
        session.rows(_ATTACH_SOURCE, {"source": entity_uuid, "edge": edge_uuid})
        session.rows(_ATTACH_TARGET, {"target": entity_uuid, "edge": edge_uuid})


def _delete(session: Session, table: Table[RowT], changes: Sequence[Change[RowT]]) -> None:
    for change in changes:
        if change.old and not change.new:
            for statement in _DELETE[table.label]:
                session.rows(statement, {"uuid": change.old.uuid})


def _put(session: Session, table: Table[RowT], changes: Sequence[Change[RowT]]) -> None:
    created = [table.write(change.new) for change in changes if change.new and not change.old]
    if len(created) < MANY:
        for values in created:
            session.rows(table.create, values)
    else:
        for start in range(0, len(created), CHUNK_ROWS):
            session.rows(table.create_many, {"rows": created[start : start + CHUNK_ROWS]})
    for change in changes:
        if change.new and change.old:
            _update(session, table, change.old, change.new)


def _update(session: Session, table: Table[RowT], old: RowT, new: RowT) -> None:
    if not session.rows(*table.update(old, new)):
        raise StoreError(f"no {table.label} {new.uuid} to change")


def _link(session: Session, edge: Edge) -> None:
    source = {"source": edge.source_uuid, "edge": edge.uuid}
    target = {"target": edge.target_uuid, "edge": edge.uuid}
    if not session.rows(_LINK_BOTH, {**source, **target}):
        session.rows(_LINK_SOURCE, source)
        session.rows(_LINK_TARGET, target)


def _relink(session: Session, old: Edge, new: Edge) -> None:
    if old.source_uuid != new.source_uuid:
        session.rows(_UNLINK_SOURCE, {"edge": new.uuid})
        session.rows(_LINK_SOURCE, {"source": new.source_uuid, "edge": new.uuid})
    if old.target_uuid != new.target_uuid:
        session.rows(_UNLINK_TARGET, {"edge": new.uuid})
        session.rows(_LINK_TARGET, {"target": new.target_uuid, "edge": new.uuid})


def move_position(session: Session, position: Position) -> None:
    """Record how far a group's log is applied."""
    values = {
        "group_id": position.group_id,
        "applied_seq": position.applied_seq,
        "generation": position.generation,
        "digest": f"{position.digest:032x}",
    }
    if not session.rows(_MOVE_POSITION, values):
        session.rows(_NEW_POSITION, values)


def read_positions(session: Session) -> dict[str, Position]:
    """Return each group's recorded position."""
    return {
        group_id: Position(group_id, applied_seq, generation, int(digest, 16))
        for group_id, applied_seq, generation, digest in session.rows(READ_POSITIONS)
    }
