"""The rows of the graph, exactly as the log can restore them.

A row is immutable; a change makes a new one. `*_embedded` is the text that the row's vector was made from, null
when that is the current text (its one canonical form), so that a rebuild gives the same search results.
"""

from dataclasses import dataclass

from lcg.model.quickly_made import quickly_made
from lcg.model.times import Micros

MERGED = "Merged"
"""Label of a tombstone: an entity that was merged into another one."""


@quickly_made
@dataclass(frozen=True, slots=True)
class Entity:
    """A thing with a name. `attributes` is a JSON object as text."""

    uuid: str
    group_id: str
    name: str
    labels: tuple[str, ...]
    created_at: Micros
    summary: str = ""
    attributes: str = "{}"
    name_embedded: str | None = None
    summary_embedded: str | None = None

    @property
    def is_tombstone(self) -> bool:
        """Whether the entity was merged into another one."""
        return MERGED in self.labels


@quickly_made
@dataclass(frozen=True, slots=True)
class Edge:
    """A relationship between two entities: `name` is the predicate, `""` an endpoint that is not resolved."""

    uuid: str
    group_id: str
    name: str
    source_uuid: str
    target_uuid: str
    fact: str
    created_at: Micros
    valid_at: Micros | None = None
    invalid_at: Micros | None = None
    attributes: str = "{}"
    relation_type: str | None = None
    episodes: tuple[str, ...] = ()
    fact_embedded: str | None = None

    def holds_at(self, moment: Micros) -> bool:
        """Say whether the fact holds at a time. One without `valid_at` holds from the beginning."""
        begun = self.valid_at is None or self.valid_at <= moment
        return begun and (self.invalid_at is None or self.invalid_at > moment)


@quickly_made
@dataclass(frozen=True, slots=True)
class Episode:
    """A piece of text that went in. The last five fields are null for text that is no chunk of a file."""

    uuid: str
    group_id: str
    name: str
    created_at: Micros
    source: str
    source_description: str
    content: str
    valid_at: Micros | None = None
    source_file: str | None = None
    chunk_id: str | None = None
    revision: int | None = None
    text_hash: str | None = None
    extractor_key: str | None = None


@quickly_made
@dataclass(frozen=True, slots=True)
class Mention:
    """An episode names an entity. It has no identity beyond its two ends."""

    group_id: str
    episode_uuid: str
    entity_uuid: str


Row = Entity | Edge | Episode | Mention
