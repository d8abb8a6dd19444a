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

_FIRST_REACH = 32


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
    own names, by name key. `planned` are the entities that it makes, `arrived` those that others made meanwhile.
    `judged` is what a judge chose of `near`, by name key; None when there is no judge, and spelling decides alone.
    """

    near: dict[str, dict[str, float]] = field(default_factory=dict)
    vectors: dict[str, Vector] = field(default_factory=dict)
    planned: list[Named] = field(default_factory=list)
    arrived: list[Named] = field(default_factory=list)
    judged: dict[str, str] | None = None

    def candidates(self, group_id: str, name: str) -> dict[str, float]:
        """Return the entities near to a name that spelling decides about, and their cosines."""
        found = dict(self.near.get(name_key(name), {})) if self.judged is None else {}
        vector = self.vectors.get(name_key(name))
        if vector is None:
            return found
        for other in (*self.arrived, *self.planned):
            cosine = float(np.dot(vector, other.vector))
            if other.group_id == group_id and cosine >= NEAR:
                found.setdefault(other.uuid, cosine)
        return found


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
            watch.arrived += [named for other in self._watches for named in other.planned]
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
            watch.near[name_key(name)] = self._near(vector, groups)

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
            watch.planned.append(named)
            for other in self._watches:
                if other is not watch:
                    other.arrived.append(named)

    def _near(self, vector: Vector, groups: GroupFilter) -> dict[str, float]:
        reach = _FIRST_REACH
        while True:
            hits = self._vectors.search(VectorKind.ENTITY_NAME, vector, groups, reach)
            if len(hits) < reach or hits[-1].score < NEAR:
                return {hit.uuid: hit.score for hit in hits if hit.score >= NEAR}
            reach *= 4


def best_match(name: str, labels: Labels, candidates: Mapping[str, float], rows: Mapping[str, Entity]) -> Match | None:
    """Return the live entity that a name means, if the spelling says so of any of the candidates.

    Of several, the nearest by vector, then the oldest. A name that stands for several longer ones means none of them.
    """
    found = [
        Match(row, likeness, cosine)
        for uuid, cosine in candidates.items()
        if (row := rows.get(uuid)) is not None and not row.is_tombstone
        if (likeness := alike(name, labels, row.name, row.labels)) is not None
    ]
    same = [match for match in found if match.likeness is Likeness.SAME]
    if not same and len(found) > 1:
        return None
    order = sorted(same or found, key=lambda match: (-match.cosine, match.entity.created_at, match.entity.uuid))
    return order[0] if order else None
