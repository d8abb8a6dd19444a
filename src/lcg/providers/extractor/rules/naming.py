"""What may be a name at all, and how it is written. Every source of names passes through here."""

import re
import unicodedata

from lcg.model.names import normalise
from lcg.providers.extractor.rules.words import MONTHS, STOP_WORDS, WEEKDAYS

MAX_WORDS = 6
MAX_CHARACTERS = 100

_EDGE = " \t\"'“”„‘’«»‹›「」『』`*_~,;:!?()[]{}<>|="
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_ARTICLE = re.compile(r"\A(?:the|a|an|der|die|das|ein|eine)\s+(?=\S)", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[A-Z]\.){1,4}[A-Z]")
_BARE_NUMBER = re.compile(r"[\d\s.,:;/%+\-–#()]*")


def clean(raw: str, literal: bool = False) -> str | None:
    """Return the name that a piece of text stands for, or None when it is none.

    A name is NFC, on one line, without a leading article, at most six words and 100 characters, does not begin with a
    stop word, has whole brackets and is more than a letter, a number or a date. `literal` names (paths, addresses,
    code) keep their outer characters.
    """
    if len(raw) > 4 * MAX_CHARACTERS:
        return None
    name = normalise(" ".join(raw.split()))
    if not literal:
        name = _before_open_bracket(name.strip(_EDGE)).rstrip(".").strip(_EDGE)
        name = _ARTICLE.sub("", name, count=1)
        name = f"{name}." if _INITIALS.fullmatch(name) else name
    if not name or _is_letter(name) or not _is_balanced(name):
        return None
    if len(name) > MAX_CHARACTERS or any(unicodedata.category(c) in ("Cc", "Cs", "Cn") for c in name):
        return None
    words = name.split()
    if len(words) > MAX_WORDS or first_word(name) in STOP_WORDS or _BARE_NUMBER.fullmatch(name):
        return None
    if all(is_date_word(word) for word in words) or not any(c.isalpha() for c in name):
        return None
    return name


def _before_open_bracket(name: str) -> str:
    """Return a name without what stands in a bracket that its end has lost: `Relation types (deprecated`."""
    for opening, closing in _BRACKETS:
        if name.count(opening) == name.count(closing) + 1 and name.rfind(opening) > max(0, name.rfind(closing)):
            name = name[: name.rfind(opening)]
    return name


def _is_balanced(name: str) -> bool:
    """Say whether every bracket and every double quote in a name has its other half, as no torn piece of text has."""
    for opening, closing in _BRACKETS:
        depth = 0
        for char in name:
            depth += (char == opening) - (char == closing)
            if depth < 0:
                return False
        if depth:
            return False
    return name.count('"') % 2 == 0 and name.count("`") % 2 == 0


def _is_letter(name: str) -> bool:
    """Say whether a name is one letter of an alphabet: a variable, a list mark, an initial; of no use as a name."""
    return len(name) == 1 and name.lower() != name.upper()


def first_word(name: str) -> str:
    """Return the first word in lower case, without signs around it."""
    return name.split(maxsplit=1)[0].strip(_EDGE + ".").replace("’", "'").lower() if name.strip() else ""


def is_date_word(word: str) -> bool:
    """Say whether a word is a month, a weekday or a number: what dates are made of."""
    bare = word.strip(".,").lower()
    return bare in MONTHS or bare in WEEKDAYS or bare.isdigit()
