"""Names the relation that the words between two names express."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from lcg.providers.extractor.rules.verbs import (
    BE,
    DETERMINERS,
    GET_PASSIVE,
    HAVE,
    NEGATIONS,
    OPENS_BASE,
    PREPOSITIONS,
    VERB_FORMS,
    Verb,
)
from lcg.providers.extractor.rules.vocabulary import words_of

_ALWAYS_PASSIVE = words_of("based located born called named known situated")
_GERMAN_CONTRACTIONS = {"im": "in", "am": "an", "beim": "bei", "vom": "von", "ins": "in", "zum": "zu", "zur": "zu"}
_COORDINATION = words_of("and or as well plus und oder sowie & the a an der die das then both also")
_GERMAN_HELPERS = words_of("hat haben hatte hatten wird werden wurde wurden ist sind")
_PLACE = words_of("in at near on inside within")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A verb as the sentence uses it: `word` begins the relation, `at` is its place. A negated one names none."""

    word: str
    negated: bool = False
    at: int = 0
    participle: str = ""

    def relation(self, preposition: str) -> str | None:
        """Return the relation in SCREAMING_SNAKE: `FLY_ON`, `DEVELOPED_BY`, `FOUND`."""
        if self.negated:
            return None
        word = self.participle if preposition == "by" and self.participle else self.word
        return screaming_snake(f"{word} {preposition}")


def screaming_snake(words: str) -> str | None:
    """Write words as a relation name; None when nothing is left."""
    plain = "".join(c if c.isalnum() else " " for c in unicodedata.normalize("NFC", words))
    return "_".join(plain.upper().split()) or None


def find_phrase(words: Sequence[str]) -> Phrase | None:
    """Return the verb that the words (lower case, between two names) hold, the last one when there are several."""
    negated = any(word in NEGATIONS for word in words)
    for index in range(len(words) - 1, -1, -1):
        verb = VERB_FORMS.get(words[index])
        phrase = _as_verb(words, index, verb) if verb is not None else None
        if phrase is not None:
            return Phrase(phrase, negated, index, words[index] if verb is not None and verb.form == "past" else "")
    return _noun_of_copula(words, negated)


def leading_preposition(words: Sequence[str]) -> str:
    """Return the preposition by which words lead to the next name, or `""`.

    It is the first of them (`flew on the`), or the last before the name (`inserted satellites into`), unless that
    is `of`, which belongs to the object.
    """
    rest = [word for word in words if word not in _COORDINATION]
    while len(rest) > 1 and rest[0] in PREPOSITIONS and rest[1] in PREPOSITIONS:
        rest.pop(0)
    if rest and rest[0] in PREPOSITIONS:
        return _GERMAN_CONTRACTIONS.get(rest[0], rest[0])
    for word in reversed(words[-4:]):
        if word in PREPOSITIONS:
            return "" if word == "of" else _GERMAN_CONTRACTIONS.get(word, word)
    return ""


def is_coordination(words: Sequence[str]) -> bool:
    """Say whether nothing but commas, `and` and articles stands between two names."""
    return all(word in _COORDINATION or word.isdigit() for word in words)


def closing_phrase(words: Sequence[str], last: str) -> Phrase | None:
    """Return the verb at the end of a German sentence: `hat … gegründet` → gründen, `wurde … gegründet` → gegründet."""
    verb = VERB_FORMS.get(last)
    helpers = [(at, word) for at, word in enumerate(words) if word in _GERMAN_HELPERS]
    if verb is None or verb.form != "past" or not helpers:
        return None
    at, helper = helpers[-1]
    negated = any(word in NEGATIONS for word in words)
    return Phrase(last if helper in GET_PASSIVE else verb.lemma, negated, at)


def _as_verb(words: Sequence[str], index: int, verb: Verb) -> str | None:
    """Return the lemma, or the participle for the passive voice, or None when the word is a noun or adjective here."""
    word = words[index]
    before = words[index - 1] if index else ""
    after = words[index + 1] if index + 1 < len(words) else ""
    helper = next((w for w in reversed(words[max(0, index - 4) : index]) if w in BE | HAVE | GET_PASSIVE), "")
    if (
        word in DETERMINERS
        or before in DETERMINERS
        or (before in PREPOSITIONS and before != "to" and verb.form != "ing")
    ):
        return None
    if verb.form == "past":
        passive = after in ("by", "von") or word in _ALWAYS_PASSIVE or helper in BE | GET_PASSIVE
        return word if passive and helper not in HAVE else verb.lemma
    if verb.form == "ing":
        with_object = after == "" or after in DETERMINERS
        return verb.lemma if helper in BE or before == "" or with_object else None
    if verb.form == "s":
        return (
            verb.lemma if index <= 1 or before in ("who", "which", "that", "it", "he", "she", "also", "and") else None
        )
    return verb.lemma if index == 0 or before in OPENS_BASE else None


def _noun_of_copula(words: Sequence[str], negated: bool) -> Phrase | None:
    """Read `is the founder of` as `founder`, `is in` as `is`, `has a contract with` as `contract`."""
    helper = next((i for i, word in enumerate(words) if word in BE or word in HAVE), None)
    if helper is None:
        return None
    at = next((i for i in range(len(words) - 1, helper, -1) if words[i] in PREPOSITIONS), None)
    if at is None:
        owned = words[helper] in HAVE and len(words) - helper <= 3
        return Phrase("have", negated, helper) if owned else None
    if at == helper + 1:
        return Phrase("is", negated, helper) if words[at] in _PLACE and words[helper] in BE else None
    noun = words[at - 1]
    usable = noun.isalpha() and noun not in DETERMINERS | PREPOSITIONS | BE | HAVE | NEGATIONS
    return Phrase(noun, negated, at - 1) if usable and at - helper <= 6 else None
