"""What may be a name at all, and how it is written. Every source of names passes through here."""

import re
import unicodedata

from lcg.model.names import normalise
from lcg.providers.extractor.rules.words import MONTHS, STOP_WORDS, WEEKDAYS

MAX_WORDS = 6
MAX_CHARACTERS = 100

_EDGE = " \t\"'“”„‘’«»‹›「」『』`*_~,;:!?()[]{}<>|="
_ARTICLE = re.compile(r"\A(?:the|a|an|der|die|das|ein|eine)\s+(?=\S)", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[A-Z]\.){1,4}[A-Z]")
_BARE_NUMBER = re.compile(r"[\d\s.,:;/%+\-–#()]*")


def clean(raw: str, literal: bool = False) -> str | None:
    """Return the name that a piece of text stands for, or None when it is none.

    A name is NFC, on one line, without a leading article, at most six words and 100 characters, does not begin with a
    stop word and is more than a number or a date. `literal` names (paths, addresses, code) keep their outer characters.
    """
    if len(raw) > 4 * MAX_CHARACTERS:
        return None
    name = normalise(" ".join(raw.split()))
    if not literal:
        name = name.strip(_EDGE).rstrip(".").strip()
        name = _ARTICLE.sub("", name, count=1)
        name = f"{name}." if _INITIALS.fullmatch(name) else name
    if not name or len(name) > MAX_CHARACTERS or any(unicodedata.category(c) in ("Cc", "Cs", "Cn") for c in name):
        return None
    words = name.split()
    if len(words) > MAX_WORDS or first_word(name) in STOP_WORDS or _BARE_NUMBER.fullmatch(name):
        return None
    if all(is_date_word(word) for word in words) or not any(c.isalpha() for c in name):
        return None
    return name


def first_word(name: str) -> str:
    """Return the first word in lower case, without signs around it."""
    return name.split(maxsplit=1)[0].strip(_EDGE + ".").replace("’", "'").lower() if name.strip() else ""


def is_date_word(word: str) -> bool:
    """Say whether a word is a month, a weekday or a number: what dates are made of."""
    bare = word.strip(".,").lower()
    return bare in MONTHS or bare in WEEKDAYS or bare.isdigit()
