"""What turns a text into entities and relations."""

from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from lcg.model.times import Micros
from lcg.ontology.model import Ontology

SourceType = Literal["text", "json", "message"]


class ExtractorError(Exception):
    """The extractor did not answer, or not usably. The message is safe to show."""


class TextTooLong(ExtractorError):
    """The text is longer than the extractor takes. The message says how long it may be."""


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


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an extractor may want to know besides the text.

    Attributes:
        ontology: what the group's texts are to be read by, or None.
        about: which text it is, for reports: source and chunk, or `""`.
    """

    ontology: Ontology | None = None
    about: str = ""


NO_SURROUNDINGS: Final = Surroundings()


class Extractor(Protocol):
    """An extractor. `provider` and `model` (None for rules) name it in results and status."""

    @property
    def provider(self) -> str:
        """Who is asked: `builtin`, `anthropic` or `openai`."""
        ...

    @property
    def model(self) -> str | None:
        """The model that is asked now."""
        ...

    def extract(
        self,
        text: str,
        source_type: SourceType,
        reference_time: Micros,
        surroundings: Surroundings = NO_SURROUNDINGS,
    ) -> Extraction:
        """Find entities and relations.

        Raises:
            ExtractorError: no usable answer.
            TextTooLong: it takes no text of this length.
            OperationFailed: `cancelled`, the call that this thread serves was given up.
        """
        ...
