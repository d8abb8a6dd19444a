"""What a write may look at while it is planned, and what planning yields.

Planning runs on the committer's thread, one write after the other, so what it sees holds until its operations are
logged. It must be quick and must not call models: whatever needs one is done before the write is handed in.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from lcg.graph.index import GraphIndex
from lcg.graph.stage import Stage
from lcg.model.operations import Operation
from lcg.model.rows import Edge, Entity, Episode

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Planned(Generic[ResultT]):
    """The operations of a write (none: nothing to change) and what its caller is told once they are safe."""

    operations: Sequence[Operation]
    result: ResultT


class PlanView:
    """The graph as a planner sees it: everything stored, plus what was planned before it in the same round."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    @property
    def index(self) -> GraphIndex:
        """The in-memory index, for questions that need no row."""
        return self._stage.index

    def entity(self, uuid: str) -> Entity | None:
        """Return an entity by uuid."""
        return self._stage.entities.get(uuid)

    def edge(self, uuid: str) -> Edge | None:
        """Return an edge by uuid."""
        return self._stage.edges.get(uuid)

    def entities(self, uuids: Iterable[str]) -> dict[str, Entity]:
        """Return entities by uuid, in one read; unknown ones are left out."""
        return self._stage.entities.get_all(uuids)

    def edges(self, uuids: Iterable[str]) -> dict[str, Edge]:
        """Return edges by uuid, in one read; unknown ones are left out."""
        return self._stage.edges.get_all(uuids)

    def episodes(self, uuids: Iterable[str]) -> dict[str, Episode]:
        """Return episodes by uuid, in one read; unknown ones are left out."""
        return self._stage.episodes.get_all(uuids)

    def episode(self, uuid: str) -> Episode | None:
        """Return an episode by uuid."""
        return self._stage.episodes.get(uuid)

    def entities_named(self, group_id: str, name: str) -> list[Entity]:
        """Return the live entities of a name in a group, oldest first. Older logs may hold several."""
        rows = (self.entity(dated.uuid) for dated in self.index.named(group_id, name))
        return [row for row in rows if row is not None]

    def tombstones_named(self, group_id: str, name: str) -> list[Entity]:
        """Return the merged-away entities of a name in a group, oldest first."""
        rows = (self.entity(dated.uuid) for dated in self.index.buried(group_id, name))
        return [row for row in rows if row is not None]

    def active_edges(self, group_id: str, source: str, predicate: str, target: str) -> list[Edge]:
        """Return the edges of a key that are not invalidated, oldest first."""
        rows = (self.edge(dated.uuid) for dated in self.index.active_edges(group_id, source, predicate, target))
        return [row for row in rows if row is not None]

    def edges_from(self, entity_uuid: str) -> list[Edge]:
        """Return the edges of any group that begin at an entity, whether or not the other end exists, in no order."""
        return self._stage.edges_from(entity_uuid)

    def edges_at(self, entity_uuid: str) -> list[Edge]:
        """Return the edges of any group that end at an entity, whether or not the other end exists, in no order."""
        return self._stage.edges_at(entity_uuid)


Plan = Callable[[PlanView], Planned[ResultT]]
