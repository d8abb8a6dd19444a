"""The rows that statements refer to: a patch needs the row that it changes."""

from collections.abc import Iterator
from typing import Literal, Protocol

from lcg.model.operations import (
    EdgeDelete,
    EdgePut,
    EntityDelete,
    EntityPut,
    EpisodeDelete,
    EpisodePut,
    GroupClear,
    Operation,
)
from lcg.model.rows import Edge, Entity, Episode

RowKind = Literal["entity", "edge", "episode"]


class KnownRows(Protocol):
    """The rows as they are before a line. Rows of other groups may be in it; they are never changed."""

    def entity(self, uuid: str) -> Entity | None:
        """Return an entity."""
        ...

    def edge(self, uuid: str) -> Edge | None:
        """Return a relationship."""
        ...

    def episode(self, uuid: str) -> Episode | None:
        """Return an episode."""
        ...

    def group_of(self, kind: RowKind, uuid: str) -> str | None:
        """Return the group that holds a row of this kind, or None when there is none."""
        ...

    def owned(self, kind: RowKind, group_id: str) -> Iterator[str]:
        """Yield the uuids of a group's rows of this kind."""
        ...


class FoldedRows:
    """The rows of one log, folded in memory: whoever has no rows elsewhere feeds it all operations."""

    def __init__(self) -> None:
        self._entities: dict[str, Entity] = {}
        self._edges: dict[str, Edge] = {}
        self._episodes: dict[str, Episode] = {}

    def entity(self, uuid: str) -> Entity | None:
        """Return an entity."""
        return self._entities.get(uuid)

    def edge(self, uuid: str) -> Edge | None:
        """Return a relationship."""
        return self._edges.get(uuid)

    def episode(self, uuid: str) -> Episode | None:
        """Return an episode."""
        return self._episodes.get(uuid)

    def group_of(self, kind: RowKind, uuid: str) -> str | None:
        """Return the group that holds a row of this kind, or None when there is none."""
        row: Entity | Edge | Episode | None = self._table(kind).get(uuid)
        return row.group_id if row else None

    def owned(self, kind: RowKind, group_id: str) -> Iterator[str]:
        """Yield the uuids of a group's rows of this kind."""
        return (uuid for uuid, row in self._table(kind).items() if row.group_id == group_id)

    def apply(self, operation: Operation) -> None:
        """Take in what a line did."""
        match operation:
            case EntityPut(row):
                self._entities[row.uuid] = row
            case EdgePut(row):
                self._edges[row.uuid] = row
            case EpisodePut(row):
                self._episodes[row.uuid] = row
            case EntityDelete(uuid):
                self._entities.pop(uuid, None)
            case EdgeDelete(uuid):
                self._edges.pop(uuid, None)
            case EpisodeDelete(uuid):
                self._episodes.pop(uuid, None)
            case GroupClear():
                self._entities.clear()
                self._edges.clear()
                self._episodes.clear()
            case _:
                pass

    def _table(self, kind: RowKind) -> dict[str, Entity] | dict[str, Edge] | dict[str, Episode]:
        match kind:
            case "entity":
                return self._entities
            case "edge":
                return self._edges
            case "episode":
                return self._episodes
