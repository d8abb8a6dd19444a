"""What turns a text into entities and relations."""

from dataclasses import dataclass, field
from typing import Literal, Protocol

from lcg.model.times import Micros

SourceType = Literal["text", "json", "message"]


class ExtractorError(Exception):
    """The extractor did not answer, or not usably. The message is safe to show."""


@dataclass(frozen=True, slots=True)
class ExtractedEntity:
    """A name that the text speaks of. `entity_type` is `""` when untyped; `summary` one sentence, or `""`."""

    name: str
    entity_type: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class ExtractedEdge:
    """A fact that joins two names. `relation` is SCREAMING_SNAKE or None; times are microseconds UTC."""

    source_name: str
    target_name: str
    fact: str
    relation: str | None = None
    valid_at: Micros | None = None
    invalid_at: Micros | None = None


@dataclass(slots=True)
class Extraction:
    """Everything found in one text, in the order of its first appearance."""

    entities: list[ExtractedEntity] = field(default_factory=list)
    edges: list[ExtractedEdge] = field(default_factory=list)
    entities_malformed: int = 0
    edges_malformed: int = 0


class Extractor(Protocol):
    """An extractor. `provider` and `model` (None for rules) name it in results and status."""

    provider: str
    model: str | None

    def extract(self, text: str, source_type: SourceType, reference_time: Micros) -> Extraction:
        """Find entities and relations.

        Raises:
            ExtractorError: no usable answer.
        """
        ...
