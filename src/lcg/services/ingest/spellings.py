"""The small rules of spelling that names are compared by: what may be left out, and which words are one word."""

import re
import unicodedata
from enum import Enum
from functools import lru_cache

Words = tuple[str, ...]


class Kind(Enum):
    """What is known of two things that are compared."""

    PERSON = "person"
    THING = "thing"
    UNKNOWN = "unknown"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ARTICLES = frozenset({"the", "a", "an"})
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor"})
_TITLES_OF_PEOPLE = _TITLES | _words(
    "sir dame lord lady president senator governor mayor minister chancellor ambassador judge captain capt commander "
    "cmdr colonel col general gen lieutenant lt major maj sergeant sgt admiral adm cosmonaut astronaut engineer "
    "father sister brother rev reverend saint st king queen prince princess emperor empress pope"
)
_LEGAL_FORMS = {
    form: meaning
    for meaning, forms in {
        "corporation": "corp corporation inc incorporated",
        "limited": "ltd limited",
        "llc": "llc",
        "plc": "plc",
        "gmbh": "gmbh",
        "ag": "ag",
        "kg": "kg",
        "bv": "bv",
        "nv": "nv",
    }.items()
    for form in forms.split()
}
_DESIGNATORS = _words("project program operation lake mount")
_SMALL_WORDS = _words("of the and for in on de la le du des und für der die das")
_ABBREVIATED = {
    "co": "company",
    "bros": "brothers",
    "univ": "university",
    "dept": "department",
    "intl": "international",
    "st": "saint",
    "mt": "mount",
    "ft": "fort",
}
_SPELLINGS = (
    (re.compile(r"is(?=(?:e|ed|er|ers|es|ing|ation|ations)\Z)"), "iz"),
    (re.compile(r"ys(?=(?:e|ed|er|ers|es|ing)\Z)"), "yz"),
    (re.compile(r"(?<=.)our"), "or"),
    (re.compile(r"tre\Z"), "ter"),
    (re.compile(r"mme(?=s?\Z)"), "m"),
    (re.compile(r"ogue\Z"), "og"),
    (re.compile(r"ense\Z"), "ence"),
    (re.compile(r"[ao]e"), "e"),
)
_FEWEST_LETTERS = 5
"""Shorter words differ by one letter too easily: their spelling is taken as it is."""


def core(words: Words, kind: Kind) -> Words:
    """Return the words that tell a name from others: no article, no title, no legal form."""
    left = list(words)
    if len(left) > 2 or (len(left) == 2 and len(left[1]) >= _FEWEST_LETTERS):
        left = left[1:] if left[0] in _ARTICLES else left
    titles = _TITLES_OF_PEOPLE if kind is Kind.PERSON else _TITLES
    while kind is not Kind.THING and len(left) > 2 and left[0] in titles:
        left = left[1:]
    while kind is not Kind.PERSON and len(left) > 1 and left[-1] in _LEGAL_FORMS:
        left = left[:-1]
    return tuple(left)


def has_legal_form(words: Words) -> bool:
    """Say whether a name ends with the legal form of a company."""
    return len(words) > 1 and words[-1] in _LEGAL_FORMS


def are_rival_forms(one: Words, two: Words) -> bool:
    """Say whether two names end with legal forms that differ: Acme Ltd and Acme GmbH are two companies."""
    forms = [_LEGAL_FORMS.get(words[-1]) for words in (one, two)]
    return None not in forms and forms[0] != forms[1]


def same_words(one: Words, two: Words, kind: Kind) -> bool:
    """Say whether two names have the same words, each spelled the British or American way, or its plural."""
    if not one or len(one) != len(two):
        return False
    # The last name of a person has no plural, and a name of one word may be one.
    with_plural = [kind is Kind.THING or (at > 0 and at == len(one) - 1) for at in range(len(one))]
    return all(_is_one_word(a, b, kind, plural) for a, b, plural in zip(one, two, with_plural, strict=True))


def _is_one_word(one: str, two: str, kind: Kind, plural: bool) -> bool:
    one, two = _ABBREVIATED.get(one, one), _ABBREVIATED.get(two, two)
    if one == two:
        return True
    if kind is Kind.PERSON or min(len(one), len(two)) < _FEWEST_LETTERS or not (one + two).isalpha():
        return False
    if _spelled(one) == _spelled(two):
        return True
    return plural and _singular(_spelled(one)) == _singular(_spelled(two))


def is_turned(one: Words, two: Words) -> bool:
    """Say whether two names are the same but for the side that their designator stands on: Project Gemini."""
    for first, second in ((one, two), (two, one)):
        designated = len(first) > 1 and _spelled(first[0]) in _DESIGNATORS
        if designated and (*first[1:], _spelled(first[0])) == (*second[:-1], _spelled(second[-1])):
            return True
    return False


def first_name_first(name: str) -> str:
    """Turn `Curie, Marie` into `Marie Curie`; leave every other name as it is."""
    parts = [part.strip() for part in name.split(",")]
    is_list_form = len(parts) == 2 and all(parts) and len(parts[0].split()) == 1
    return f"{parts[1]} {parts[0]}" if is_list_form else name


def is_acronym(name: str, words: Words) -> bool:
    """Say whether a name is made of the first letters of words: NASA."""
    letters = name.replace(".", "")
    if len(letters) < 3 or not letters.isalpha() or not letters.isupper() or len(words) < 3:
        return False
    firsts = ["".join(word[0] for word in chosen) for chosen in (words, _without_small(words))]
    return letters.casefold() in firsts


def without_accents(word: str) -> str:
    """Return a word of Latin letters without its accents; marks of other scripts make other letters and stay."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    kept: list[str] = []
    base = ""
    for char in parts:
        if unicodedata.combining(char) and unicodedata.name(base, "").startswith("LATIN"):
            continue
        base = char if not unicodedata.combining(char) else base
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))


def _without_small(words: Words) -> Words:
    return tuple(word for word in words if word not in _SMALL_WORDS)


@lru_cache(maxsize=16_384)
def _spelled(word: str) -> str:
    if len(word) < _FEWEST_LETTERS:
        return word
    for pattern, replacement in _SPELLINGS:
        word = pattern.sub(replacement, word)
    return word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > _FEWEST_LETTERS:
        return f"{word[:-3]}y"
    if re.search(r"(?:ss|x|ch|sh)es\Z", word):
        return word[:-2]
    return word[:-1] if re.search(r"[^sui]s\Z", word) else word
