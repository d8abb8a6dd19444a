"""What the in-memory index is made of: kinds, counts, and the small entries that its tables hold."""

from dataclasses import dataclass
from enum import StrEnum

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


@dataclass(frozen=True, slots=True, order=True)
class Dated:
    """A uuid that sorts by age: oldest first, ties by uuid."""

    created_at: Micros
    uuid: str


@dataclass(frozen=True, slots=True, order=True)
class ChunkRevision:
    """One episode of a chunk; the highest revision is the newest."""

    revision: int
    episode_uuid: str
    text_hash: str
    extractor_key: str


@dataclass(frozen=True, slots=True)
class EpisodeSource:
    """What provenance says of an episode."""

    created_at: Micros
    group_id: str
    description: str


NameKey = tuple[str, str]
EdgeKey = tuple[str, str, str, str]
ChunkKey = tuple[str, str, str]
Waiting = tuple[str, str]
"""(edge uuid, uuid of its other end)."""
