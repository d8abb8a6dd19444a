"""Cuts a text into sentences: the units that facts quote. Headings, list items, table rows and code are told apart."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lcg.providers.extractor.rules.words import ABBREVIATIONS, MONTHS

MAX_SENTENCE = 700
"""Longer ones are cut, so that a text without any sentence end does not become one enormous fact per pair of names."""

_SHORT_LINE = 60
Kind = Literal["prose", "heading", "row", "member"]

_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_HEADING = re.compile(r"\s{0,3}(#{1,6}(?=[ \t])|={2,6}(?=[ \t]*[^=\s]))[ \t]*")
_UNDERLINE = re.compile(r"\s{0,3}(={3,}|-{3,})\s*")
_ITEM = re.compile(r"\s{0,12}(?:[-+•–][ \t]+|\*(?!\*)[ \t]*|\d{1,3}[.)][ \t]+)(?:\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r"\s{0,3}(?:>[ \t]?){1,5}")
_RULE_ROW = re.compile(r"\|?[\s:|-]{3,}\|?\s*")
_SENTENCE_END = re.compile(r"((?<![.!?…])[.!?…]++|[。！？]++)([\"'”’»)\]*_`]{0,3})(\s+|$)|[。！？]+")
_LAST_WORD = re.compile(r"[\w.]{1,20}\Z")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece of the text by its offsets (characters).

    `level` is that of a heading, 1 the highest, else 0. `topic` is who speaks or what is spoken of, where the source
    says so. A fact quotes from `lead` on, which differs from `start` where the speaker stands before the sentence.
    """

    start: int
    end: int
    kind: Kind = "prose"
    level: int = 0
    topic: str = ""
    lead: int = -1

    def quote(self, text: str) -> str:
        """Return the piece as a fact quotes it, verbatim."""
        return text[self.start if self.lead < 0 else self.lead : self.end]


def split_text(text: str, start: int = 0, end: int | None = None, topic: str = "") -> Iterator[Sentence]:
    """Yield the sentences of a text, or of a part of it, in order. Fenced code is left out."""
    for block in _blocks(text, start, len(text) if end is None else end):
        if block.kind == "heading":
            trimmed = _trim(text, block.start, block.end)
            if trimmed is not None:
                yield Sentence(*trimmed, "heading", block.level, topic)
        else:
            for piece in _sentences(text, block.start, block.end, whole=block.kind == "row"):
                yield Sentence(*piece, block.kind, 0, topic)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield start, stop
        start = stop + 1


def _blocks(text: str, start: int, end: int) -> Iterator[Sentence]:
    """Group lines to blocks. A hard-wrapped paragraph is one block; every item, heading and row is its own."""
    held: list[tuple[int, int]] = []
    fenced = False
    in_wiki_table = False

    def flush(kind: Kind = "prose", level: int = 0) -> Iterator[Sentence]:
        if held:
            yield Sentence(held[0][0], held[-1][1], kind, level)
            held.clear()

    lines = list(_lines(text, start, end))
    for index, (low, high) in enumerate(lines):
        line = text[low : min(high, low + 400)]
        stripped = line.strip()
        if _FENCE.match(line) and not in_wiki_table:
            yield from flush()
            fenced = not fenced
        elif fenced:
            continue
        elif stripped.startswith(("{|", "|}")):
            yield from flush("row" if in_wiki_table else "prose")
            in_wiki_table = stripped.startswith("{|")
        elif in_wiki_table:
            if stripped.startswith("|-"):
                yield from flush("row")
            elif not stripped.startswith("!"):
                held.append((low, high))
        elif not stripped:
            yield from flush()
        elif _UNDERLINE.fullmatch(line):
            yield from flush("heading" if len(held) == 1 else "prose", 1 if stripped[0] == "=" else 2)
        elif (heading := _HEADING.match(line)) is not None:
            yield from flush()
            level = heading[1].count("#") or len(heading[1])
            yield Sentence(low + heading.end(), high, "heading", level)
        elif stripped.startswith("|"):
            yield from flush()
            below = lines[index + 1] if index + 1 < len(lines) else None
            is_header = below is not None and _RULE_ROW.fullmatch(text[below[0] : below[1]][:400])
            if not is_header and not _RULE_ROW.fullmatch(line):
                yield Sentence(low, high, "row")
        else:
            marker = _ITEM.match(line) or _QUOTE.match(line)
            if marker is not None or (held and _stands_alone(text, held[-1], low)):
                yield from flush()
            held.append((low + (marker.end() if marker else 0), high))
    yield from flush("row" if in_wiki_table else "prose")


def _stands_alone(text: str, line: tuple[int, int], next_start: int) -> bool:
    """Say whether a short line is a line of its own (a title, a label), not the start of a wrapped sentence."""
    if line[1] - line[0] >= _SHORT_LINE:
        return False
    following = text[next_start : next_start + 40].lstrip()
    return not following or not following[0].islower()


def _sentences(text: str, start: int, end: int, whole: bool) -> Iterator[tuple[int, int]]:
    low = start
    if not whole:
        for match in _SENTENCE_END.finditer(text, start, end):
            if match.end() < end and not _is_end(text, low, match):
                continue
            yield from _cut(text, low, match.end() if match[2] is None else match.end(2))
            low = match.end()
    yield from _cut(text, low, end)


def _is_end(text: str, low: int, match: re.Match[str]) -> bool:
    following = text[match.end() : match.end() + 12]
    if following[:1].islower():
        return False
    if match[1] != ".":
        return True
    last = _LAST_WORD.search(text, max(low, match.start() - 20), match.start())
    if last is None:
        return True
    word = last[0]
    if len(word) == 1 and word.isalpha():
        return False
    if word.isdigit() and len(word) <= 2 and re.split(r"\W", following, maxsplit=1)[0].lower() in MONTHS:
        return False
    if word.lower() == "no":
        return not following[:1].isdigit()
    return word.lower() not in ABBREVIATIONS


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > MAX_SENTENCE:
        limit = start + MAX_SENTENCE
        for separator in ("\n", "; ", ", ", " "):
            at = text.rfind(separator, start + MAX_SENTENCE // 2, limit)
            if at >= 0:
                limit = at + 1
                break
        trimmed = _trim(text, start, limit)
        if trimmed is not None:
            yield trimmed
        start = limit
    trimmed = _trim(text, start, end)
    if trimmed is not None:
        yield trimmed


def _trim(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Drop white space at both ends; None when nothing is left."""
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return None
    low = start + len(piece) - len(piece.lstrip())
    return low, low + len(stripped)
