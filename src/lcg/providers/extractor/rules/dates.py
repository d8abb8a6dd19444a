"""Reads the time that a sentence states. Only explicit dates count; "last week" does not."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from lcg.model.times import Micros, from_datetime, parse_time
from lcg.providers.extractor.rules.words import MONTHS

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATE = re.compile(
    rf"""
      (?<![\w.])(?P<iso>\d{{4}}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d{{1,9}})?(?:Z|[+-]\d\d:\d\d)?)?)(?!\w)
    | \b(?P<m1>{_MONTH})\.?\ (?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:[-–]\d{{1,2}})?,?\ (?P<y1>\d{{4}})\b
    | (?<![\w.,])(?P<d2>\d{{1,2}})(?:st|nd|rd|th|\.)?\ (?:of\ )?(?P<m2>{_MONTH})\.?,?\ (?P<y2>\d{{4}})\b
    | (?<![\w.,])(?P<d3>\d{{1,2}})\.\ ?(?P<m3>\d{{1,2}})\.\ ?(?P<y3>\d{{4}})(?!\w)
    | \b(?P<m4>{_MONTH})\.?,?\ (?:of\ )?(?P<y4>\d{{4}})\b
    | \b(?:in|since|from|until|till|to|by|during|of|between|and|year|im\ jahr|jahr|jahre|seit|bis|ab|von|und)
      \ (?P<y5>1[0-9]\d\d|20\d\d)(?![\w%]|[.,]\d)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LIFE = re.compile(
    r"\([^()]{0,80}?(?:\d{4}\s?(?:&nbsp;|&ndash;)?\s?[-–—]|&ndash;|\bborn\b|\bgeboren\b|\*\s?\d)[^()]{0,80}\)"
)
_RANGE_START = re.compile(r"\b(?:from|between|von|zwischen)\s(?:the\s)?\Z", re.IGNORECASE)
_RANGE_LINK = re.compile(r"\s*(?:to|until|till|and|bis|und|[-–—])\s*(?:the\s)?", re.IGNORECASE)
_UNTIL = re.compile(r"\b(?:until|till|bis)\s(?:the\s|zum\s)?\Z", re.IGNORECASE)
_DASH = re.compile(r"\s?[-–—]\s?\Z")


DATE_PHRASE = re.compile(
    rf"""
      \b(?:on|in|since|at|by|until|from|during|am|im|vom|seit|bis)\s+(?:the\s+)?
      (?:(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s+)?(?:{_MONTH})\b\.?(?:\s+\d{{1,2}}\b,?)?(?:\s+\d{{4}}\b)?|\d{{4}}\b(?!-))
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A date with its preposition (`on May 27, 2018`): it says when, not how two names are related."""


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    moment: Micros


def find_times(sentence: str) -> tuple[Micros | None, Micros | None]:
    """Return when what the sentence says began to hold, and when it ended; None where it does not say.

    A month or year stands for its first day. An end is given only with its beginning (`from 2007 to 2020`). Dates of
    birth and death in brackets are about the person, not the fact, and do not count.
    """
    hidden = [(match.start(), match.end()) for match in _LIFE.finditer(sentence)]
    found = [date for date in _dates(sentence) if not any(low <= date.start < high for low, high in hidden)]
    found = [date for date in found if not _UNTIL.search(sentence[: date.start]) or date is not found[0]]
    if not found:
        return None, None
    begin = found[0]
    if len(found) > 1 and _is_range(sentence, begin, found[1]) and found[1].moment > begin.moment:
        return begin.moment, found[1].moment
    return begin.moment, None


def _is_range(sentence: str, begin: _Found, end: _Found) -> bool:
    between = sentence[begin.end : end.start]
    opened = _RANGE_START.search(sentence[: begin.start]) is not None
    return _DASH.fullmatch(between) is not None or (opened and _RANGE_LINK.fullmatch(between) is not None)


def _dates(sentence: str) -> Iterator[_Found]:
    for match in _DATE.finditer(sentence):
        moment = _moment(match)
        if moment is None:
            continue
        start = match.start("y5") if match["y5"] else match.start()
        yield _Found(start, match.end(), moment)


def _moment(match: re.Match[str]) -> Micros | None:
    try:
        if match["iso"]:
            return parse_time(match["iso"])
        for number in "1234":
            if match[f"y{number}"]:
                return _day(match, number)
        return from_datetime(datetime(int(match["y5"]), 1, 1, tzinfo=UTC))
    except ValueError:  # no such day
        return None


def _day(match: re.Match[str], number: str) -> Micros:
    month = match[f"m{number}"].lower()
    day = int(match[f"d{number}"]) if number != "4" else 1
    return from_datetime(
        datetime(int(match[f"y{number}"]), MONTHS[month] if month in MONTHS else int(month), day, tzinfo=UTC)
    )
