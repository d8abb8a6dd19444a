"""The rule extractor: entities and facts without a model, in one pass over the text and one over what it found."""

import re
from collections.abc import Iterator

from lcg.model.times import Micros
from lcg.providers.extractor.protocol import NO_SURROUNDINGS, ExtractedEdge, Extraction, SourceType, Surroundings
from lcg.providers.extractor.rules import cues
from lcg.providers.extractor.rules.dates import find_times
from lcg.providers.extractor.rules.edges import Link, Mention, link_row, link_sentence
from lcg.providers.extractor.rules.evidence import Evidence, is_german
from lcg.providers.extractor.rules.fragments import Fragment
from lcg.providers.extractor.rules.json_graph import json_fragments
from lcg.providers.extractor.rules.json_source import read_json
from lcg.providers.extractor.rules.layout import Sentence, split_text
from lcg.providers.extractor.rules.registry import Registry
from lcg.providers.extractor.rules.spans import Span, find_spans, heading_name, tokenize
from lcg.providers.extractor.rules.speakers import find_turns, looks_like_chat

_LOWER_WORD = re.compile(r"\b[^\W\d_A-Z]\w{1,20}\b")
_GERMAN_SAMPLE = 50_000
_EDGES_PER_1000 = 5
_MIN_BUDGET = 12
_PERSONAL = re.compile(r"(?:he|she|his|her|er|seine?)\b", re.IGNORECASE)
_OWN = re.compile(r"(?:i|i'm|i've|i'd|i'll|we|my|our|ich|wir|meine?|unsere?)\b", re.IGNORECASE)


class RuleExtractor:
    """Finds names and facts by rules (English and German), without network or model. It never fails."""

    provider: str = "builtin"
    model: str | None = None

    def extract(
        self,
        text: str,
        source_type: SourceType,
        reference_time: Micros,
        surroundings: Surroundings = NO_SURROUNDINGS,
    ) -> Extraction:
        """Find entities and relations. The rules go by the text alone.

        Every fact is a piece of the text, verbatim; every end of an edge is an entity of the result. `valid_at` is the
        time that the fact states, else None: the reference time is not used. The same text gives the same result.
        """
        german = is_german(match[0] for match in _LOWER_WORD.finditer(text[:_GERMAN_SAMPLE]))
        evidence = Evidence(german)
        fragments = [_read(text, piece, evidence, german) for piece in _pieces(text, source_type)]
        return _Builder(text, fragments, evidence).build()


def _pieces(text: str, source_type: SourceType) -> Iterator[Fragment | Sentence]:
    """Cut the text by its kind: JSON values, turns of a chat, or sentences."""
    roots = read_json(text) if source_type == "json" else None
    if roots is not None:
        yield from json_fragments(text, roots)
    elif source_type == "message" or looks_like_chat(text):
        yield from _turns(text)
    else:
        yield from split_text(text)


def _turns(text: str) -> Iterator[Fragment | Sentence]:
    for turn in find_turns(text):
        lead = turn.start
        if turn.speaker:
            mention = Span(turn.start, turn.body, turn.speaker, "speaker")
            yield Fragment(Sentence(turn.start, turn.body, "member"), [mention])
        for sentence in split_text(text, turn.body, turn.end, turn.speaker):
            kind = "prose" if sentence.kind == "heading" else sentence.kind
            yield Sentence(sentence.start, sentence.end, kind, 0, sentence.topic, lead if turn.speaker else -1)
            lead = -1


def _read(text: str, piece: Fragment | Sentence, evidence: Evidence, german: bool) -> Fragment:
    if isinstance(piece, Fragment):
        return piece
    tokens = tokenize(text, piece)
    if piece.kind == "heading":
        name = heading_name(text, piece)
        return Fragment(piece, [Span(piece.start, piece.end, name, "heading")] if name else [])
    spans = find_spans(text, tokens, german)
    evidence.note(tokens, spans)
    return Fragment(piece, spans)


class _Focus:
    """Remembers what a pronoun may mean: the topic of the text or section, and who was spoken of last."""

    def __init__(self) -> None:
        self.topic: str | None = None
        self.person: str | None = None
        self.thing: str | None = None

    def meant(self, sentence: str) -> str | None:
        """Return the entity that a sentence beginning with a pronoun is about."""
        if _OWN.match(sentence):
            return None
        if _PERSONAL.match(sentence):
            return self.person or self.topic
        return self.topic or self.thing


class _Builder:
    """Makes entities and edges of the fragments of one text."""

    def __init__(self, text: str, fragments: list[Fragment], evidence: Evidence) -> None:
        self._text = text
        self._evidence = evidence
        self._registry = Registry(text)
        self._fragments = [(fragment, self._names(fragment)) for fragment in fragments]
        self._focus = _Focus()
        self._edges: dict[tuple[str, str, str], tuple[int, ExtractedEdge]] = {}

    def build(self) -> Extraction:
        """Register every name first, since a later sentence may tell what an earlier one means; then join them."""
        for fragment, spans in self._fragments:
            previous: Span | None = None
            for span in spans:
                self._registry.note_span(span, fragment.sentence, previous)
                previous = span
            for link in fragment.links:
                for name in (link.source, link.target):
                    self._registry.note(name, "value", fragment.sentence.start)
            if fragment.sentence.topic:
                self._registry.note(fragment.sentence.topic, "value", fragment.sentence.start)
        self._registry.settle()
        for fragment, spans in self._fragments:
            self._join(fragment, spans)
        return Extraction(entities=list(self._registry.entities()), edges=self._affordable())

    def _affordable(self) -> list[ExtractedEdge]:
        """Leave out the weakest links (names that only stand near each other) where a text has too many of them."""
        found = list(self._edges.values())
        budget = max(_MIN_BUDGET, _EDGES_PER_1000 * len(self._text) // 1000)
        order = sorted(range(len(found)), key=lambda at: (-found[at][0], at))
        kept = {at for rank, at in enumerate(order) if rank < budget or found[at][0] > 0}
        return [edge for at, (_, edge) in enumerate(found) if at in kept]

    def _names(self, fragment: Fragment) -> list[Span]:
        kept = [span for span in fragment.spans if self._evidence.is_name(span)]
        if fragment.sentence.kind == "heading":
            return [span for span in kept if self._evidence.heading_is_name(span.name, fragment.sentence.level)]
        start, end = fragment.sentence.start, fragment.sentence.end
        if fragment.sentence.kind == "prose" and self._text[end - 1] == ":":
            # "Open points:" is a label, not a name.
            return [span for span in kept if span.end - span.start < end - start - 2]
        return [span for span in kept if not self._evidence.is_label(span, start, end)]

    def _join(self, fragment: Fragment, spans: list[Span]) -> None:
        sentence = fragment.sentence
        registry = self._registry
        mentions = [Mention(registry.key_of(span.name), span.start, span.end, span.owns) for span in spans]
        fact = sentence.quote(self._text)
        if sentence.kind == "heading":
            self._focus.topic = mentions[0].entity if mentions else self._focus.topic
            return
        if sentence.kind == "prose":
            for mention in mentions:
                registry.summarise(mention.entity, fact)
            topic = self._focus.topic
            if topic is not None and registry.name_of(topic) in fact:
                registry.summarise(topic, fact)  # a title in small letters is not found as a name
        for stated in fragment.links:
            self._add(Link(registry.key_of(stated.source), registry.key_of(stated.target), stated.relation, 2), fact)
        if sentence.kind == "row":
            for link in link_row(mentions):
                self._add(link, fact, timeless=True)
        elif sentence.kind == "prose":
            self._join_prose(sentence, spans, mentions, fact)

    def _join_prose(self, sentence: Sentence, spans: list[Span], mentions: list[Mention], fact: str) -> None:
        start = self._text[sentence.start : sentence.start + 20]
        topic = self._registry.key_of(sentence.topic) if sentence.topic else self._focus.meant(start)
        if sentence.topic:
            self._registry.summarise(self._registry.key_of(sentence.topic), fact)
        links = link_sentence(self._text, sentence, mentions, topic)
        if not links and sentence.topic and mentions:
            links = [Link(self._registry.key_of(sentence.topic), mention.entity, None, 0) for mention in mentions[:2]]
        for link in links:
            self._add(link, fact)
        if mentions and not sentence.topic:
            self._turn_to(spans[0], mentions[0])

    def _turn_to(self, span: Span, mention: Mention) -> None:
        """The first name of a sentence is what the next pronoun means."""
        is_person = self._registry.type_of(mention.entity) == cues.PERSON
        if is_person:
            self._focus.person = mention.entity
        else:
            self._focus.thing = mention.entity
        if self._focus.topic is None and (span.first or span.before in ("the", "")):
            self._focus.topic = mention.entity

    def _add(self, link: Link, fact: str, timeless: bool = False) -> None:
        if link.source == link.target:
            return
        source, target = self._registry.name_of(link.source), self._registry.name_of(link.target)
        valid_at, invalid_at = (None, None) if timeless else find_times(fact)
        edge = ExtractedEdge(source, target, fact, link.relation, valid_at, invalid_at)
        self._edges.setdefault((link.source, link.target, fact), (link.strength, edge))
