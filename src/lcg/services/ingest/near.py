"""Looking for entities whose names are near to new ones, before a write is planned: by vector, then by spelling."""

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from lcg.graph.graph import Graph
from lcg.model.names import name_key
from lcg.model.rows import Entity
from lcg.runtime.groups import GroupFilter
from lcg.search.protocol import Vector, VectorIndex, VectorKind
from lcg.services.ingest.likeness import Labels, Likeness, alike

NEAR = 0.85
"""The plain cosine from which two names can be one entity's, if their spelling agrees."""

MOST_NEAR = 64
"""How many entities near to a name are looked at: an embedder that finds more of them near does not tell them apart."""

_FIRST_REACH = 8
_BLOCK = 256


@dataclass(frozen=True, slots=True)
class Named:
    """An entity that another ingest has planned: it may not be found by vector yet."""

    group_id: str
    uuid: str
    name: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class Match:
    """An entity that a name may mean. It was read when it was found, so whoever acts on it looks again."""

    entity: Entity
    likeness: Likeness
    cosine: float
    by: Literal["embedding", "adapter"] = "embedding"


@dataclass(slots=True)
class Watch:
    """What an ingest knows of the names near to its own.

    `near` has the uuids of stored entities with their cosines, best first, by name key; `vectors` the vectors of its
    own names, by name key; `own` which of these are near to each other. `planned` are the entities that it makes, by
    name key, `arrived` those that others made meanwhile. `judged` is what a judge chose of `near`, by name key; None
    when there is no judge, and spelling decides alone. `crowded` are the names with more near ones than are looked at.

    What grows with the square of the names is done in `NearNames.look`, before the writer's thread is asked: while
    that plans a text, nobody else writes.
    """

    near: dict[str, dict[str, float]] = field(default_factory=dict)
    vectors: dict[str, Vector] = field(default_factory=dict)
    own: dict[str, dict[str, float]] = field(default_factory=dict)
    planned: dict[str, Named] = field(default_factory=dict)
    arrived: list[Named] = field(default_factory=list)
    judged: dict[str, str] | None = None
    crowded: set[str] = field(default_factory=set)
    _stacked: tuple[int, list[Named], Vector] | None = None

    def candidates(self, group_id: str, name: str) -> dict[str, float]:
        """Return the entities near to a name that spelling decides about, and their cosines."""
        key = name_key(name)
        found = dict(self.near.get(key, {})) if self.judged is None else {}
        vector = self.vectors.get(key)
        if vector is None:
            return found
        others, vectors = self._arrived_in(group_id)
        for at, cosine in self._nearest(key, vectors @ vector) if others else ():
            found.setdefault(others[at].uuid, cosine)
        for other_key, cosine in self.own.get(key, {}).items():
            if other_key in self.planned:
                found.setdefault(self.planned[other_key].uuid, cosine)
        return found

    def compare_own(self) -> None:
        """Find which of the own names are near to each other."""
        keys = list(self.vectors)
        if not keys:
            return
        matrix = np.stack([self.vectors[key] for key in keys])
        for start in range(0, len(keys), _BLOCK):
            for key, cosines in zip(keys[start:], matrix[start : start + _BLOCK] @ matrix.T, strict=False):
                near = {keys[at]: cosine for at, cosine in self._nearest(key, cosines) if keys[at] != key}
                if near:
                    self.own[key] = near

    def _arrived_in(self, group_id: str) -> tuple[list[Named], Vector]:
        """Return what arrived in a group and its vectors, one a row; stacked anew only when more has arrived."""
        if self._stacked is None or self._stacked[0] != len(self.arrived):
            others = [other for other in self.arrived if other.group_id == group_id]
            rows = np.stack([other.vector for other in others]) if others else np.empty((0, 0), np.float32)
            self._stacked = (len(self.arrived), others, rows)
        return self._stacked[1:]

    def _nearest(self, key: str, cosines: Vector) -> list[tuple[int, float]]:
        """Return the places of what is near, and the cosines; of too many the nearest, and the name is `crowded`."""
        places = np.flatnonzero(cosines >= NEAR)
        if len(places) > MOST_NEAR:
            self.crowded.add(key)
            places = places[np.argsort(-cosines[places], kind="stable")[:MOST_NEAR]]
        return [(int(at), float(cosines[at])) for at in places]


class NearNames:
    """Finds near names, and lets ingests that run beside each other know of each other's. Safe from any thread."""

    def __init__(self, graph: Graph, vectors: VectorIndex) -> None:
        self._graph = graph
        self._vectors = vectors
        self._lock = threading.Lock()
        self._watches: list[Watch] = []

    @contextmanager
    def watching(self) -> Iterator[Watch]:
        """Watch, from before the first look until the write is done, what others plan."""
        watch = Watch()
        with self._lock:
            watch.arrived += [named for other in self._watches for named in other.planned.values()]
            self._watches.append(watch)
        try:
            yield watch
        finally:
            with self._lock:
                # By identity: two watches that know nothing yet are equal.
                self._watches = [other for other in self._watches if other is not watch]

    def look(self, watch: Watch, group_id: str, names: Iterable[str]) -> None:
        """Find what is near to those of the names that the group does not have; none when there are no vectors."""
        unknown = [name for name in names if self.is_unknown(group_id, name)]
        vectors = self._vectors.known(unknown)
        groups = GroupFilter((group_id,))
        for name, vector in vectors.items():
            watch.vectors[name_key(name)] = vector
            watch.near[name_key(name)] = self._near(watch, name_key(name), vector, groups)
        watch.compare_own()

    def is_unknown(self, group_id: str, name: str) -> bool:
        """Say whether no entity of the group, live or merged away, has that name."""
        index = self._graph.index
        return not index.named(group_id, name) and not index.buried(group_id, name)

    def plan(self, watch: Watch, row: Entity) -> None:
        """Note that an ingest makes an entity. Called while it is planned, so on one thread."""
        vector = watch.vectors.get(name_key(row.name))
        if vector is None:
            return
        named = Named(row.group_id, row.uuid, row.name, vector)
        with self._lock:
            watch.planned[name_key(row.name)] = named
            for other in self._watches:
                if other is not watch:
                    other.arrived.append(named)

    def _near(self, watch: Watch, key: str, vector: Vector, groups: GroupFilter) -> dict[str, float]:
        hits = self._vectors.search(VectorKind.ENTITY_NAME, vector, groups, _FIRST_REACH)
        if len(hits) == _FIRST_REACH and hits[-1].score >= NEAR:
            hits = self._vectors.search(VectorKind.ENTITY_NAME, vector, groups, MOST_NEAR + 1)
        near = [hit for hit in hits if hit.score >= NEAR]
        if len(near) > MOST_NEAR:
            watch.crowded.add(key)
        return {hit.uuid: hit.score for hit in near[:MOST_NEAR]}


def best_match(
    name: str, labels: Labels, candidates: Mapping[str, float], rows: Mapping[str, Entity], all_known: bool = True
) -> Match | None:
    """Return the live entity that a name means, if the spelling says so of any of the candidates.

    Of several, the nearest by vector, then the oldest. A name that stands for several longer ones means none of them,
    nor does one that may stand for more than the candidates, when these are not `all_known`.
    """
    found = [
        Match(row, likeness, cosine)
        for uuid, cosine in candidates.items()
        if (row := rows.get(uuid)) is not None and not row.is_tombstone
        if (likeness := alike(name, labels, row.name, row.labels)) is not None
    ]
    same = [match for match in found if match.likeness is Likeness.SAME]
    if not same and (len(found) > 1 or not all_known):
        return None
    order = sorted(same or found, key=lambda match: (-match.cosine, match.entity.created_at, match.entity.uuid))
    return order[0] if order else None
