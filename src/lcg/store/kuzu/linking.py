"""How a transaction makes links, a few at a time. Every end is looked up by its key; for all else the engine scans.

What is new comes with its links in one statement: a statement for the row and one for each link take twice as long.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Literal, TypeVar

from lcg.model.rows import Edge, Entity, Mention
from lcg.runtime.parts import parts
from lcg.store.kuzu.creating import new_rows
from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.rows import EDGE, ENTITY
from lcg.store.protocol import Batch, Change

ItemT = TypeVar("ItemT")

CHUNK_ROWS = 500
_EDGES_TOGETHER = (4, 3, 2, 1)
_PAIRS = (2, 1)
_MENTIONS_TOGETHER = (6, 4, 3, 2, 1)
"""How many of them one statement makes: more at once save nothing, and every size is a statement to prepare."""
_SEVERAL = 2

_End = Literal["source_uuid", "target_uuid"]
_Part = tuple[_End | None, Sequence[Edge]]
"""Edges for one statement, and the end that all of them share."""

_SOURCE = "MATCH (a:Entity {uuid: $source})"
_TARGET = "MATCH (b:Entity {uuid: $target})"
_EDGE = "MATCH (n:RelatesToNode_ {uuid: $edge})"
_LINK_SOURCE = f"{_SOURCE} {_EDGE} CREATE (a)-[:RELATES_TO]->(n)"
_LINK_TARGET = f"{_TARGET} {_EDGE} CREATE (n)-[:RELATES_TO]->(b)"
# Attaching may meet a hop that is there; four times as dear as creating, so only here.
_ATTACH_SOURCE = f"{_SOURCE} {_EDGE} WHERE n._source_uuid = a.uuid MERGE (a)-[:RELATES_TO]->(n)"
_ATTACH_TARGET = f"{_TARGET} {_EDGE} WHERE n._target_uuid = b.uuid MERGE (n)-[:RELATES_TO]->(b)"
_UNLINK_SOURCE = "MATCH (:Entity)-[hop:RELATES_TO]->(n:RelatesToNode_ {uuid: $edge}) DELETE hop"
_UNLINK_TARGET = "MATCH (n:RelatesToNode_ {uuid: $edge})-[hop:RELATES_TO]->(:Entity) DELETE hop"
_MENTIONED = (
    "MATCH (p:Episodic {{uuid: $episode}}) UNWIND $rows AS r CREATE (p)-[:MENTIONS {{group_id: $group_id}}]->({})"
)
ADD_MENTION = (
    "MATCH (p:Episodic {uuid: $episode}) MATCH (e:Entity {uuid: $entity}) "
    "MERGE (p)-[m:MENTIONS]->(e) SET m.group_id = $group_id"
)


def create_edges(session: Session, edges: Sequence[Edge]) -> None:
    """Create edges, each with the hops whose entity exists."""
    for shared, some in _sharing_an_end(edges):
        if _create_with_both_hops(session, shared, some):
            continue
        for edge in some:
            if len(some) == 1 or not _create_with_both_hops(session, None, [edge]):
                session.rows(EDGE.create, EDGE.write(edge))
                link_source(session, edge)
                link_target(session, edge)


def _sharing_an_end(edges: Iterable[Edge]) -> Iterator[_Part]:
    """Put edges together that share an end, which then is looked up once; the others go in pairs."""
    ends: tuple[_End, _End] = ("source_uuid", "target_uuid")
    for end in ends:
        alone = []
        for sharing in _by_end(edges, end):
            if len(sharing) < _SEVERAL:
                alone += sharing
            else:
                yield from ((end, some) for some in together(sharing, _EDGES_TOGETHER))
        edges = alone
    yield from ((None, some) for some in together(alone, _PAIRS))


def _by_end(edges: Iterable[Edge], end: _End) -> Iterable[list[Edge]]:
    found: dict[str, list[Edge]] = {}
    for edge in edges:
        found.setdefault(getattr(edge, end), []).append(edge)
    return found.values()


def _create_with_both_hops(session: Session, shared: _End | None, edges: Sequence[Edge]) -> bool:
    """Create edges with their hops; none of them, and return False, when any end is missing."""
    written = [EDGE.write(edge) for edge in edges]
    fields = tuple(field for field in written[0] if any(row[field] is not None for row in written))
    values = {f"{field}{at}": row[field] for at, row in enumerate(written) for field in fields}
    return bool(session.rows(edges_with_hops(shared, len(edges), fields), values))


@cache
def edges_with_hops(shared: _End | None, count: int, fields: tuple[str, ...] | None = None) -> str:
    """Write the statement that creates so many edges with both hops; all have the end of the first where it is shared.

    Each end is a variable of its own, also where two are one entity, so that there are few statements to prepare.
    `fields` are those that get a value, if not all do.
    """
    sources = ["a0" if shared == "source_uuid" else f"a{at}" for at in range(count)]
    targets = ["b0" if shared == "target_uuid" else f"b{at}" for at in range(count)]
    ends = [(source, f"source_uuid{source[1:]}") for source in dict.fromkeys(sources)]
    ends += [(target, f"target_uuid{target[1:]}") for target in dict.fromkeys(targets)]
    found = " ".join(f"MATCH ({end}:Entity {{uuid: ${value}}})" for end, value in ends)
    edges = ", ".join(
        f"({source})-[:RELATES_TO]->({EDGE.node(str(at), fields)})-[:RELATES_TO]->({target})"
        for at, (source, target) in enumerate(zip(sources, targets, strict=True))
    )
    return f"{found} CREATE {edges} RETURN 1"


def link_source(session: Session, edge: Edge) -> None:
    """Make the hop of an edge from its source, if that entity exists."""
    session.rows(_LINK_SOURCE, {"source": edge.source_uuid, "edge": edge.uuid})


def link_target(session: Session, edge: Edge) -> None:
    """Make the hop of an edge to its target, if that entity exists."""
    session.rows(_LINK_TARGET, {"target": edge.target_uuid, "edge": edge.uuid})


def relink(session: Session, old: Edge, new: Edge) -> None:
    """Move the hops of an edge whose ends changed."""
    if old.source_uuid != new.source_uuid:
        session.rows(_UNLINK_SOURCE, {"edge": new.uuid})
        link_source(session, new)
    if old.target_uuid != new.target_uuid:
        session.rows(_UNLINK_TARGET, {"edge": new.uuid})
        link_target(session, new)


def attach(session: Session, pairs: Iterable[tuple[str, str]]) -> None:
    """Make the hops of edges whose entity, the first of a pair, arrived after them."""
    for entity_uuid, edge_uuid in pairs:
        session.rows(_ATTACH_SOURCE, {"source": entity_uuid, "edge": edge_uuid})
        session.rows(_ATTACH_TARGET, {"target": entity_uuid, "edge": edge_uuid})


def create_mentioned(session: Session, batch: Batch) -> tuple[list[Entity], list[Mention]]:
    """Create the new entities that a new episode mentions, with that mention; return the other entities and mentions.

    The episodes are there already.
    """
    new = [change.new for change in batch.entities if change.new and not change.old]
    waiting = {row.uuid: row for row in new}
    fresh = new_episodes(batch)
    mentioned: dict[tuple[str, str], list[Entity]] = {}
    mentions = []
    for mention in batch.mentions_added:
        row = waiting.pop(mention.entity_uuid, None) if mention.episode_uuid in fresh else None
        if row is None:
            mentions.append(mention)
        else:
            mentioned.setdefault((mention.episode_uuid, mention.group_id), []).append(row)
    for (episode_uuid, group_id), entities in mentioned.items():
        place = {"episode": episode_uuid, "group_id": group_id}
        for some in parts(entities, CHUNK_ROWS):
            made = new_rows(ENTITY, [ENTITY.write(row) for row in some])
            session.rows(_MENTIONED.format(made.pattern), {**place, **made.beside, "rows": made.rows})
    return [row for row in new if row.uuid in waiting], mentions


def mention_changed(
    session: Session, batch: Batch, mentions: Iterable[Mention]
) -> tuple[list[Change[Entity]], list[Mention]]:
    """Change stored entities that a new episode mentions, with that mention; return the other changes and mentions.

    Both need the entity to be looked up.
    """
    changes = {change.new.uuid: change for change in batch.entities if change.new and change.old}
    fresh, waiting = new_episodes(batch), dict(changes)
    mentioned: dict[tuple[str, str], list[Change[Entity]]] = {}
    others = []
    for mention in mentions:
        change = waiting.pop(mention.entity_uuid, None) if mention.episode_uuid in fresh else None
        if change is None:
            others.append(mention)
        else:
            mentioned.setdefault((mention.episode_uuid, mention.group_id), []).append(change)
    for (episode_uuid, group_id), of_episode in mentioned.items():
        for some in together(of_episode, _MENTIONS_TOGETHER):
            if not _change_and_mention(session, episode_uuid, group_id, some):
                waiting |= {change.new.uuid: change for change in some if change.new}
                others += [Mention(group_id, episode_uuid, change.new.uuid) for change in some if change.new]
    return list(waiting.values()), others


def _change_and_mention(session: Session, episode_uuid: str, group_id: str, changes: Sequence[Change[Entity]]) -> bool:
    """Do so; do nothing, and return False, when any row is missing."""
    rows = [change.new for change in changes if change.new]
    differing = {
        field for change in changes if change.old and change.new for field in ENTITY.differing(change.old, change.new)
    }
    columns = tuple(column for column in ENTITY.columns if column.field in differing)
    values: dict[str, Any] = {"episode": episode_uuid, "group_id": group_id}
    values |= {f"entity{at}": row.uuid for at, row in enumerate(rows)}
    for column in columns:
        values |= {f"{column.field}{at}": column.write(getattr(row, column.field)) for at, row in enumerate(rows)}
    named = tuple((column.name, column.field) for column in columns)
    return bool(session.rows(_new_mentions(len(rows), named), values))


def add_mentions(session: Session, batch: Batch, mentions: Iterable[Mention]) -> None:
    """Make mentions of entities that exist."""
    fresh = new_episodes(batch)
    mentioned: dict[tuple[str, str], dict[str, None]] = {}
    for mention in mentions:
        mentioned.setdefault((mention.episode_uuid, mention.group_id), {})[mention.entity_uuid] = None
    for (episode_uuid, group_id), entity_uuids in mentioned.items():
        place = {"episode": episode_uuid, "group_id": group_id}
        # A new episode has none yet, so they are made without looking, several at once.
        for some in together(list(entity_uuids), _MENTIONS_TOGETHER if episode_uuid in fresh else (1,)):
            ends = {f"entity{at}": uuid for at, uuid in enumerate(some)}
            if episode_uuid in fresh and session.rows(_new_mentions(len(some)), {**place, **ends}):
                continue
            for uuid in some:
                session.rows(ADD_MENTION, {**place, "entity": uuid})


@cache
def _new_mentions(count: int, columns: tuple[tuple[str, str], ...] = ()) -> str:
    """Write the statement that makes so many mentions of an episode. It makes none when any entity is missing.

    It sets columns of the entities too, given with the fields that they are of.
    """
    ends = " ".join(f"MATCH (e{at}:Entity {{uuid: $entity{at}}})" for at in range(count))
    links = ", ".join(f"(p)-[:MENTIONS {{group_id: $group_id}}]->(e{at})" for at in range(count))
    settings = ", ".join(f"e{at}.{name} = ${field}{at}" for at in range(count) for name, field in columns)
    setting = f"SET {settings} " if columns else ""
    return f"MATCH (p:Episodic {{uuid: $episode}}) {ends} CREATE {links} {setting}RETURN 1"


def new_episodes(batch: Batch) -> set[str]:
    """Return the uuids of a batch's new episodes."""
    return {change.new.uuid for change in batch.episodes if change.new and not change.old}


def new_links(batch: Batch) -> int:
    """Return how many links a batch makes at the most."""
    return 2 * sum(1 for edge in batch.edges if edge.new and not edge.old) + len(batch.mentions_added)


def together(items: Sequence[ItemT], sizes: Sequence[int]) -> Iterator[Sequence[ItemT]]:
    """Cut items into parts of these sizes, the largest first; the last size is 1."""
    start = 0
    while start < len(items):
        size = next(size for size in sizes if size <= len(items) - start)
        yield items[start : start + size]
        start += size
