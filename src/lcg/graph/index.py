"""What planning must know at once, in memory: names, edge keys, chunk keys, mentions, what is where, counts.

One thread (the committer) changes the index; any thread may read it. Values are immutable, so a reader never sees one
half changed. Every change is journalled until it is committed, so a write that fails is taken back exactly.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from lcg.graph.entries import (
    ChunkRevision,
    Count,
    Dated,
    EpisodeSource,
    GroupTables,
    Kind,
    Waiting,
    chunk_key,
    indexed_of,
)
from lcg.graph.filling import Filling, filling_of
from lcg.graph.journal import Journal
from lcg.model.digest import moved
from lcg.model.names import name_key
from lcg.model.plain import plain
from lcg.model.pointers import Pointer, pointers_of
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.model.times import Micros
from lcg.runtime.groups import GroupFilter

RowT = TypeVar("RowT", Entity, Edge, Episode)

_NOTHING = GroupTables()
"""What a group without rows has; never written to."""


class GraphIndex:
    """The in-memory side of a graph. See the module's text for who may do what."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[Kind, str]] = {}
        self._groups: dict[str, GroupTables] = {}
        self._episodes_of: dict[str, tuple[str, ...]] = {}
        self._entities_of: dict[str, tuple[str, ...]] = {}
        self._dangling: dict[str, tuple[Waiting, ...]] = {}
        self._unbound: dict[str, tuple[str, str]] = {}
        self._sources: dict[str, EpisodeSource] = {}
        self._stated: dict[str, tuple[str, ...]] = {}
        self.digests: dict[str, int] = {}
        self._journal = Journal()
        self._set = self._journal.set

    # Questions

    def named(self, group_id: str, name: str) -> tuple[Dated, ...]:
        """Return the live entities of that name in the group, oldest first."""
        return self._tables(group_id).names.get(name_key(name), ())

    def named_in(self, groups: GroupFilter, name: str) -> list[str]:
        """Return the live entities of exactly that name, letter case aside, in any of these groups."""
        key = name_key(name)
        chosen = list(self._groups) if groups.ids is None else groups.ids
        return [dated.uuid for group in chosen for dated in self._tables(group).names.get(key, ())]

    def buried(self, group_id: str, name: str) -> tuple[Dated, ...]:
        """Return the tombstones of that name in the group, oldest first."""
        return self._tables(group_id).buried.get(name_key(name), ())

    def active_edges(self, group_id: str, source: str, predicate: str, target: str) -> tuple[Dated, ...]:
        """Return the edges of that key that are not invalidated, oldest first."""
        return self._tables(group_id).edges.get((source, predicate, target), ())

    def revisions(self, group_id: str, source_file: str, chunk_id: str) -> tuple[ChunkRevision, ...]:
        """Return a chunk's episodes, lowest revision first."""
        return self._tables(group_id).chunks.get((source_file, chunk_id), ())

    def siblings(self, episode: Episode) -> tuple[str, ...]:
        """Return every episode of the episode's chunk, lowest revision first; of one that is no chunk, itself."""
        key = chunk_key(episode)
        if key is None:
            return (episode.uuid,)
        return tuple(revision.episode_uuid for revision in self._tables(episode.group_id).chunks.get(key, ()))

    def is_superseded(self, episode: Episode) -> bool:
        """Say whether a newer revision of the episode's chunk exists."""
        siblings = self.siblings(episode)
        return bool(siblings) and siblings[-1] != episode.uuid

    def episodes_of(self, entity_uuid: str) -> tuple[str, ...]:
        """Return the episodes that mention an entity, in no order that a restart would keep."""
        return self._episodes_of.get(entity_uuid, ())

    def entities_of(self, episode_uuid: str) -> tuple[str, ...]:
        """Return the entities that an episode mentions, in no order that a restart would keep."""
        return self._entities_of.get(episode_uuid, ())

    def has(self, kind: Kind, uuid: str) -> bool:
        """Say whether a row of that kind exists."""
        place = self.places.get(uuid)
        return place is not None and place[0] is kind

    def is_unbound(self, edge_uuid: str) -> bool:
        """Say whether an edge lacks an endpoint, which hides it from reads."""
        return edge_uuid in self._unbound

    def waiting_for(self, entity_uuid: str) -> tuple[Waiting, ...]:
        """Return the edges that name this entity while it does not exist."""
        return self._dangling.get(entity_uuid, ())

    def awaited(self) -> list[str]:
        """Return the entities that edges name while they do not exist."""
        return list(self._dangling)

    def waiting_beside(self, entity_uuid: str) -> list[tuple[str, str]]:
        """Return (edge uuid, other end) of the unbound edges that have this entity as an end."""
        found = [(edge, *ends) for edge, ends in self._unbound.items() if entity_uuid in ends]
        return [(edge, target if source == entity_uuid else source) for edge, source, target in found]

    def pointers(self, group_id: str) -> list[tuple[str, tuple[Pointer, ...]]]:
        """Return the edges of a group that are not invalidated and point into other groups, with their pointers."""
        return list(self._tables(group_id).pointers.items())

    def unbound_of(self, group_id: str) -> list[str]:
        """Return a group's edges that lack an endpoint."""
        shown = self._tables(group_id).rows[Kind.EDGE]
        return [uuid for uuid in self._unbound if uuid in shown]

    def stated_by(self, episode_uuid: str) -> tuple[str, ...]:
        """Return the edges that have an episode in their provenance."""
        return self._stated.get(episode_uuid, ())

    def count(self, what: Count, group_id: str | None = None) -> int:
        """Return a count, of one group or of all."""
        if group_id is not None:
            return self._tables(group_id).counts.get(what, 0)
        return sum(tables.counts.get(what, 0) for tables in list(self._groups.values()))

    def groups(self) -> set[str]:
        """Return the groups that hold a row."""
        return {group for group, tables in list(self._groups.items()) if any(tables.rows.values())}

    def visible(self, kind: Kind, groups: GroupFilter) -> list[str]:
        """Return the rows of a kind that clients see (no tombstones, no unbound edges), by uuid descending."""
        chosen = list(self._groups) if groups.ids is None else groups.ids
        # list() of a dictionary is atomic, so the committer may change it meanwhile.
        shown = [list(self._tables(group).rows[kind].items()) for group in chosen]
        return sorted((uuid for rows in shown for uuid, visible in rows if visible), reverse=True)

    def is_visible(self, uuid: str) -> bool:
        """Say whether clients see a row."""
        place = self.places.get(uuid)
        return place is not None and self._tables(place[1]).rows[place[0]].get(uuid, False)

    def episodes_from(self, source: str, groups: GroupFilter) -> list[str]:
        """Return the episodes of these groups whose source description holds a text."""
        return [
            uuid
            for uuid, known in list(self._sources.items())
            if source in known.description and known.group_id in groups
        ]

    def newest_episodes(self, group_id: str) -> list[str]:
        """Return a group's episodes, newest first, ties by uuid descending."""
        uuids = list(self._tables(group_id).rows[Kind.EPISODE])
        dated = [(source.created_at, uuid) for uuid in uuids if (source := self._sources.get(uuid))]
        return [uuid for _, uuid in sorted(dated, reverse=True)]

    def source_of(self, episode_uuid: str) -> EpisodeSource | None:
        """Return where an episode came from, or None when it does not exist."""
        return self._sources.get(episode_uuid)

    def episode_span(self) -> tuple[Micros, Micros] | None:
        """Return the oldest and the newest episode time, or None without episodes."""
        times = [source.created_at for source in list(self._sources.values())]
        return (min(times), max(times)) if times else None

    # Changes (committer only)

    def undo(self) -> None:
        """Take back every change since the last commit."""
        self._journal.undo(0)

    def commit(self) -> None:
        """Forget how to go back."""
        self._journal.commit()

    def load(
        self,
        entities: Iterable[Entity],
        edges: Iterable[Edge],
        episodes: Iterable[Episode],
        mentions: Iterable[Mention],
        digests: Mapping[str, int],
    ) -> None:
        """Take over what a store holds. The digests are taken as recorded, not computed."""
        linked: dict[str, dict[str, bool]] = {}
        for mention in mentions:
            linked.setdefault(mention.episode_uuid, {})[mention.entity_uuid] = True
        self.take_over(filling_of(map(plain, entities), map(plain, edges), map(plain, episodes), linked))
        self.digests.update(digests)

    def take_over(self, filling: Filling) -> None:
        """Take in what groups hold of which this index holds nothing, for good and without moving the digests."""
        self.places.update(filling.places)
        self._groups.update(filling.groups)
        self._episodes_of.update(filling.episodes_of)
        self._entities_of.update(filling.entities_of)
        self._sources.update(filling.sources)
        for episode, edges in filling.stated.items():
            self._stated[episode] = (*self._stated.get(episode, ()), *edges)
        with self._journal.paused():
            for edge in filling.loose:
                self.change_edge(None, edge)

    def change_entity(self, old: Entity | None, new: Entity | None) -> None:
        """Move the index with an entity's row."""
        self._digest(old, new)
        for row, sign in ((old, -1), (new, 1)):
            if row is None:
                continue
            tables = self._writable(row.group_id)
            table = tables.buried if row.is_tombstone else tables.names
            self._member(table, name_key(row.name), Dated(row.created_at, row.uuid), sign)
            self._count(row.group_id, Count.TOMBSTONES if row.is_tombstone else Count.ENTITIES, sign)
        self._place(Kind.ENTITY, old, new, visible=new is not None and not new.is_tombstone)

    def change_edge(self, old: Edge | None, new: Edge | None) -> None:
        """Move the index with an edge's row."""
        self._digest(old, new)
        if old is not None and new is not None and indexed_of(old) == indexed_of(new):
            return
        if old is not None:
            self._count_edge(old, -1)
            self._key_edge(old, -1)
            self._unlink(old)
        if new is not None:
            self._link(new)
            self._key_edge(new, 1)
            self._count_edge(new, 1)
        self._place(Kind.EDGE, old, new, visible=new is not None and new.uuid not in self._unbound)
        self._state(old, new)

    def change_episode(self, old: Episode | None, new: Episode | None) -> None:
        """Move the index with an episode's row."""
        self._digest(old, new)
        for row, sign in ((old, -1), (new, 1)):
            if row is None:
                continue
            key = chunk_key(row)
            if key is not None:
                entry = ChunkRevision(row.revision or 0, row.uuid, row.text_hash or "", row.extractor_key or "")
                self._member(self._writable(row.group_id).chunks, key, entry, sign)
            self._count(row.group_id, Count.EPISODES, sign)
            source = EpisodeSource(row.created_at, row.group_id, row.name, row.source_description)
            self._set(self._sources, row.uuid, source if sign > 0 else None)
        self._place(Kind.EPISODE, old, new, visible=True)

    def add_mention(self, mention: Mention) -> bool:
        """Link an episode to an entity; say whether that is new."""
        known = self._entities_of.get(mention.episode_uuid, ())
        others = self._episodes_of.get(mention.entity_uuid, ())
        # A long text mentions thousands of entities, and an entity can be in thousands of texts.
        is_known = mention.entity_uuid in known if len(known) < len(others) else mention.episode_uuid in others
        if is_known:
            return False
        self._digest(None, mention)
        self._set(self._entities_of, mention.episode_uuid, (*known, mention.entity_uuid))
        self._set(self._episodes_of, mention.entity_uuid, (*others, mention.episode_uuid))
        return True

    def remove_mention(self, mention: Mention) -> bool:
        """Take such a link away; say whether it was there."""
        known = self._entities_of.get(mention.episode_uuid, ())
        if mention.entity_uuid not in known:
            return False
        self._digest(mention, None)
        self._journal.remove(self._entities_of, mention.episode_uuid, mention.entity_uuid)
        self._journal.remove(self._episodes_of, mention.entity_uuid, mention.episode_uuid)
        return True

    def bind(self, entity_uuid: str, rows: Iterable[Edge]) -> list[str]:
        """Give the edges that waited for an entity their hop; return those that are whole now."""
        waiting = self._dangling.get(entity_uuid, ())
        self._set(self._dangling, entity_uuid, None)
        by_uuid = {row.uuid: row for row in rows}
        whole = []
        for edge_uuid, other in waiting:
            if other == entity_uuid or self.has(Kind.ENTITY, other):
                self._count_edge(by_uuid[edge_uuid], -1)
                self._set(self._unbound, edge_uuid, None)
                self._count_edge(by_uuid[edge_uuid], 1)
                self._show(by_uuid[edge_uuid], visible=True)
                whole.append(edge_uuid)
        return whole

    def unbind(self, entity_uuid: str, rows: Iterable[Edge]) -> None:
        """Take the hop to an entity that goes from edges that stay."""
        for row in rows:
            other = row.target_uuid if row.source_uuid == entity_uuid else row.source_uuid
            self._count_edge(row, -1)
            self._wait(entity_uuid, row.uuid, other)
            self._set(self._unbound, row.uuid, (row.source_uuid, row.target_uuid))
            self._count_edge(row, 1)
            self._show(row, visible=False)

    def clear_group(self, group_id: str, unbound: Iterable[Edge]) -> None:
        """Forget everything that a group owns; `unbound` are its edges that lack an endpoint.

        Edges of other groups that end at its entities are the caller's to `unbind` afterwards.
        """
        tables = self._tables(group_id)
        for edge in unbound:
            self._unlink(edge)
        for kind, rows in tables.rows.items():
            for uuid in rows:
                self._set(self.places, uuid, None)
                if kind is Kind.ENTITY:
                    self._set(self._episodes_of, uuid, None)
                elif kind is Kind.EPISODE:
                    for table in (self._entities_of, self._sources, self._stated):
                        self._set(table, uuid, None)
        self._set(self._groups, group_id, GroupTables())
        self._set(self.digests, group_id, 0)

    # Parts

    def _tables(self, group_id: str) -> GroupTables:
        return self._groups.get(group_id) or _NOTHING

    def _writable(self, group_id: str) -> GroupTables:
        tables = self._groups.get(group_id)
        if tables is None:
            tables = self._groups[group_id] = GroupTables()
        return tables

    def _member(self, table: dict[Any, tuple[Any, ...]], key: Any, entry: Any, sign: int) -> None:
        change = self._journal.add if sign > 0 else self._journal.remove_sorted
        change(table, key, entry)

    def _count(self, group_id: str, what: Count, by: int) -> None:
        counts = self._writable(group_id).counts
        self._set(counts, what, counts.get(what, 0) + by)

    def _show(self, row: Edge, *, visible: bool) -> None:
        self._set(self._writable(row.group_id).rows[Kind.EDGE], row.uuid, visible)

    def _state(self, old: Edge | None, new: Edge | None) -> None:
        if old is not None:
            for episode in old.episodes:
                self._journal.remove(self._stated, episode, old.uuid)
        if new is not None:
            for episode in new.episodes:
                self._set(self._stated, episode, (*self._stated.get(episode, ()), new.uuid))

    def _count_edge(self, row: Edge, sign: int) -> None:
        if row.uuid in self._unbound:
            self._count(row.group_id, Count.UNBOUND, sign)
            return
        self._count(row.group_id, Count.EDGES, sign)
        if row.invalid_at is not None:
            self._count(row.group_id, Count.INVALIDATED, sign)

    def _key_edge(self, row: Edge, sign: int) -> None:
        if row.invalid_at is None:
            key = (row.source_uuid, row.name, row.target_uuid)
            tables = self._writable(row.group_id)
            self._member(tables.edges, key, Dated(row.created_at, row.uuid), sign)
            if pointers := tuple(pointers_of(row.attributes).values()):
                self._set(tables.pointers, row.uuid, pointers if sign > 0 else None)

    def _place(self, kind: Kind, old: RowT | None, new: RowT | None, *, visible: bool) -> None:
        row = new if new is not None else old
        if row is not None:
            self._set(self.places, row.uuid, None if new is None else (kind, row.group_id))
            self._set(self._writable(row.group_id).rows[kind], row.uuid, None if new is None else visible)

    def _digest(self, old: Row | None, new: Row | None) -> None:
        row = new if new is not None else old
        if row is not None and self._journal.recording:
            before = self.digests.get(row.group_id)
            self._set(self.digests, row.group_id, moved(before or 0, old, new))

    def _link(self, row: Edge) -> None:
        for end, other in ((row.source_uuid, row.target_uuid), (row.target_uuid, row.source_uuid)):
            if not self.has(Kind.ENTITY, end):
                self._set(self._unbound, row.uuid, (row.source_uuid, row.target_uuid))
                if end:
                    self._wait(end, row.uuid, other)

    def _wait(self, end: str, edge_uuid: str, other: str) -> None:
        waiting = self._dangling.get(end, ())
        if (edge_uuid, other) not in waiting:
            self._set(self._dangling, end, (*waiting, (edge_uuid, other)))

    def _unlink(self, row: Edge) -> None:
        for end, other in ((row.source_uuid, row.target_uuid), (row.target_uuid, row.source_uuid)):
            if end in self._dangling:
                self._journal.remove(self._dangling, end, (row.uuid, other))
        if row.uuid in self._unbound:
            self._set(self._unbound, row.uuid, None)
