"""A graph store in plain memory: the same behaviour as the real one, for tests and properties. It has no Cypher."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.plain import Plain, plain
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.model.times import Micros
from lcg.store.protocol import (
    Batch,
    Bookkeeping,
    Change,
    CypherAnswer,
    Direction,
    GroupLoad,
    Position,
    RowChanges,
    RowT,
    Snapshot,
    StoreError,
)

_SOURCE, _TARGET = "source", "target"


class MemoryStore:
    """Dictionaries behind one lock. It is its own reader; nothing outlives the object."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._entities: dict[str, Entity] = {}
        self._edges: dict[str, Edge] = {}
        self._episodes: dict[str, Episode] = {}
        self._mentions: dict[tuple[str, str], Mention] = {}
        self._hops: set[tuple[str, str]] = set()
        self._positions: dict[str, Position] = {}
        self._meta: dict[str, str] = {}
        self._closed = False

    def apply(self, batch: Batch) -> None:
        """Apply a batch: all of it or nothing. Raises StoreError when a row's `old` contradicts what is stored."""
        with self._lock:
            self._check_open()
            _check(batch.entities, self._entities, batch.cleared)
            _check(batch.edges, self._edges, batch.cleared)
            _check(batch.episodes, self._episodes, batch.cleared)
            for group_id in batch.cleared:
                self._clear(group_id)
            self._delete(batch)
            self._entities.update({change.new.uuid: change.new for change in batch.entities if change.new})
            for edge in batch.edges:
                self._put_edge(edge)
            for entity_uuid, edge_uuid in batch.attach:
                self._link(edge_uuid, only=entity_uuid)
            self._episodes.update({change.new.uuid: change.new for change in batch.episodes if change.new})
            for mention in batch.mentions_added:
                if mention.episode_uuid in self._episodes and mention.entity_uuid in self._entities:
                    self._mentions[mention.episode_uuid, mention.entity_uuid] = mention
            self._positions.update({position.group_id: position for position in batch.positions})

    def _clear(self, group_id: str) -> None:
        self._remove(
            {row.uuid for row in self._entities.values() if row.group_id == group_id},
            {row.uuid for row in self._edges.values() if row.group_id == group_id},
            {row.uuid for row in self._episodes.values() if row.group_id == group_id},
        )

    def _delete(self, batch: Batch) -> None:
        self._remove(_gone(batch.entities), _gone(batch.edges), _gone(batch.episodes))
        for mention in batch.mentions_removed:
            self._mentions.pop((mention.episode_uuid, mention.entity_uuid), None)

    def _remove(self, entities: set[str], edges: set[str], episodes: set[str]) -> None:
        if not (entities or edges or episodes):
            return
        self._hops = {
            (uuid, side)
            for uuid, side in self._hops
            if uuid not in edges and _end(self._edges[uuid], side) not in entities
        }
        self._mentions = {
            (episode, entity): mention
            for (episode, entity), mention in self._mentions.items()
            if episode not in episodes and entity not in entities
        }
        for uuid in entities:
            self._entities.pop(uuid, None)
        for uuid in edges:
            self._edges.pop(uuid, None)
        for uuid in episodes:
            self._episodes.pop(uuid, None)

    def _put_edge(self, change: Change[Edge]) -> None:
        if change.new is None:
            return
        stored = self._edges.get(change.new.uuid)
        for side in (_SOURCE, _TARGET):
            if stored and _end(stored, side) != _end(change.new, side):
                self._hops.discard((stored.uuid, side))
        self._edges[change.new.uuid] = change.new
        for side in (_SOURCE, _TARGET):
            if stored is None or _end(stored, side) != _end(change.new, side):
                self._link(change.new.uuid, only=_end(change.new, side))

    def _link(self, edge_uuid: str, only: str) -> None:
        edge = self._edges.get(edge_uuid)
        for side in (_SOURCE, _TARGET):
            if edge and _end(edge, side) == only and only in self._entities:
                self._hops.add((edge_uuid, side))

    def apply_later(self, batch: Batch, failed: Callable[[StoreError], None]) -> None:
        """Apply a batch now."""
        self.apply(batch)

    def settle(self) -> None:
        """Do nothing: what was taken is applied."""

    def load_group(self, load: GroupLoad) -> None:
        """Replace everything that a group owns, and its position."""
        group_id = load.position.group_id
        self.apply(
            Batch(
                cleared=[group_id],
                entities=[Change(None, Entity(*values)) for values in load.entities],
                edges=[Change(None, Edge(*values)) for values in load.edges],
                episodes=[Change(None, Episode(*values)) for values in load.episodes],
                mentions_added=[Mention(group_id, uuid, end) for uuid, ends in load.mentions.items() for end in ends],
                episode_entities={uuid: tuple(ends) for uuid, ends in load.mentions.items()},
                attach=list(load.attach),
                positions=[load.settled()],
            )
        )

    def positions(self) -> dict[str, Position]:
        """Return each group's recorded position."""
        with self._lock:
            self._check_open()
            return dict(self._positions)

    def meta(self, key: str) -> str | None:
        """Return a workspace-wide setting, or None."""
        with self._lock:
            self._check_open()
            return self._meta.get(key)

    def set_meta(self, key: str, value: str) -> None:
        """Keep such a setting."""
        with self._lock:
            self._check_open()
            self._meta[key] = value

    def reader(self) -> "AbstractContextManager[MemoryStore]":
        """Lend the store itself."""
        self._check_open()
        return nullcontext(self)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Lend a copy of the store as it is now."""
        copy = MemoryStore()
        with self._lock:
            self._check_open()
            copy._entities, copy._edges = dict(self._entities), dict(self._edges)
            copy._episodes, copy._mentions = dict(self._episodes), dict(self._mentions)
            copy._hops = set(self._hops)
            positions = dict(self._positions)
        yield Snapshot(positions, copy)

    def writer_reader(self) -> "MemoryStore":
        """Return the store itself."""
        return self

    def checkpoint(self) -> bool:
        """Do nothing: there is no file."""
        self._check_open()
        return True

    def give_back(self) -> None:
        """Do nothing."""
        self._check_open()

    def close(self) -> None:
        """Refuse everything from now on."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the store is closed")

    def entities(self, uuids: Iterable[str]) -> dict[str, Entity]:
        """Return entities by uuid."""
        return self._pick(self._entities, uuids)

    def edges(self, uuids: Iterable[str]) -> dict[str, Edge]:
        """Return relationships by uuid, unbound ones included."""
        return self._pick(self._edges, uuids)

    def episodes(self, uuids: Iterable[str]) -> dict[str, Episode]:
        """Return episodes by uuid."""
        return self._pick(self._episodes, uuids)

    def _pick(self, rows: dict[str, RowT], uuids: Iterable[str]) -> dict[str, RowT]:
        with self._lock:
            self._check_open()
            return {uuid: rows[uuid] for uuid in uuids if uuid in rows}

    def neighbour_edges(self, entity_uuid: str, direction: Direction) -> list[Edge]:
        """Return the edges of an entity that have both hops, by uuid descending. A self-edge counts as `out` only."""
        with self._lock:
            self._check_open()
            return sorted(
                (
                    edge
                    for edge in self._edges.values()
                    if (edge.uuid, _SOURCE) in self._hops
                    and (edge.uuid, _TARGET) in self._hops
                    and _is_neighbour(edge, entity_uuid, direction)
                ),
                key=lambda edge: edge.uuid,
                reverse=True,
            )

    def edges_into(self, group_id: str) -> list[Edge]:
        """Return the edges of other groups that have a hop to an entity of this group."""
        with self._lock:
            self._check_open()
            owned = {row.uuid for row in self._entities.values() if row.group_id == group_id}
            return [
                edge
                for edge in self._edges.values()
                if edge.group_id != group_id
                and any((edge.uuid, side) in self._hops and _end(edge, side) in owned for side in (_SOURCE, _TARGET))
            ]

    def edges_holding_at(self, moment: Micros) -> set[str]:
        """Return the edges whose fact holds at a time."""
        with self._lock:
            self._check_open()
            return {edge.uuid for edge in self._edges.values() if edge.holds_at(moment)}

    def bound_edges(self) -> set[str]:
        """Return the edges that have both hops."""
        with self._lock:
            self._check_open()
            return {uuid for uuid, side in self._hops if side == _SOURCE and (uuid, _TARGET) in self._hops}

    def lone_hops(self) -> set[tuple[str, str]]:
        """Return the hops of edges that have one only, as (entity uuid, edge uuid)."""
        with self._lock:
            self._check_open()
            other = {_SOURCE: _TARGET, _TARGET: _SOURCE}
            lone = [(uuid, side) for uuid, side in self._hops if (uuid, other[side]) not in self._hops]
            return {(_end(self._edges[uuid], side), uuid) for uuid, side in lone}

    def scan_entities(self) -> Iterator[Entity]:
        """Yield every entity."""
        return self._snapshot(self._entities)

    def scan_edges(self) -> Iterator[Edge]:
        """Yield every relationship."""
        return self._snapshot(self._edges)

    def scan_episodes(self) -> Iterator[Episode]:
        """Yield every episode."""
        return self._snapshot(self._episodes)

    def _snapshot(self, rows: dict[str, RowT]) -> Iterator[RowT]:
        with self._lock:
            self._check_open()
            return iter(list(rows.values()))

    def outlined_entities(self) -> Iterator[Plain]:
        """Yield the values of every entity."""
        return map(plain, self.scan_entities())

    def outlined_edges(self) -> Iterator[Plain]:
        """Yield the values of every relationship."""
        return map(plain, self.scan_edges())

    def outlined_episodes(self) -> Iterator[Plain]:
        """Yield the values of every episode."""
        return map(plain, self.scan_episodes())

    def whole_rows(self, kind: type[Row]) -> Iterator[Plain]:
        """Yield the values of every row of a kind."""
        if kind is Mention:
            return map(plain, self.scan_mentions())
        tables: dict[type[Row], dict[str, Any]] = {Entity: self._entities, Edge: self._edges, Episode: self._episodes}
        return map(plain, self._snapshot(tables[kind]))

    def scan_mentions(self) -> Iterator[Mention]:
        """Yield every mention, in the order of episode uuid, entity uuid."""
        with self._lock:
            self._check_open()
            return iter([self._mentions[key] for key in sorted(self._mentions)])

    def probe(self) -> bool:
        """Say whether the store is open."""
        return not self._closed

    def cypher(
        self,
        query: str,
        parameters: dict[str, Any],
        *,
        max_rows: int,
        timeout_ms: int,
        spent_ms: int = 0,
        cancelled: threading.Event | None = None,
    ) -> CypherAnswer:
        """Refuse: only the graph engine speaks Cypher."""
        raise OperationFailed(ErrorKind.PRECONDITION, "The in-memory store has no Cypher; use a store with an engine.")

    def mutate(
        self,
        query: str,
        parameters: dict[str, Any],
        *,
        max_rows: int,
        timeout_ms: int,
        spent_ms: int = 0,
        accept: Callable[[RowChanges], Bookkeeping],
        cancelled: threading.Event | None = None,
    ) -> CypherAnswer:
        """Refuse, as `cypher` does."""
        return self.cypher(query, parameters, max_rows=max_rows, timeout_ms=timeout_ms)


def _end(edge: Edge, side: str) -> str:
    return edge.source_uuid if side == _SOURCE else edge.target_uuid


def _is_neighbour(edge: Edge, entity_uuid: str, direction: Direction) -> bool:
    if direction == "out":
        return edge.source_uuid == entity_uuid
    return edge.target_uuid == entity_uuid and edge.source_uuid != entity_uuid


def _gone(changes: list[Change[RowT]]) -> set[str]:
    return {change.old.uuid for change in changes if change.old and not change.new}


def _check(changes: list[Change[RowT]], rows: dict[str, RowT], cleared: list[str]) -> None:
    stored = {uuid for uuid, row in rows.items() if row.group_id not in cleared}
    seen: set[str] = set()
    for change in changes:
        if change.new is None:
            continue
        uuid = change.new.uuid
        if uuid in seen or (change.old is None and uuid in stored):
            raise StoreError(f"duplicate row {uuid}")
        if change.old is not None and uuid not in stored:
            raise StoreError(f"no row {uuid} to change")
        seen.add(uuid)
