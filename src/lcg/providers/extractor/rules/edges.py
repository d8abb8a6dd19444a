"""Chooses which names of a sentence are joined, and by what relation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lcg.providers.extractor.rules.layout import Sentence
from lcg.providers.extractor.rules.relations import (
    Phrase,
    find_phrase,
    is_coordination,
    last_preposition,
)
from lcg.providers.extractor.rules.verbs import PREPOSITIONS
from lcg.providers.extractor.rules.vocabulary import words_of

MAX_EDGES_PER_SENTENCE = 3
MAX_EDGES_PER_ROW = 2
MIN_FACT_WORDS = 3

_WORD = re.compile(r"[^\W\d_][\w'’]*")
_ANAPHORS = words_of(
    """
    it he she they this these his her its their i we my our es er sie ich wir sein seine ihr ihre mein unser
    """
)
_ATTACHED = words_of("of in at von bei")


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a sentence names an entity, by the offsets in the text."""

    entity: str
    start: int
    end: int
    owns: bool


@dataclass(frozen=True, slots=True)
class Link:
    """A pair of entities to join. `strength`: 2 with a verb, 1 with grammar but without a verb, 0 by nearness."""

    source: str
    target: str
    relation: str | None
    strength: int


def link_sentence(text: str, sentence: Sentence, mentions: Sequence[Mention], topic: str | None) -> list[Link]:
    """Return the pairs of one sentence, the strongest first where there are more than may be, else in order.

    The first name is the subject, or the topic where the sentence begins with a pronoun. Each later name hangs on the
    subject by the last verb before it, or on the name directly before it (`X's Y`, `X of Y`).
    """
    if len(_WORD.findall(text[sentence.start : sentence.end])) < MIN_FACT_WORDS or not mentions:
        return []
    walk = _Walk(text, sentence.start, mentions, topic)
    return _strongest(walk.run(), MAX_EDGES_PER_SENTENCE)


def link_row(mentions: Sequence[Mention]) -> list[Link]:
    """Return the pairs of a table row: its first name with the others."""
    links = [Link(mentions[0].entity, mention.entity, None, 0) for mention in mentions[1:]]
    return _strongest(links, MAX_EDGES_PER_ROW)


def _strongest(links: list[Link], limit: int) -> list[Link]:
    seen: dict[tuple[str, str], Link] = {}
    for link in links:
        known = seen.get((link.source, link.target))
        if link.source != link.target and (known is None or known.strength < link.strength):
            seen[link.source, link.target] = link
    kept = sorted(seen.values(), key=lambda link: -link.strength)[:limit]
    return [link for link in seen.values() if link in kept]


class _Walk:
    """Goes through the names of one sentence from left to right."""

    def __init__(self, text: str, start: int, mentions: Sequence[Mention], topic: str | None) -> None:
        self._text = text
        self._start = start
        self._mentions = mentions
        self._topic = topic
        self._subjects: list[str] = []
        self._phrase: Phrase | None = None
        self._relation: str | None = None
        self._links: list[Link] = []

    def run(self) -> list[Link]:
        """Return every link that the grammar offers."""
        first = self._mentions[0]
        lead = self._words(self._start, first.start)
        if self._topic is not None and self._topic != first.entity and lead and lead[0] in _ANAPHORS:
            self._subjects = [self._topic]
            self._hang(first, lead)
        else:
            self._subjects = [first.entity]
        for previous, mention in zip(self._mentions, self._mentions[1:], strict=False):
            self._step(previous, mention, adverbial=previous is first and bool(lead) and lead[0] in PREPOSITIONS)
        return self._links

    def _step(self, previous: Mention, mention: Mention, adverbial: bool) -> None:
        gap = self._text[previous.end : mention.start]
        words = self._words(previous.end, mention.start)
        phrase = find_phrase(words)
        if adverbial and phrase is None and "," in gap:
            # "After Gemini 8, Armstrong …": the name behind the comma is the subject.
            self._links.append(Link(mention.entity, previous.entity, None, 0))
            self._subjects = [mention.entity]
        elif previous.owns and not gap.strip(" '’s"):
            self._replace_owner(previous, mention)
        elif phrase is None and is_coordination(words) and self._phrase is None and self._coordinates(gap):
            self._subjects.append(mention.entity)
        elif phrase is None and len(words) <= 2 and words and words[0] in _ATTACHED:
            self._links.append(Link(previous.entity, mention.entity, None, 1))
        elif ";" in gap and phrase is None:
            self._subjects, self._phrase, self._relation = [mention.entity], None, None
        else:
            self._hang(mention, words)

    def _coordinates(self, gap: str) -> bool:
        return bool(re.search(r"\b(?:and|or|und|oder|sowie)\b|&|,", gap))

    def _replace_owner(self, owner: Mention, owned: Mention) -> None:
        """Of "flew NASA's shuttle" the shuttle is flown, and it is NASA's."""
        hung = [link for link in self._links if link.target == owner.entity and link.source in self._subjects]
        self._links = [link for link in self._links if link not in hung]
        if owner.entity in self._subjects and not hung:
            self._subjects = [owned.entity]
        self._links.extend(Link(link.source, owned.entity, link.relation, link.strength) for link in hung)
        self._links.append(Link(owner.entity, owned.entity, None, 1))

    def _hang(self, mention: Mention, words: list[str]) -> None:
        phrase = find_phrase(words)
        if phrase is not None:
            self._phrase = phrase
            self._relation = phrase.relation(last_preposition(words))
        elif not is_coordination(words):
            preposition = last_preposition(words)
            self._relation = self._phrase.relation(preposition) if self._phrase and preposition else None
        strength = 2 if self._relation else 1 if phrase is not None else 0
        for subject in self._subjects:
            self._links.append(Link(subject, mention.entity, self._relation, strength))

    def _words(self, start: int, end: int) -> list[str]:
        return [match[0].lower().replace("’", "'") for match in _WORD.finditer(self._text, start, end)]
