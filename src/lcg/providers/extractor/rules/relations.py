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

_ALWAYS_PASSIVE = words_of("based located born called named known made situated intended equipped")
_GERMAN_CONTRACTIONS = {"im": "in", "am": "an", "beim": "bei", "vom": "von", "ins": "in", "zum": "zu", "zur": "zu"}
_COORDINATION = words_of("and or as well plus und oder sowie & the a an der die das then both also")
_PLACE = words_of("in at near on inside within")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A verb as the sentence uses it: `word` is what the relation begins with. Negated ones name no relation."""

    word: str
    negated: bool = False

    def relation(self, preposition: str) -> str | None:
        """Return the relation in SCREAMING_SNAKE: `FLY_ON`, `DEVELOPED_BY`, `FOUND`."""
        if self.negated:
            return None
        return screaming_snake(f"{self.word} {preposition}")


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
            return Phrase(phrase, negated)
    noun = _noun_of_copula(words)
    return Phrase(noun, negated) if noun else None


def last_preposition(words: Sequence[str]) -> str:
    """Return the preposition that leads to the next name (`flew on the` → `on`), or `""`."""
    for word in reversed(words[-4:]):
        if word in PREPOSITIONS:
            return _GERMAN_CONTRACTIONS.get(word, word)
        if word in VERB_FORMS and VERB_FORMS[word].form == "past":
            return ""
    return ""


def is_coordination(words: Sequence[str]) -> bool:
    """Say whether nothing but commas, `and` and articles stands between two names."""
    return all(word in _COORDINATION or word.isdigit() for word in words)


def _as_verb(words: Sequence[str], index: int, verb: Verb) -> str | None:
    """Return the lemma, or the participle for the passive voice, or None when the word is a noun or adjective here."""
    word = words[index]
    before = words[index - 1] if index else ""
    after = words[index + 1] if index + 1 < len(words) else ""
    helper = next((w for w in reversed(words[max(0, index - 4) : index]) if w in BE | HAVE | GET_PASSIVE), "")
    if before in DETERMINERS or (before in PREPOSITIONS and before != "to" and verb.form != "ing"):
        return None
    if verb.form == "past":
        passive = after in ("by", "von") or word in _ALWAYS_PASSIVE or helper in BE | GET_PASSIVE
        return word if passive and helper not in HAVE else verb.lemma
    if verb.form == "ing":
        return verb.lemma if helper in BE or before == "" or word in ("including", "using") else None
    if verb.form == "s":
        return (
            verb.lemma if index <= 1 or before in ("who", "which", "that", "it", "he", "she", "also", "and") else None
        )
    return verb.lemma if index == 0 or before in OPENS_BASE else None


def _noun_of_copula(words: Sequence[str]) -> str | None:
    """Read `is the founder of` as `founder`, `is in` as `is`, `has a contract with` as `contract`."""
    helper = next((i for i, word in enumerate(words) if word in BE or word in HAVE), None)
    preposition = last_preposition(words)
    if helper is None:
        return None
    if not preposition:
        return "have" if words[helper] in HAVE and len(words) - helper <= 3 else None
    at = max(i for i, word in enumerate(words) if _GERMAN_CONTRACTIONS.get(word, word) == preposition)
    if at == helper + 1:
        return "is" if preposition in _PLACE and words[helper] in BE else None
    noun = words[at - 1]
    usable = noun.isalpha() and at - 1 > helper and noun not in DETERMINERS | PREPOSITIONS | BE | HAVE | NEGATIONS
    return noun if usable and at - helper <= 6 else None
