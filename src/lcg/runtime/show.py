"""How a value that a caller sent is quoted back in an error: short, printable, and never able to break the answer."""

import json
from typing import Any

from lcg.errors import NULL

BLANK = "a blank text"
_LONGEST = 60
_MOST_KEYS = 5


def show(value: Any) -> str:
    """Describe a value that came in, in at most a line."""
    if value is None:
        return NULL
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {quote(value)}" if value.strip() else BLANK
    if isinstance(value, int):
        return f"the number {value}" if -(10**30) < value < 10**30 else "a number of more than thirty digits"
    if isinstance(value, float):
        return f"the number {value!r}"
    if isinstance(value, dict):
        return f"an object with {_keys(value)}" if value else "an empty object"
    if isinstance(value, (list, tuple)):
        return f"an array of {len(value)}" if value else "an empty array"
    return f"a {type(value).__name__}"


def quote(text: str) -> str:
    """Quote a text as JSON does, cut after sixty characters, with everything unprintable escaped."""
    cut = text[:_LONGEST]
    quoted = json.dumps(cut, ensure_ascii=False)
    safe = "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in quoted)
    return f"{safe[:-1]}…{safe[-1]}" if len(text) > _LONGEST else safe


def plain(text: str) -> str:
    """Return a name that a caller sent, cut and with everything unprintable escaped, without quotes."""
    return quote(text)[1:-1]


def _keys(value: dict[Any, Any]) -> str:
    shown = ", ".join(plain(str(key)) for key in list(value)[:_MOST_KEYS])
    return f"keys {shown}{', …' if len(value) > _MOST_KEYS else ''}"
