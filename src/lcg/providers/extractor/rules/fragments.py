"""The pieces that a text is read into before it becomes entities and edges."""

from dataclasses import dataclass, field

from lcg.providers.extractor.rules.layout import Sentence
from lcg.providers.extractor.rules.spans import Span


@dataclass(frozen=True, slots=True)
class StatedLink:
    """Two names that the structure of the text joins, not its grammar (a member of a JSON object)."""

    source: str
    target: str
    relation: str | None


@dataclass(frozen=True, slots=True)
class Fragment:
    """A sentence with its candidate names, and the links that are already known."""

    sentence: Sentence
    spans: list[Span]
    links: list[StatedLink] = field(default_factory=list)
