"""Decides over the whole text which candidate spans are names: one sentence alone cannot tell `Dust` from `Dunn`."""

from collections.abc import Iterable
from itertools import pairwise

from lcg.model.names import name_key
from lcg.providers.extractor.rules.spans import Span, Token
from lcg.providers.extractor.rules.verbs import VERB_FORMS
from lcg.providers.extractor.rules.vocabulary import words_of
from lcg.providers.extractor.rules.words import (
    ABBREVIATIONS,
    DEMONYMS,
    ENGLISH_SIGNS,
    GENERIC_HEADINGS,
    GERMAN_DETERMINERS,
    GERMAN_NAME_PREPOSITIONS,
    GERMAN_NOUN_TAILS,
    GERMAN_NOUNS,
    GERMAN_SIGNS,
    GIVEN_NAMES,
    ORDINARY_WORDS,
)

_SAMPLE = 2000
_SINGULAR_VERBS = words_of("ist hat war wird wurde soll kann will muss darf hatte ging kam gab fand sagt")


def is_german(words: Iterable[str]) -> bool:
    """Say whether a text is German, by its function words (in lower case, as many as wanted)."""
    german = english = 0
    for index, word in enumerate(words):
        if index >= _SAMPLE:
            break
        german += word in GERMAN_SIGNS
        english += word in ENGLISH_SIGNS
    return german > english


class Evidence:
    """What the text as a whole says about its words. Feed every sentence to `note`, then ask `is_name`."""

    def __init__(self, german: bool) -> None:
        """Begin without evidence."""
        self._german = german
        self._lower: set[str] = set()
        self._inner: set[str] = set()
        self._parts: set[str] = set()
        self._determined: set[str] = set()
        self._bare: set[str] = set()

    def note(self, tokens: list[Token], spans: list[Span]) -> None:
        """Take in one sentence: its lower-case words and its candidates."""
        self._lower.update(token.text for token in tokens if token.mark is None and token.text[0].islower())
        following = {token.start: after.text for token, after in pairwise(tokens)}
        for span in spans:
            words = name_key(span.name).split()
            if span.kind != "capitals":
                continue
            if len(words) > 1:
                self._parts.update(words)
            elif not span.first:
                self._inner.add(words[0])
            if self._german and len(words) == 1:
                self._note_german(words[0], span, following.get(span.start, ""))

    def _note_german(self, word: str, span: Span, after: str) -> None:
        if span.before in GERMAN_DETERMINERS or span.before.endswith(("en", "er", "es", "em", "ige", "sche")):
            self._determined.add(word)
        elif span.before in GERMAN_NAME_PREPOSITIONS or (
            span.before == "" and (after in _SINGULAR_VERBS or (after.islower() and after.endswith(("t", "te"))))
        ):
            self._bare.add(word)

    def is_name(self, span: Span) -> bool:
        """Say whether a candidate is a name in this text."""
        words = name_key(span.name).split()
        if span.kind in ("bold", "link", "quoted", "identifier") and len(words) == 1:
            return words[0] not in ORDINARY_WORDS and words[0] not in GENERIC_HEADINGS
        if span.kind != "capitals" or span.titled:
            return True
        if len(words) > 1:
            return not all(word in ORDINARY_WORDS for word in words)
        word = words[0]
        if (
            len(word) < 2
            or word in ORDINARY_WORDS
            or word in ABBREVIATIONS
            or all(part in DEMONYMS for part in word.split("-"))
        ):
            return False
        if span.first and word in GENERIC_HEADINGS and word not in self._inner:
            return False
        if self._german:
            return self._is_german_name(word)
        if not span.first:
            return not (word in self._lower and span.before == "")
        return not self._is_common(word)

    def is_label(self, span: Span, start: int, end: int) -> bool:
        """Say whether a span is all of its sentence and nothing else shows that it is a name (`Phases.`)."""
        word = name_key(span.name)
        alone = span.start == start and end - span.end <= 1 and span.kind == "capitals" and " " not in word
        return alone and not (word in self._inner or word in self._parts or word in GIVEN_NAMES)

    def heading_is_name(self, name: str, level: int) -> bool:
        """Say whether a heading names something, rather than a kind of section (`References`, `Getting started`)."""
        words = name_key(name).split()
        if words[0] in GENERIC_HEADINGS or words[0].endswith("ing"):
            return False
        if level == 1 or (len(words) > 1 and sum(word[0].isupper() for word in name.split()) > 1):
            return True
        return name_key(name) in self._parts or words[0] in self._inner

    def _is_common(self, word: str) -> bool:
        """Say whether a word that only begins a sentence is an ordinary one: it is met in lower case, or looks it."""
        if word in self._inner or word in self._parts or word in GIVEN_NAMES:
            return False
        stems = {word, word.removesuffix("s"), word.removesuffix("es"), word + "s"}
        if word in VERB_FORMS and VERB_FORMS[word].form in ("base", "s"):
            return True
        return not stems.isdisjoint(self._lower) or word.endswith(("ing", "ly", "ed", "ness", "ment", "tion", "tions"))

    def _is_german_name(self, word: str) -> bool:
        """Every German noun is capitalised; a name stands without an article, in the places where only names do."""
        if word in GIVEN_NAMES or word in self._parts:
            return True
        if word in self._determined or word in GERMAN_NOUNS or word in self._lower:
            return False
        return word in self._bare and not word.endswith(GERMAN_NOUN_TAILS)
