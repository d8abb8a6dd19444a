"""Which queries may return times that the engine's Python binding cannot hold.

A TIMESTAMP or DATE outside the years 1 to 9999 ends the process when it is fetched, and nothing can catch that. Stored
times are always inside. So a query whose result has a time column is looked at: does it make times of its own?
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from lcg.store.kuzu.tokens import Token

TIME_COLUMNS = frozenset({"CREATED_AT", "VALID_AT", "INVALID_AT"})
MAKERS = frozenset(
    {
        "TIMESTAMP",
        "DATE",
        "CAST",
        "TO_TIMESTAMP",
        "TO_DATE",
        "MAKE_DATE",
        "EPOCH_MS",
        "INTERVAL",
        "DURATION",
        "TO_INTERVAL",
        "TO_YEARS",
        "TO_MONTHS",
        "TO_DAYS",
        "TO_HOURS",
        "TO_MINUTES",
        "TO_SECONDS",
        "TO_MILLISECONDS",
        "TO_MICROSECONDS",
    }
)
_READING = frozenset({"MATCH", "OPTIONAL", "WHERE"})
_PROJECTING = frozenset({"RETURN", "WITH", "UNWIND", "CALL"})
_YEAR = re.compile(r"['\"](?!0000)\d{4}-")


def has_times(column_types: Sequence[str]) -> bool:
    """Say whether a result with such columns holds times outside nodes and links."""
    return any("TIMESTAMP" in name or "DATE" in name for name in column_types)


def may_hold_times(column_types: Sequence[str]) -> bool:
    """Say whether a result with such columns may hold times anywhere, nodes and links included."""
    return has_times(column_types) or any("NODE" in name or "REL" in name for name in column_types)


def makes_times(tokens: Sequence[Token], bound: Mapping[str, Any], *, everywhere: bool = False) -> bool:
    """Say whether what the query returns may be computed times, not only stored ones and plain constants.

    `bound` are its parameters. With `everywhere`, clauses that return nothing are looked at, too: a query that writes
    can return what it stored and overwrote.
    """
    if any(token.is_word("LOAD") and _is_word(tokens, place + 1, "FROM", "WITH") for place, token in enumerate(tokens)):
        return True
    projected = list(range(len(tokens))) if everywhere else _projected(tokens)
    makers = [place for place in projected if tokens[place].is_word(*MAKERS) and _is_sign(tokens, place + 1, "(")]
    if any(tokens[place].is_sign("+") for place in projected):
        return bool(makers) or any(_is_minus(tokens, place) for place in projected)
    return any(not _is_harmless(tokens, place + 2, bound) for place in makers)


def _projected(tokens: Sequence[Token]) -> list[int]:
    places: list[int] = []
    inside = False
    for place, token in enumerate(tokens):
        if token.is_word(*_PROJECTING):
            inside = True
        elif token.is_word(*_READING):
            inside = False
        if inside:
            places.append(place)
    return places


def _is_harmless(tokens: Sequence[Token], place: int, bound: Mapping[str, Any]) -> bool:
    """Say whether the arguments that start here are a stored time, or a constant with a year of four digits."""
    if _is_sign(tokens, place + 1, ")"):
        token = tokens[place]
        text = f"'{bound.get(token.text)}'" if token.kind == "parameter" else token.text
        return token.kind in ("string", "parameter") and _YEAR.match(text) is not None
    if not (_is_sign(tokens, place + 1, ".") and place + 2 < len(tokens)):
        return False
    is_stored = tokens[place].is_name and tokens[place + 2].text.upper() in TIME_COLUMNS
    return is_stored and (_is_sign(tokens, place + 3, ")") or tokens[place + 3].is_word("AS"))


def _is_sign(tokens: Sequence[Token], place: int, sign: str) -> bool:
    return place < len(tokens) and tokens[place].is_sign(sign)


def _is_word(tokens: Sequence[Token], place: int, *words: str) -> bool:
    return place < len(tokens) and tokens[place].is_word(*words)


def _is_minus(tokens: Sequence[Token], place: int) -> bool:
    """Say whether this takes something away, rather than being part of an arrow."""
    beside = (place - 1, place + 1)
    return tokens[place].is_sign("-") and not any(_is_sign(tokens, near, sign) for near in beside for sign in "[]<>-")
