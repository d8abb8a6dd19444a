"""What the in-memory index is made of: kinds, counts, and the small entries that its tables hold."""

from dataclasses import dataclass, field
from enum import StrEnum

from lcg.model.pointers import Pointer
from lcg.model.quickly_made import quickly_made
from lcg.model.rows import Edge, Episode
from lcg.model.times import Micros


class Kind(StrEnum):
    """The table that a uuid belongs to."""

    ENTITY = "entity"
    EDGE = "edge"
    EPISODE = "episode"


class Count(StrEnum):
    """What is counted per group. Entities and edges as clients see them; the rest apart."""

    ENTITIES = "entities"
    TOMBSTONES = "tombstones"
    EDGES = "edges"
    UNBOUND = "unbound"
    INVALIDATED = "invalidated"
    EPISODES = "episodes"


@quickly_made
@dataclass(frozen=True, slots=True, order=True)
class Dated:
    """A uuid that sorts by age: oldest first, ties by uuid."""

    created_at: Micros
    uuid: str


@quickly_made
@dataclass(frozen=True, slots=True, order=True)
class ChunkRevision:
    """One episode of a chunk; the highest revision is the newest."""

    revision: int
    episode_uuid: str
    text_hash: str
    extractor_key: str


@quickly_made
@dataclass(frozen=True, slots=True)
class EpisodeSource:
    """What can be said of an episode without reading its row."""

    created_at: Micros
    group_id: str
    name: str
    description: str


EdgeKey = tuple[str, str, str]
"""(source uuid, predicate, target uuid)."""

ChunkKey = tuple[str, str]
"""(source file, chunk id)."""


def chunk_key(row: Episode) -> ChunkKey | None:
    """Return the key of an episode's chunk, or None of one that is no chunk of a file."""
    if row.source_file is None or row.chunk_id is None:
        return None
    return row.source_file, row.chunk_id


def indexed_of(row: Edge) -> tuple[object, ...]:
    """Return everything of an edge that the index holds something of; its other fields come and go unnoticed."""
    ends = (row.group_id, row.source_uuid, row.name, row.target_uuid)
    return (*ends, row.created_at, row.invalid_at is None, row.episodes, row.attributes)


Waiting = tuple[str, str]
"""(edge uuid, uuid of its other end)."""


@dataclass(slots=True)
class GroupTables:
    """The tables of one group, so that a purge is one assignment.

    `names` and `buried` are keyed by name key and hold live entities and tombstones. `rows` has every row of the group;
    the value says whether clients see it. `pointers` has the edges that are not invalidated and end in other groups.
    """

    names: dict[str, tuple[Dated, ...]] = field(default_factory=dict)
    buried: dict[str, tuple[Dated, ...]] = field(default_factory=dict)
    edges: dict[EdgeKey, tuple[Dated, ...]] = field(default_factory=dict)
    chunks: dict[ChunkKey, tuple[ChunkRevision, ...]] = field(default_factory=dict)
    pointers: dict[str, tuple[Pointer, ...]] = field(default_factory=dict)
    rows: dict[Kind, dict[str, bool]] = field(default_factory=lambda: {kind: {} for kind in Kind})
    counts: dict[Count, int] = field(default_factory=dict)
