"""Turning operations into the rows of one store transaction. Live writes and replay go through here alike.

A `Stage` covers one transaction. It answers "what is this row now" (planned in this stage, else stored), moves the
index with each operation, and at the end knows each row's way from its stored to its final state.
"""

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from lcg.graph.entries import Kind
from lcg.graph.index import GraphIndex
from lcg.model.operations import (
    EdgeDelete,
    EdgePut,
    EntityDelete,
    EntityPut,
    EpisodeDelete,
    EpisodePut,
    GroupClear,
    MentionDelete,
    MentionPut,
    Operation,
)
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.store.protocol import Batch, Change, Direction, StoreReader

RowT = TypeVar("RowT", Entity, Edge, Episode)
Read = Callable[[Iterable[str]], dict[str, RowT]]
"""Gives the stored rows of these uuids; unknown ones are left out."""


class OperationRefused(Exception):
    """An operation that contradicts what is there: a foreign group, or a uuid of another row."""


@dataclass(slots=True)
class _Table(Generic[RowT]):
    """The rows of one table that this stage touched: as they were stored, and as they are now.

    `known` has every row that exists now, so nothing is read for a uuid that it lacks, as that of most new rows.
    """

    read: Read[RowT]
    known: Container[str]
    before: dict[str, RowT | None] = field(default_factory=dict)
    after: dict[str, RowT | None] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    stored: dict[str, RowT] = field(default_factory=dict)

    def get(self, uuid: str) -> RowT | None:
        if uuid in self.after:
            return self.after[uuid]
        if uuid in self.gone or uuid not in self.known:
            return None
        return self.stored.get(uuid) or self.read([uuid]).get(uuid)

    def get_all(self, uuids: Iterable[str]) -> dict[str, RowT]:
        """Return rows by uuid, all in one read; what is kept of it holds as long as the stage."""
        wanted = list(uuids)
        self.stored |= self.read(
            [uuid for uuid in wanted if uuid in self.known and uuid not in self.after and uuid not in self.stored]
        )
        found = {uuid: self.get(uuid) for uuid in wanted if uuid in self.after or uuid in self.stored}
        return {uuid: row for uuid, row in found.items() if row is not None}

    def now(self, stored: Iterable[RowT]) -> list[RowT]:
        """Return rows that were read from the store as they are in this stage."""
        left = (self.after.get(row.uuid, None if row.uuid in self.gone else row) for row in stored)
        return [row for row in left if row is not None]

    def set(self, uuid: str, old: RowT | None, new: RowT | None) -> None:
        self.before.setdefault(uuid, old)
        self.after[uuid] = new

    def forget(self, uuids: frozenset[str]) -> None:
        """Drop the rows of a group that is cleared: the store drops them by itself, and here they are gone now."""
        self.gone |= uuids
        for uuid in [uuid for uuid in self.after if uuid in uuids]:
            del self.before[uuid], self.after[uuid]

    def changes(self) -> list[Change[RowT]]:
        pairs = ((self.before[uuid], new) for uuid, new in self.after.items())
        return [Change(old, new) for old, new in pairs if old is not None or new is not None]


class Stage:
    """The rows of one transaction in the making.

    Rows are read by `entities`, `edges` and `episodes`, everything else is asked of the reader that `reader` gives.
    """

    def __init__(
        self,
        index: GraphIndex,
        reader: Callable[[], StoreReader],
        *,
        entities: Read[Entity],
        edges: Read[Edge],
        episodes: Read[Episode],
    ) -> None:
        self.index = index
        self._reader = reader
        self.entities: _Table[Entity] = _Table(entities, index.places)
        self.edges: _Table[Edge] = _Table(edges, index.places)
        self.episodes: _Table[Episode] = _Table(episodes, index.places)
        self._mentions: dict[tuple[str, str], tuple[Mention, bool]] = {}
        self._attach: dict[tuple[str, str], None] = {}
        self.rebound: set[str] = set()
        self._met: set[str] = set()
        self.cleared: dict[str, None] = {}
        self.touched_groups: set[str] = set()

    def apply(self, group_id: str, operation: Operation) -> None:
        """Take one operation of a group in.

        Raises:
            OperationRefused: it contradicts what is there. The index may be half moved: go back to a mark.
        """
        self.touched_groups.add(group_id)
        match operation:
            case EntityPut(row):
                self._put_entity(group_id, canonical_entity(row))
            case EntityDelete(uuid):
                self._delete_entity(group_id, uuid)
            case EdgePut(row):
                self._put_edge(group_id, canonical_edge(row))
            case EdgeDelete(uuid):
                self._delete_edge(group_id, uuid)
            case EpisodePut(row):
                self._put_episode(group_id, row)
            case EpisodeDelete(uuid):
                self._delete_episode(group_id, uuid)
            case MentionPut(row):
                self._put_mention(group_id, row)
            case MentionDelete(row):
                self._delete_mention(group_id, row)
            case GroupClear():
                self._clear(group_id)

    def batch(self) -> Batch:
        """Return everything that was staged, as one transaction without positions."""
        mentions = [(mention, added) for mention, added in self._mentions.values()]
        present = {uuid for uuid, row in self.episodes.after.items() if row is not None}
        touched = present | {mention.episode_uuid for mention, _ in mentions}
        return Batch(
            cleared=list(self.cleared),
            entities=self.entities.changes(),
            edges=self.edges.changes(),
            episodes=self.episodes.changes(),
            mentions_added=[mention for mention, added in mentions if added],
            mentions_removed=[mention for mention, added in mentions if not added],
            attach=[pair for pair in self._attach if all(uuid in self.index.places for uuid in pair)],
            episode_entities={
                uuid: self.index.entities_of(uuid) for uuid in touched if self.index.has(Kind.EPISODE, uuid)
            },
        )

    def edges_from(self, entity_uuid: str) -> list[Edge]:
        """Return the edges that begin at this entity, whether stored or staged."""
        return [row for row in self._edges(entity_uuid, ("out",)) if row.source_uuid == entity_uuid]

    def edges_at(self, entity_uuid: str) -> list[Edge]:
        """Return the edges that have a hop to this entity, whether stored or staged."""
        return [
            row for row in self._edges(entity_uuid, ("out", "in")) if entity_uuid in (row.source_uuid, row.target_uuid)
        ]

    def _edges(self, entity_uuid: str, ways: tuple[Direction, ...]) -> list[Edge]:
        stored = {row.uuid: row for way in ways for row in self._reader().neighbour_edges(entity_uuid, way)}
        beside = [edge for edge, _ in self.index.waiting_beside(entity_uuid)]
        # What got a hop in this stage is neither found by that hop nor waiting for it any more.
        stored.update(self._reader().edges(dict.fromkeys((*beside, *self._met, *self.rebound))))
        staged = [row for uuid, row in self.edges.after.items() if row is not None and uuid not in stored]
        return [*self.edges.now(stored.values()), *staged]

    # One method per operation

    def _put_entity(self, group_id: str, row: Entity) -> None:
        self._own(Kind.ENTITY, row.uuid, group_id, row.group_id)
        old = self.entities.get(row.uuid)
        if old == row:
            return
        self.entities.set(row.uuid, old, row)
        self.index.change_entity(old, row)
        if old is None:
            self._bind(row.uuid)

    def _bind(self, entity_uuid: str) -> None:
        waiting = [edge for edge, _ in self.index.waiting_for(entity_uuid)]
        rows = [row for row in map(self.edges.get, waiting) if row is not None]
        for edge_uuid in waiting:
            self._attach[entity_uuid, edge_uuid] = None
        self._met.update(waiting)
        self.rebound.update(self.index.bind(entity_uuid, rows))

    def _delete_entity(self, group_id: str, uuid: str) -> None:
        row = self.entities.get(uuid)
        if row is None or row.group_id != group_id:
            return
        for episode_uuid in self.index.episodes_of(uuid):
            self._delete_mention(group_id, Mention(group_id, episode_uuid, uuid))
        attached = self.edges_at(uuid)
        self.entities.set(uuid, row, None)
        self.index.change_entity(row, None)
        self._unbind(uuid, attached)

    def _unbind(self, entity_uuid: str, edges: list[Edge]) -> None:
        self.index.unbind(entity_uuid, edges)
        self.rebound.update(edge.uuid for edge in edges)

    def _put_edge(self, group_id: str, row: Edge) -> None:
        self._own(Kind.EDGE, row.uuid, group_id, row.group_id)
        old = self.edges.get(row.uuid)
        if old == row:
            return
        self.edges.set(row.uuid, old, row)
        self.index.change_edge(old, row)

    def _delete_edge(self, group_id: str, uuid: str) -> None:
        row = self.edges.get(uuid)
        if row is None or row.group_id != group_id:
            return
        self.edges.set(uuid, row, None)
        self.index.change_edge(row, None)

    def _put_episode(self, group_id: str, row: Episode) -> None:
        self._own(Kind.EPISODE, row.uuid, group_id, row.group_id)
        old = self.episodes.get(row.uuid)
        if old == row:
            return
        self.episodes.set(row.uuid, old, row)
        self.index.change_episode(old, row)

    def _delete_episode(self, group_id: str, uuid: str) -> None:
        row = self.episodes.get(uuid)
        if row is None or row.group_id != group_id:
            return
        for entity_uuid in self.index.entities_of(uuid):
            self._delete_mention(group_id, Mention(group_id, uuid, entity_uuid))
        self.episodes.set(uuid, row, None)
        self.index.change_episode(row, None)

    def _put_mention(self, group_id: str, row: Mention) -> None:
        for kind, uuid in ((Kind.EPISODE, row.episode_uuid), (Kind.ENTITY, row.entity_uuid)):
            if self.index.places.get(uuid) != (kind, group_id):
                raise OperationRefused(f"a mention names the {kind} {uuid}, which group {group_id!r} does not hold")
        if self.index.add_mention(row):
            self._move_mention(row, added=True)

    def _delete_mention(self, group_id: str, row: Mention) -> None:
        if row.group_id == group_id and self.index.remove_mention(row):
            self._move_mention(row, added=False)

    def _move_mention(self, row: Mention, *, added: bool) -> None:
        key = (row.episode_uuid, row.entity_uuid)
        earlier = self._mentions.pop(key, None)
        if earlier is None:
            self._mentions[key] = (row, added)

    def _clear(self, group_id: str) -> None:
        owned = frozenset(uuid for uuid, (_, group) in self.index.places.items() if group == group_id)
        into = self._edges_into(group_id, owned)
        unbound = [row for row in map(self.edges.get, self.index.unbound_of(group_id)) if row is not None]
        self.index.clear_group(group_id, unbound)
        for row in into:
            for end in {row.source_uuid, row.target_uuid} & owned:
                self._unbind(end, [row])
        for table in (self.entities, self.edges, self.episodes):
            table.forget(owned)
        self._mentions = {key: move for key, move in self._mentions.items() if move[0].group_id != group_id}
        self.cleared[group_id] = None

    def _edges_into(self, group_id: str, owned: frozenset[str]) -> list[Edge]:
        """Return the edges of other groups that end at entities of this group, whether stored or staged."""
        stored = (row.uuid for row in self._reader().edges_into(group_id))
        known = dict.fromkeys((*stored, *self.edges.after, *self._met, *self.rebound))
        rows = [row for row in map(self.edges.get, known) if row is not None]
        return [row for row in rows if row.group_id != group_id and {row.source_uuid, row.target_uuid} & owned]

    def _own(self, kind: Kind, uuid: str, group_id: str, row_group: str) -> None:
        if not uuid:
            raise OperationRefused(f"a row of {kind} has no uuid")
        if row_group != group_id:
            raise OperationRefused(f"a row of group {row_group!r} in the log of group {group_id!r}")
        place = self.index.places.get(uuid)
        if place is not None and place != (kind, group_id):
            raise OperationRefused(f"uuid {uuid} already belongs to an {place[0]} of group {place[1]!r}")


def canonical_entity(row: Entity) -> Entity:
    """Return an entity with `*_embedded` in their one form: null where they equal the current text."""
    if row.name_embedded == row.name or row.summary_embedded == row.summary:
        return replace(
            row,
            name_embedded=None if row.name_embedded == row.name else row.name_embedded,
            summary_embedded=None if row.summary_embedded == row.summary else row.summary_embedded,
        )
    return row


def canonical_edge(row: Edge) -> Edge:
    """Return an edge with `fact_embedded` in its one form."""
    return replace(row, fact_embedded=None) if row.fact_embedded == row.fact else row
