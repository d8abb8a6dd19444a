"""Whether two names are spelled as one name is. Two entities become one only when this and their vectors say so.

A merge cannot be taken back, a second entity can be merged away later. So every rule here accepts a difference that
does not tell two things apart (punctuation, titles, an article, British spelling), and all that is left must be equal:
`Apollo 11` is not `Apollo 12`, nor `Apollo`, nor the `Apollo program`.
"""

import re
import unicodedata
from collections import Counter
from enum import Enum
from functools import lru_cache

from lcg.model.rows import MERGED
from lcg.ontology.model import ROOT, UNCLASSIFIED_ENTITY, type_of
from lcg.services.ingest import spellings
from lcg.services.ingest.spellings import Kind

Labels = tuple[str, ...]

_COMPANY = "Organization"
_FEWEST_JOINED = 5
"""Letters and digits from which it does not matter where a name is split: `RFC 3339` is RFC3339, `e-1` is not E1."""

_CODE = re.compile(
    r"""[_\\=<>{}\[\]|`$]      # what identifiers, commands and templates are made of
      | [/@*~]
      | \w\(                   # a call
      | :(?!\s) | (?<=\S):\Z   # not the colon of a title
      | (?:^|\s)[-.]+\w        # an option, a hidden file
      | (?<=\w\w)\.(?=[^\W\d]) # a file, a dotted name; not the initials of U.S.
      | \b[a-z]+[A-Z]          # camelCase
    """,
    re.VERBOSE,
)
_TRADE_MARKS = re.compile("[™®©]")
_INITIALS = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_QUOTED = re.compile(r"""["“”„«»][^"“”„«»]*["“”„«»]""")
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]")
_NUMERAL = re.compile(
    r"""\b(?!\w\.\s)(?=[MDCLXVI]{2,}\b|[XVI]\b)        # neither an initial, nor a letter that is seldom a number
        M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?!\w)""",
    re.VERBOSE,
)
_COUNTRIES = ((re.compile(r"\bUS\b"), "United States"), (re.compile(r"\bUK\b"), "United Kingdom"))
_DIGITS = re.compile(r"\d+")
_MIDDLE_INITIAL = re.compile(r"[^\W\d_]{2,}(?:\s[^\W\d_]\.)+\s[^\W\d_]{2,}")


class Likeness(Enum):
    """`SAME`: one name, written twice. `SHORT`: one may stand for the other, if it can stand for nothing else."""

    SAME = "same"
    SHORT = "short"


def alike(name: str, labels: Labels, other: str, other_labels: Labels) -> Likeness | None:
    """Say whether two names, with the labels of what they name, may name one thing; None when they do not."""
    if not may_be_one(name, labels, other, other_labels):
        return None
    if _CODE.search(name) or _CODE.search(other):
        return Likeness.SAME if _code_key(name) == _code_key(other) else None
    kind = _kind(name, labels, other, other_labels)
    if _written_alike(name, other, kind):
        return Likeness.SAME
    one, two = words(name), words(other)
    if kind is Kind.PERSON:
        return _person(one, two)
    return Likeness.SHORT if spellings.is_acronym(name, two) or spellings.is_acronym(other, one) else None


def may_be_one(name: str, labels: Labels, other: str, other_labels: Labels) -> bool:
    """Say whether neither numbers nor types keep two names apart, however they are spelled."""
    if not same_numbers(name, other):
        return False
    return _types_agree(_with_legal_form(name, labels), _with_legal_form(other, other_labels))


def same_numbers(name: str, other: str) -> bool:
    """Say whether two names hold the same digits and roman numerals, whatever the script they are written in."""
    return _numbers(name) == _numbers(other)


def holds(name: str, other: str) -> bool:
    """Say whether the words of one name stand within the other, in one piece and with no number more or less."""
    short, long = sorted((words(name), words(other)), key=len)
    starts = range(len(long) - len(short) + 1)
    inside = bool(short) and any(long[at : at + len(short)] == short for at in starts)
    return inside and same_numbers(name, other) and not (_CODE.search(name) or _CODE.search(other))


@lru_cache(maxsize=16_384)
def words(name: str) -> tuple[str, ...]:
    """Return the words of a name: casefolded, without Latin accents, possessives and punctuation; symbols stay."""
    text = _joined_initials(_plain(name))
    for pattern, long in _COUNTRIES:
        text = pattern.sub(long, text)
    found = (_word(token) for token in _TOKEN.findall(text))
    return tuple(word for word in found if word)


def _plain(name: str) -> str:
    """Return a name with its digits and compatibility characters in their common form, whatever the script."""
    text = unicodedata.normalize("NFKC", _TRADE_MARKS.sub("", name))
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def _joined_initials(text: str) -> str:
    return _INITIALS.sub(lambda match: match[0].replace(".", ""), text)


def _word(token: str) -> str:
    if len(token) == 1 and unicodedata.category(token)[0] == "P":
        return {"&": "and"}.get(token, token if token in "#%" else "")
    if token in ("'s", "’s"):
        return ""
    token = re.sub(r"['’]s\Z", "", token)
    plain = spellings.without_accents(token.replace("'", "").replace("’", ""))
    # The plural of an acronym is the acronym: URMs, GPSs.
    if len(plain) > 2 and plain[:-1].isupper() and plain.endswith("s") and plain[:-1].isalpha():
        plain = plain[:-1]
    return plain.casefold()


@lru_cache(maxsize=16_384)
def _numbers(name: str) -> tuple[frozenset[tuple[str, int]], frozenset[tuple[str, int]]]:
    text = _plain(name)
    digits = _DIGITS.findall(text)
    numerals = (
        [found[0] for found in _NUMERAL.finditer(_joined_initials(text))] if len(_TOKEN.findall(text)) > 1 else []
    )
    return frozenset(Counter(digits).items()), frozenset(Counter(numerals).items())


def _code_key(name: str) -> str:
    # A folder is the same with its slash, but only in the same letters: `api/` is not the API.
    return "".join(_plain(name).split()).removesuffix("()").rstrip("/")


def _types_agree(labels: Labels, other_labels: Labels) -> bool:
    """Say whether two types may be one thing's: one of them is not known, or is the other, or an ancestor of it."""
    one, two = _specific(labels), _specific(other_labels)
    return not one or not two or one[-1] in two or two[-1] in one


def _with_legal_form(name: str, labels: Labels) -> Labels:
    """Return the labels; a name with a legal form is a company's, even where no type says so."""
    return (*labels, _COMPANY) if not _specific(labels) and spellings.has_legal_form(words(name)) else labels


def _specific(labels: Labels) -> list[str]:
    return [label for label in labels if label not in (ROOT, UNCLASSIFIED_ENTITY, MERGED)]


def _kind(name: str, labels: Labels, other: str, other_labels: Labels) -> Kind:
    types = [type_of(tuple(_specific(either))) for either in (labels, other_labels)]
    if "Person" in (*labels, *other_labels):
        return Kind.PERSON
    if any(types):
        return Kind.THING
    initial = any(_MIDDLE_INITIAL.fullmatch(_plain(text)) for text in (name, other))
    return Kind.PERSON if initial else Kind.UNKNOWN


def _written_alike(name: str, other: str, kind: Kind) -> bool:
    one, two = words(name), words(other)
    if not one or not two:
        return False
    if one == two or ("".join(one) == "".join(two) and len("".join(one)) >= _FEWEST_JOINED):
        return True
    core, other_core = spellings.core(one, kind), spellings.core(two, kind)
    if spellings.same_words(core, other_core, kind) or spellings.is_turned(core, other_core):
        return not spellings.are_rival_forms(one, two)
    if kind is Kind.THING:
        return False
    return words(spellings.first_name_first(name)) == words(spellings.first_name_first(other))


def _person(one: tuple[str, ...], two: tuple[str, ...]) -> Likeness | None:
    """Compare names of people: first and last name equal, and the middle the same, abbreviated, or left out."""
    first, second = spellings.core(one, Kind.PERSON), spellings.core(two, Kind.PERSON)
    if min(len(first), len(second)) < 2:
        return None
    if (first[0], first[-1]) != (second[0], second[-1]):
        return None
    middle, other = sorted((first[1:-1], second[1:-1]), key=len)
    if not middle:
        return Likeness.SHORT if all(len(name) == 1 for name in other) else None
    if len(middle) != len(other):
        return None
    pairs = zip(middle, other, strict=True)
    abbreviated = all(a == b or (min(len(a), len(b)) == 1 and a[0] == b[0]) for a, b in pairs)
    return Likeness.SAME if abbreviated else None
