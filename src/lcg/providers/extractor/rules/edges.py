"""Chooses which names of a sentence are joined, and by what relation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lcg.providers.extractor.rules.dates import DATE_PHRASE
from lcg.providers.extractor.rules.layout import Sentence
from lcg.providers.extractor.rules.relations import (
    Phrase,
    closing_phrase,
    find_phrase,
    is_coordination,
    leading_preposition,
)
from lcg.providers.extractor.rules.verbs import BE, HAVE, PREPOSITIONS, VERB_FORMS
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
_ADVERBIAL = PREPOSITIONS | words_of("according despite unlike like laut")
_POSSESSIVES = words_of("its his her their our my sein seine ihr ihre mein meine unser unsere")
_CLAUSE_WORDS = words_of(
    "because although while whereas since if when where unless but weil obwohl während wenn aber denn"
)
_LISTED = re.compile(r"\b(?:and|or|und|oder|sowie)\b|&|,")
_BRACKETS = re.compile(r"\([^()]*\)")
_REACH = 8
"""Words over which a verb still says something about a name."""

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
    """A pair of entities to join.

    `strength`: 2 with a verb, 1 with grammar but without a verb, 0 by nearness, below 0 the farther cells of a row.
    """

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
    walk = _Walk(text, sentence, mentions, topic)
    return _strongest(walk.run(), MAX_EDGES_PER_SENTENCE)


def link_row(mentions: Sequence[Mention]) -> list[Link]:
    """Return the pairs of a table row: its first name with the others."""
    links = [Link(mentions[0].entity, mention.entity, None, -place) for place, mention in enumerate(mentions[1:])]
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

    def __init__(self, text: str, sentence: Sentence, mentions: Sequence[Mention], topic: str | None) -> None:
        self._text = text
        self._start, self._end = sentence.start, sentence.end
        words = self._words(max(self._start, self._end - 40), self._end)
        self._last = words[-1] if words else ""
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
        self._subjects = [first.entity]
        if self._topic is not None and self._topic != first.entity and not _ANAPHORS.isdisjoint(lead[:3]):
            if find_phrase(lead) is not None or _POSSESSIVES.isdisjoint(lead[:3]):
                self._subjects = [self._topic]
                self._hang(first, lead)
            else:
                # "Its author, Amara Osei, works for …": she works, not it.
                self._links.append(Link(self._topic, first.entity, None, 1))
        adverbial = bool(lead) and lead[0] in _ADVERBIAL and "," not in self._text[self._start : first.start]
        for previous, mention in pairwise(self._mentions):
            self._step(previous, mention, adverbial and previous is first)
        return self._links

    def _step(self, previous: Mention, mention: Mention, adverbial: bool) -> None:
        gap = self._text[previous.end : mention.start]
        words = self._words(previous.end, mention.start)
        phrase = self._phrase_of(words)
        if gap.count("(") > gap.count(")"):
            return  # a gloss in brackets: another name, a translation, an aside
        if adverbial and "," in gap:
            # "After Gemini 8, Armstrong …": the name behind the comma is the subject, unless a verb stands there too.
            self._subjects = [mention.entity] if phrase is None else []
        elif ";" in gap or not _CLAUSE_WORDS.isdisjoint(words) or (_LISTED.search(gap) and self._opens_clause(mention)):
            self._subjects, self._phrase, self._relation = [mention.entity], None, None
        elif previous.owns and not gap.strip(" '’s"):
            self._replace_owner(previous, mention)
        elif phrase is None and is_coordination(words) and self._phrase is None and _LISTED.search(gap):
            self._subjects.append(mention.entity)
        elif phrase is None and len(words) <= 2 and words and words[0] in _ATTACHED:
            self._links.append(Link(previous.entity, mention.entity, None, 1))
        else:
            self._hang(mention, words)

    def _opens_clause(self, mention: Mention) -> bool:
        """Say whether a finite verb follows the name, once the sentence has had one: "…, and Halden sells winches"."""
        following = self._words(mention.end, min(self._end, mention.end + 24))
        if self._phrase is None or not following:
            return False
        verb = VERB_FORMS.get(following[0])
        return following[0] in BE | HAVE or (verb is not None and verb.form in ("s", "past"))

    def _phrase_of(self, words: list[str]) -> Phrase | None:
        return closing_phrase(words, self._last) or find_phrase(words)

    def _replace_owner(self, owner: Mention, owned: Mention) -> None:
        """Of "flew NASA's shuttle" the shuttle is flown, and it is NASA's."""
        hung = [link for link in self._links if link.target == owner.entity and link.source in self._subjects]
        self._links = [link for link in self._links if link not in hung]
        if owner.entity in self._subjects and not hung:
            self._subjects = [owned.entity]
        self._links.extend(Link(link.source, owned.entity, link.relation, link.strength) for link in hung)
        self._links.append(Link(owner.entity, owned.entity, None, 1))

    def _hang(self, mention: Mention, words: list[str]) -> None:
        """Join a name to the subjects, by the verb before it or by the last one; far away, by none."""
        phrase = self._phrase_of(words)
        if phrase is not None:
            rest = words[phrase.at + 1 :]
            self._phrase = phrase
            if len(rest) > _REACH:
                self._relation = None
                return
            self._relation = phrase.relation(leading_preposition(rest))
        elif len(words) > _REACH or not BE.isdisjoint(words):
            return
        elif not is_coordination(words):
            preposition = leading_preposition(words)
            self._relation = self._phrase.relation(preposition) if self._phrase and preposition else None
        strength = 2 if self._relation else 1 if phrase is not None else 0
        self._links.extend(Link(subject, mention.entity, self._relation, strength) for subject in self._subjects)

    def _words(self, start: int, end: int) -> list[str]:
        piece = _BRACKETS.sub(" ", self._text[start:end]).replace("such as", "")
        piece = DATE_PHRASE.sub(" ", piece)
        return [match[0].lower().replace("’", "'") for match in _WORD.finditer(piece)]
