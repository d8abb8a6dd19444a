"""What a workspace holds at one moment, read from its store and logs past everything that is to be tested."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

import orjson

from lcg.graph.positions import shown
from lcg.model.digest import MODULUS, row_hash
from lcg.model.names import name_key
from lcg.model.pointers import Pointer, Side, pointers_of
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from tests.histories.steps import Pick
from tests.histories.world import World

RowT = TypeVar("RowT", Entity, Edge, Episode)


@dataclass(frozen=True)
class Place:
    """Where a group's log and the graph in it are.

    `excluded` are the lines that are left out, `skipped` those purges among them that no rebuild takes in again.
    """

    applied: int = 0
    last: int = 0
    excluded: frozenset[int] = frozenset()
    skipped: frozenset[int] = frozenset()
    generation: str | None = None
    is_recorded: bool = field(default=False, compare=False)

    @property
    def lines(self) -> frozenset[int]:
        """The lines of which the group's rows are made."""
        return frozenset(range(1, self.applied + 1)) - self.excluded


@dataclass(frozen=True)
class Picture:
    """All rows by uuid, and each group's place."""

    entities: dict[str, Entity]
    edges: dict[str, Edge]
    episodes: dict[str, Episode]
    mentions: frozenset[Mention]
    places: dict[str, Place]
    recorded: dict[str, int]
    """Each group's digest as it is recorded with its position."""

    def rows(self, group: str) -> frozenset[Row]:
        """Return all that a group owns."""
        return frozenset(row for row in self._all() if row.group_id == group)

    def _all(self) -> Iterator[Row]:
        yield from self.entities.values()
        yield from self.edges.values()
        yield from self.episodes.values()
        yield from self.mentions

    def groups(self) -> set[str]:
        """Return the groups that own something or have a log."""
        return {row.group_id for row in self._all()} | set(self.places)

    def of(self, group: str) -> tuple[Place, frozenset[Row]]:
        """Return all that there is to say of a group."""
        return self.places.get(group, Place()), self.rows(group)

    def digests(self) -> dict[str, int]:
        """Compute each group's digest from its rows, empty groups left out."""
        digests = {group: sum(map(row_hash, self.rows(group))) % MODULUS for group in self.groups()}
        return {group: digest for group, digest in digests.items() if digest}

    def place(self, group: str) -> Place:
        """Return a group's place; one without a log has one, too."""
        return self.places.get(group, Place())

    def pick(self, rows: dict[str, RowT], group: str, pick: Pick) -> RowT | None:
        """Return the row of a group that a history means."""
        own = sorted((row for row in rows.values() if row.group_id == group), key=age)
        return own[pick.number % len(own)] if own else None

    def live(self, group: str, name: str) -> list[Entity]:
        """Return the live entities of a name, oldest first."""
        return [row for row in self._named(group, name) if not row.is_tombstone]

    def _named(self, group: str, name: str) -> list[Entity]:
        key = name_key(name)
        found = [row for row in self.entities.values() if row.group_id == group and name_key(row.name) == key]
        return sorted(found, key=age)

    def found(self, group: str, name: str) -> Entity | None:
        """Return the entity that a name means: the oldest live one, else the end of the oldest tombstone's chain."""
        live = self.live(group, name)
        buried = self._named(group, name)
        return live[0] if live else self.end_of_chain(buried[0]) if buried else None

    def end_of_chain(self, row: Entity) -> Entity | None:
        """Return the live entity that a tombstone leads to, or None of one that leads nowhere."""
        seen: set[str] = set()
        current: Entity | None = row
        while current is not None and current.is_tombstone:
            if current.uuid in seen or current.group_id != row.group_id:
                return None
            seen.add(current.uuid)
            current = self.entities.get(merged_into(current))
        return current if current is not None and current.group_id == row.group_id else None

    def held(self, group: str | None = None) -> Iterator[Edge]:
        """Yield the edges, of one group or of all, that are not invalidated."""
        return (row for row in self.edges.values() if row.invalid_at is None and group in (None, row.group_id))

    def pointers_into(self, group: str) -> Iterator[tuple[Edge, Side, Pointer]]:
        """Yield the pointers into a group of edges that are not invalidated."""
        for edge in self.held():
            for side, pointer in pointers_of(edge.attributes).items():
                if pointer.source_group_id == group:
                    yield edge, side, pointer

    def mentioned_in(self, entities: Iterable[str]) -> set[str]:
        """Return the episodes that mention one of these entities."""
        wanted = set(entities)
        return {mention.episode_uuid for mention in self.mentions if mention.entity_uuid in wanted}


def age(row: Entity | Edge | Episode) -> tuple[int, str]:
    """Return what rows are sorted by: oldest first."""
    return row.created_at, row.uuid


def merged_into(row: Entity) -> str:
    """Return what a tombstone names as its successor."""
    return str(orjson.loads(row.attributes).get("merged_into"))


def end_at(edge: Edge, side: Side) -> str:
    """Return the end of an edge on one side."""
    return edge.source_uuid if side == "src" else edge.target_uuid


def take_picture(world: World) -> Picture:
    """Read everything."""
    state, log = world.graph.state, world.log
    with state.store.reader() as reader:
        entities = {row.uuid: row for row in reader.scan_entities()}
        edges = {row.uuid: row for row in reader.scan_edges()}
        episodes = {row.uuid: row for row in reader.scan_episodes()}
        mentions = frozenset(reader.scan_mentions())
    positions = state.store.positions()
    places = {}
    for group in {*log.groups(), *positions}:
        stream, position = log.stream(group), positions.get(group)
        excluded = stream.excluded
        left_out, skipped = _lines(excluded.everything), _lines(excluded.skipped_purges)
        applied, last, is_recorded = shown(position), stream.max_seq or 0, position is not None
        places[group] = Place(applied, last, left_out, skipped, stream.generation, is_recorded)
    recorded = {group: position.digest for group, position in positions.items() if position.digest}
    return Picture(entities, edges, episodes, mentions, places, recorded)


def _lines(ranges: Iterable[tuple[int, int]]) -> frozenset[int]:
    return frozenset(seq for first, last in ranges for seq in range(first, last + 1))
