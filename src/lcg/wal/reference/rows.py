"""The rows that statements refer to: a patch needs the row that it changes."""

from collections.abc import Iterator
from typing import Literal, Protocol

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
