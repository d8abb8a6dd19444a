"""Finds candidate names in one sentence: runs of capitalised words, identifiers, and what markup names."""

import re
from dataclasses import dataclass, replace

from lcg.providers.extractor.rules.cues import PLACES
from lcg.providers.extractor.rules.layout import Sentence
from lcg.providers.extractor.rules.markup import Mark, find_marks
from lcg.providers.extractor.rules.naming import MAX_CHARACTERS, clean, is_date_word
from lcg.providers.extractor.rules.words import (
    ADJECTIVE_TAILS,
    AND_TAILS,
    DEMONYMS,
    FOR_HEADS,
    GERMAN_ROLES,
    GIVEN_NAMES,
    IMPERATIVES,
    LINKERS,
    MONTHS,
    NAME_NOUNS,
    NAME_SUFFIXES,
    OF_HEADS,
    ORDINARY_WORDS,
    PARTICLES,
    PERSON_TITLES,
    PREFIXES,
    STOP_WORDS,
    UNITS,
    WEEKDAYS,
)

_MARKS = "\u0300-\u036f"
_TOKEN = re.compile(
    rf"[^\W_][\w{_MARKS}]*+"
    rf"(?:[-‑–'’&](?=[^\W_])[\w{_MARKS}]++|\.(?=[a-z0-9])[\w{_MARKS}]++|\.(?=[A-Z](?![a-z]))\w)*+"
)
_POSSESSIVE = re.compile(r"['’]s?\Z", re.IGNORECASE)
_NUMBER_PART = re.compile(r"\d{1,4}[A-Za-z]?|\d+(?:\.\d+)+|\d[\w]*(?:-\w+)+")
_VERSION = re.compile(r"v\d{1,4}(?:\.\d{1,4}){0,3}(?:[-.]?(?:rc|beta|alpha|dev)\d{0,3})?")
_LINK = re.compile(r"\[([^\[\]\n]{1,120})\]\([^()\s]{0,300}\)")
_NUMBERING = re.compile(r"(?:\d{1,3}[.)]){1,4}\s+|\d{1,3}(?:\.\d{1,3}){1,3}\s+")
_CAMEL = re.compile(r"[a-z]{2,}\w*[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*")


@dataclass(frozen=True, slots=True)
class Token:
    """A word by its offsets. `mark` is set where markup made one unit of the piece."""

    start: int
    end: int
    text: str
    mark: Mark | None = None

    @property
    def low(self) -> str:
        """The word in lower case."""
        return self.text.lower()

    @property
    def capital(self) -> bool:
        """Say whether it begins with a capital letter and is no marked piece."""
        return self.mark is None and (self.text[0].isupper() or self.text[0].istitle())


@dataclass(frozen=True, slots=True)
class Span:
    """A candidate name by its offsets.

    `first`: the sentence begins with it. `owns`: a possessive ending follows. `titled`: a title of a person preceded.
    `before`: the word before it in lower case, `""` at the start or after punctuation.
    """

    start: int
    end: int
    name: str
    kind: str
    first: bool = False
    owns: bool = False
    titled: bool = False
    before: str = ""


def tokenize(text: str, sentence: Sentence) -> list[Token]:
    """Split a sentence into words; a marked piece is one token, a hidden one (address of a link, markup) none."""
    tokens: list[Token] = []
    at = sentence.start
    for mark in find_marks(text, sentence.start, sentence.end):
        tokens.extend(_words(text, at, mark.start))
        if mark.name is not None:
            tokens.append(Token(mark.start, mark.end, text[mark.start : mark.end], mark))
        at = mark.end
    tokens.extend(_words(text, at, sentence.end))
    return tokens


def find_spans(text: str, tokens: list[Token], german: bool) -> list[Span]:
    """Return the candidate names of one sentence in order, without overlaps."""
    spans: list[Span] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.mark is not None and token.mark.name is not None:
            spans.append(_single(text, tokens, index, token.mark.name, token.mark.kind))
            index += 1
        elif token.capital:
            stop = _run_end(text, tokens, index, german)
            span = _run_span(text, tokens, index, stop)
            if span is not None:
                spans.append(span)
            index = stop
        else:
            name = identifier(token.text)
            if name is not None:
                spans.append(_single(text, tokens, index, name, "identifier"))
            index += 1
    return spans


def _words(text: str, start: int, end: int) -> list[Token]:
    return [Token(match.start(), match.end(), match[0]) for match in _TOKEN.finditer(text, start, end)]


def _single(text: str, tokens: list[Token], index: int, name: str, kind: str) -> Span:
    token = tokens[index]
    owns = text[token.end : token.end + 2] in ("'s", "’s")
    return Span(token.start, token.end, name, kind, index == 0, owns, before=_before(text, tokens, index))


def _before(text: str, tokens: list[Token], index: int) -> str:
    if index == 0:
        return ""
    previous = tokens[index - 1]
    return previous.low if text[previous.end : tokens[index].start].isspace() else ""


def _run_end(text: str, tokens: list[Token], start: int, german: bool) -> int:
    """Return the index after the last token of the run of name words that begins at `start`."""
    index = start + 1
    while index < len(tokens):
        gap = text[tokens[index - 1].end : tokens[index].start]
        if _ends_name(tokens[index - 1]):
            break
        if _continues(text, tokens, index, gap):
            index += 1
            continue
        linked = _linked(text, tokens, start, index, german) if gap.isspace() else None
        if linked is None:
            break
        index = linked
    return index


def _ends_name(token: Token) -> bool:
    """A possessive or an adjective made from a name closes the run."""
    return _POSSESSIVE.search(token.text) is not None or _adjective_head(token.text) is not None


def _adjective_head(word: str) -> str | None:
    """Return `NASA` of `NASA-funded`, None for other words."""
    head, hyphen, tail = word.rpartition("-")
    return head if hyphen and tail.islower() and tail.endswith(ADJECTIVE_TAILS) else None


def _continues(text: str, tokens: list[Token], index: int, gap: str) -> bool:
    token, previous = tokens[index], tokens[index - 1]
    if token.mark is not None:
        nickname = token.mark.kind == "quoted" and gap == " " and " " not in token.text
        return nickname and index + 1 < len(tokens) and tokens[index + 1].capital and token.text[1:2].isupper()
    if token.capital:
        if gap.isspace() and gap.count("\n") < 2:
            return True
        initial = gap in (". ", ".") and (len(previous.text) == 1 or previous.low in PERSON_TITLES | {"st"})
        # "… Block 1 E. If …": a sentence ends after the letter.
        initial = initial and token.low not in STOP_WORDS
        return initial or (gap in (", ", ",") and token.low in NAME_SUFFIXES)
    if gap not in (" ", "\u00a0", " #", " №", " No. "):
        return False
    return previous.capital and _is_number_part(text, tokens, index)


def _is_number_part(text: str, tokens: list[Token], index: int) -> bool:
    if _NUMBER_PART.fullmatch(tokens[index].text) is None or tokens[index - 1].low in MONTHS:
        return False
    if index + 1 >= len(tokens) or not _gap_is_space(text, tokens, index + 1):
        return True
    return tokens[index + 1].low not in MONTHS and tokens[index + 1].low not in UNITS


def _linked(text: str, tokens: list[Token], start: int, index: int, german: bool) -> int | None:
    """Return the index after the word that follows `of`, `von`, `and` … when it makes one name of both sides."""
    word = tokens[index].low
    after = index + 1
    while after < len(tokens) and after - index <= 2 and tokens[after].low in PARTICLES | {"the"}:
        after += 1
    if (
        after >= len(tokens)
        or not tokens[after].capital
        or tokens[after].low in MONTHS
        or tokens[after].low in WEEKDAYS
    ):
        return None
    if text[tokens[index].end : tokens[after].start].strip(" ") not in (
        "",
        *(t.text for t in tokens[index + 1 : after]),
    ):
        return None
    left = [token.text for token in tokens[start:index]]
    head = left[-1]
    if word in LINKERS and (word == "für") == german:
        named = head.lower() in OF_HEADS or (word != "of" and head.lower() in FOR_HEADS)
        ordinary = left[0].lower() in STOP_WORDS | ORDINARY_WORDS
        short = word == "of" and len(left) == 1 and not head.isupper() and not ordinary and head.lower() not in PLACES
        return after + 1 if (named or short) and not head[-1].isdigit() else None
    if word in ("and", "und", "&"):
        tail = after
        while tail + 1 < len(tokens) and tokens[tail + 1].capital and _gap_is_space(text, tokens, tail + 1):
            tail += 1
        joined = tokens[tail].low in AND_TAILS and not head.isupper() and (len(left) > 1 or tail > after)
        return tail + 1 if joined else None
    if word in PARTICLES and "the" not in (token.low for token in tokens[index:after]):
        if german and not any(part.lower() in GIVEN_NAMES for part in left):
            return None
        return after + 1
    return None


def _gap_is_space(text: str, tokens: list[Token], index: int) -> bool:
    return text[tokens[index - 1].end : tokens[index].start].isspace()


def _run_span(text: str, tokens: list[Token], start: int, stop: int) -> Span | None:
    """Trim a run at both ends and add the lower-case noun that completes some names."""
    low, high, titled = start, stop, False
    while low < high and _leading(tokens, low, high):
        titled = titled or tokens[low].low in PERSON_TITLES
        low += 1
    while high > low and (is_date_word(tokens[high - 1].text) and _dated(tokens, low, high)):
        high -= 1
    while high - low > 2 and tokens[high - 1].low in STOP_WORDS and not tokens[high - 1].text.isupper():
        high -= 1
    if low == high:
        return None
    last = tokens[high - 1]
    ending = _POSSESSIVE.search(last.text)
    end = last.end - (len(ending[0]) if ending else 0)
    head = _adjective_head(last.text)
    if head is not None and ending is None:
        end = last.start + len(head)
        if head.lower() in PREFIXES or head.lower() in DEMONYMS:
            return None
    elif ending is None and high == stop and _has_name_noun(text, tokens, stop):
        end = tokens[stop].end
    name = clean(text[tokens[low].start : end])
    if name is None or (end == last.end and all(token.low in DEMONYMS for token in tokens[low:high])):
        return None
    kind = "identifier" if high - low == 1 and identifier(name) else "capitals"
    span = Span(tokens[low].start, end, name, kind, low == 0, ending is not None, titled)
    return replace(span, before=_before(text, tokens, low))


def _has_name_noun(text: str, tokens: list[Token], index: int) -> bool:
    return index < len(tokens) and tokens[index].text in NAME_NOUNS and _gap_is_space(text, tokens, index)


def _leading(tokens: list[Token], low: int, high: int) -> bool:
    """Say whether the first word of a run is none of the name: a stop word, a title, a date, an adjective of origin."""
    word = tokens[low].low
    if word in STOP_WORDS or is_date_word(tokens[low].text):
        return not (
            word in MONTHS and high - low > 1 and tokens[low + 1].capital and not is_date_word(tokens[low + 1].text)
        )
    if high - low == 1:
        return False
    following = tokens[low + 1].text
    if word in GERMAN_ROLES or (low == 0 and word in IMPERATIVES):
        return True
    if word in PERSON_TITLES:
        return following[:1].isupper()
    return word in DEMONYMS and following.isupper() and len(following) > 1


def _dated(tokens: list[Token], low: int, high: int) -> bool:
    """A trailing number belongs to a date only when a month or weekday stands before it in the run."""
    word = tokens[high - 1].low
    if high - low == 2 and tokens[low].low in GIVEN_NAMES and not word.isdigit():
        return False
    if not word.isdigit():
        return high - low > 1 or word in MONTHS or word in WEEKDAYS
    return any(token.low in MONTHS or token.low in WEEKDAYS for token in tokens[low : high - 1])


def identifier(word: str) -> str | None:
    """Return the name when a word is written as only names are: snake_case, camelCase, gpt-4, NASA, v1.2."""
    word = _POSSESSIVE.sub("", word)
    letters = [c for c in word if c.isalpha()]
    if len(word) < 2 or len(letters) < 1 or word.lower() in STOP_WORDS:
        return None
    special = (
        ("_" in word.strip("_") and len(letters) > 2)
        or _CAMEL.fullmatch(word) is not None
        or (len(letters) > 1 and word.isupper() and word[0].isalpha())
        or _VERSION.fullmatch(word) is not None
        or _with_digits(word)
    )
    return clean(word, literal=True) if special else None


def heading_name(text: str, sentence: Sentence) -> str | None:
    """Return the name that a heading gives to its section, without numbering and markup; None when it has none."""
    raw = text[sentence.start : sentence.end].strip("#= \t")
    raw = _LINK.sub(r"\1", raw[: 2 * MAX_CHARACTERS])
    raw = _NUMBERING.sub("", raw)
    if raw.endswith(("?", "!")):
        return None
    name = clean(raw.replace("`", "").replace("*", "").rstrip(":"))
    return name if name and (name[0].isupper() or identifier(name) or sentence.level == 1) else None


def _with_digits(word: str) -> bool:
    head, hyphen, tail = word.partition("-")
    if not hyphen:
        return word[0].isupper() and word[1:].isdigit()
    return (
        head[0].isalpha()
        and head.lower() not in PREFIXES
        and any(c.isdigit() for c in tail)
        and not tail.endswith(("st", "nd", "rd", "th"))
        and head.lower() not in MONTHS
    )
