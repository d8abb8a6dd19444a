"""What the rest of the program may ask of the derived search indexes."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lcg.model.quickly_made import quickly_made
from lcg.runtime.groups import GroupFilter

Vector = NDArray[np.float32]
"""One L2-normalised vector, shape (dim,)."""


class Space(NamedTuple):
    """What vectors have in common that can be compared: the model and the dimension (0: not known yet)."""

    model: str
    dim: int


class TextKind(StrEnum):
    """What full text is kept of: entities by (name, summary), edges by (name, fact), episodes by (content, …)."""

    ENTITY = "entity"
    EDGE = "edge"
    EPISODE = "episode"


class VectorKind(StrEnum):
    """What vectors are kept of."""

    ENTITY_NAME = "entity_name"
    ENTITY_SUMMARY = "entity_summary"
    EDGE_FACT = "edge_fact"
    EPISODE_CONTENT = "episode_content"


@quickly_made
@dataclass(frozen=True, slots=True)
class TextEntry:
    """One searchable row: its full-text fields, in the order of its kind."""

    kind: TextKind
    uuid: str
    group_id: str
    fields: tuple[str, ...]


@quickly_made
@dataclass(frozen=True, slots=True)
class VectorEntry:
    """One row that has a vector: that of `text`."""

    kind: VectorKind
    uuid: str
    group_id: str
    text: str


class IndexedName(NamedTuple):
    """What full text has of an entity's name: its key (`model.names.name_key`), and its words as they are indexed."""

    key: str
    words: str


@quickly_made
@dataclass(frozen=True, slots=True)
class Hit:
    """A found row; a higher score is better (BM25-like for text, plain cosine for vectors)."""

    uuid: str
    score: float


class TextIndex(Protocol):
    """Full text. Writes come from the writer thread; searches from any thread.

    A write that the index does not take raises `index_file.SearchIndexError`; when it is a `SearchIndexReset`, the
    index was damaged and is empty now, for all groups. Nothing else raises for the state of the file.
    """

    def update(
        self, put: Sequence[TextEntry], remove: Sequence[tuple[TextKind, str]], positions: Mapping[str, int]
    ) -> None:
        """Replace and remove entries, and record each group's applied seq, in one transaction."""
        ...

    def positions(self) -> dict[str, int]:
        """Return the seq through which each group's log is indexed."""
        ...

    def search(self, kind: TextKind, query: str, groups: GroupFilter, limit: int) -> list[Hit]:
        """Return the best rows for a query of plain words, groups filtered before the cut. Ties by uuid."""
        ...

    def names(self, uuids: Iterable[str]) -> dict[str, IndexedName]:
        """Return what is indexed of the names of these entities: one look-up, where reading rows is one for each."""
        ...

    def holds_all_terms(self, kind: TextKind, query: str, uuids: Iterable[str]) -> set[str]:
        """Return which of these rows hold every term of the query."""
        ...

    def clear_group(self, group_id: str) -> None:
        """Forget a group, its position included."""
        ...

    def close(self) -> None:
        """Close."""
        ...


class VectorIndex(Protocol):
    """Vectors of one embedding model. Each (kind, group) is searched by itself: exactly, or by an index if it is large.

    An index may seldom miss a row among the nearest; it never tells of a row that is not there. Writes raise as those
    of `TextIndex` do.
    """

    @property
    def space(self) -> Space:
        """The space of all vectors here; of dimension 0 while no model is known."""
        ...

    @property
    def former(self) -> Space | None:
        """The space that rows had vectors in before the model changed, while any row lacks one; else None."""
        ...

    def enter(self, space: Space) -> None:
        """Go over to another space: rows have the vectors that the cache has of it, or none. Safe from any thread."""
        ...

    def known(self, texts: Iterable[str]) -> dict[str, Vector]:
        """Return the vectors that the content-addressed cache already has."""
        ...

    def learn(self, vectors: Mapping[str, Vector]) -> None:
        """Put vectors of texts into the cache. Safe from any thread."""
        ...

    def update(
        self,
        put: Sequence[VectorEntry],
        remove: Sequence[tuple[VectorKind, str]],
        positions: Mapping[str, int],
    ) -> list[VectorEntry]:
        """Give rows the vector of their text, remove others, record positions; return the entries without vector."""
        ...

    def positions(self) -> dict[str, int]:
        """Return the seq through which each group's log is indexed."""
        ...

    def search(self, kind: VectorKind, query: Vector, groups: GroupFilter, limit: int) -> list[Hit]:
        """Return the nearest rows by plain cosine, groups filtered before the cut. Ties by uuid."""
        ...

    def similarities(self, kind: VectorKind, query: Vector, uuids: Iterable[str]) -> dict[str, float]:
        """Return the plain cosine of each of these rows that has a vector."""
        ...

    def missing(self) -> int:
        """Return how many rows should have a vector of the current model and have none."""
        ...

    def missing_entries(self) -> list[VectorEntry]:
        """Return those rows."""
        ...

    def fill(self, entries: Sequence[VectorEntry]) -> int:
        """Give those of these rows that still lack the vector of this text theirs; return how many got one."""
        ...

    def building_later(self) -> AbstractContextManager[None]:
        """Leave what can be built behind an answer until after a `with` block; searches are right all the same."""
        ...

    def clear_group(self, group_id: str) -> None:
        """Forget a group, its position included; the cache keeps its vectors."""
        ...

    def close(self) -> None:
        """Close."""
        ...
