"""What goes into ingestion and what comes out of it."""

from dataclasses import dataclass, field
from typing import Literal

from lcg.model.names import text_hash
from lcg.model.times import Micros
from lcg.providers.extractor.protocol import Extraction, SourceType
from lcg.services.warnings import Warnings

Outcome = Literal["created", "unchanged", "revised"]


@dataclass(frozen=True, slots=True)
class ChunkIdentity:
    """What makes a text a revision of a chunk: the chunk, and who read the text."""

    source_file: str
    chunk_id: str
    extractor_key: str


@dataclass(frozen=True, slots=True)
class Ingest:
    """A text on its way into a group. `chunk` is None for an episode that always is a new one."""

    group_id: str
    text: str
    name: str
    source: str
    source_description: str
    source_type: SourceType
    reference_time: Micros
    chunk: ChunkIdentity | None

    @property
    def text_hash(self) -> str:
        """The content hash that tells whether the text changed."""
        return text_hash(self.text)


@dataclass(frozen=True, slots=True)
class Resolution:
    """Which entity an extracted name became. `by` is None when there was no candidate.

    `entity_name` is the name of a reused entity, `cosine` how near the two names are, where that counted.
    """

    name: str
    entity_uuid: str
    outcome: Literal["created", "reused"]
    by: Literal["name", "embedding", "adapter"] | None
    entity_name: str | None = None
    cosine: float | None = None


@dataclass(frozen=True, slots=True)
class DroppedEdge:
    """An extracted fact that is not stored, because an end matches no entity."""

    source_name: str
    target_name: str
    relation_type: str | None
    fact: str
    unresolved_endpoint: Literal["source", "target", "both"]


@dataclass(slots=True)
class Ingested:
    """What became of a text."""

    outcome: Outcome
    episode_uuid: str
    revision: int
    resolutions: list[Resolution] = field(default_factory=list)
    edges_written: int = 0
    edges_invalidated: int = 0
    dropped_edges: list[DroppedEdge] = field(default_factory=list)
    entities_malformed: int = 0
    edges_malformed: int = 0
    entities_without_summary: int = 0
    entities_unclassified: int = 0
    edges_unclassified: int = 0
    embedding_warning: str | None = None
    warnings: Warnings = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reading:
    """An extraction with every name normalised and unusable items counted instead of kept."""

    extraction: Extraction
    entities_malformed: int
    edges_malformed: int
