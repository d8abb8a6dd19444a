"""The rows that a translated log refers to, where a log is folded and where it is staged."""

from collections.abc import Iterator, Mapping

from lcg.graph.entries import Kind
from lcg.graph.fold import Fold
from lcg.graph.stage import Stage
from lcg.model.rows import Edge, Entity, Episode
from lcg.wal.reference.rows import RowKind


class FoldRows:
    """The rows of a fold, all of one group."""

    def __init__(self, fold: Fold) -> None:
        self._fold = fold

    def entity(self, uuid: str) -> Entity | None:
        """Return an entity."""
        return self._fold.entities.get(uuid)

    def edge(self, uuid: str) -> Edge | None:
        """Return a relationship."""
        return self._fold.edges.get(uuid)

    def episode(self, uuid: str) -> Episode | None:
        """Return an episode."""
        return self._fold.episodes.get(uuid)

    def group_of(self, kind: RowKind, uuid: str) -> str | None:
        """Return the fold's group when it holds a row of this kind."""
        return self._fold.group_id if uuid in self._table(kind) else None

    def owned(self, kind: RowKind, group_id: str) -> Iterator[str]:
        """Yield the uuids of the rows of this kind."""
        return iter(self._table(kind) if group_id == self._fold.group_id else ())

    def _table(self, kind: RowKind) -> Mapping[str, object]:
        match kind:
            case "entity":
                return self._fold.entities
            case "edge":
                return self._fold.edges
            case "episode":
                return self._fold.episodes


class StageRows:
    """The rows of the graph with what a stage does to them, of all groups."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def entity(self, uuid: str) -> Entity | None:
        """Return an entity."""
        return self._stage.entities.get(uuid) if self.group_of("entity", uuid) is not None else None

    def edge(self, uuid: str) -> Edge | None:
        """Return a relationship."""
        return self._stage.edges.get(uuid) if self.group_of("edge", uuid) is not None else None

    def episode(self, uuid: str) -> Episode | None:
        """Return an episode."""
        return self._stage.episodes.get(uuid) if self.group_of("episode", uuid) is not None else None

    def group_of(self, kind: RowKind, uuid: str) -> str | None:
        """Return the group that holds a row of this kind, or None when there is none."""
        place = self._stage.index.places.get(uuid)
        return place[1] if place is not None and place[0] is Kind(kind) else None

    def owned(self, kind: RowKind, group_id: str) -> Iterator[str]:
        """Yield the uuids of a group's rows of this kind."""
        wanted = (Kind(kind), group_id)
        return iter([uuid for uuid, place in self._stage.index.places.items() if place == wanted])
