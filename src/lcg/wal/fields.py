"""Reading the fields of a JSON object by type, strictly: `true` is no 1, and what is missing or mistyped is named."""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import orjson

from lcg.model import times
from lcg.wal.errors import LineError

Fields = dict[str, Any]
MAX_NUMBER = 2**62
"""Above this a number is taken for damage; it leaves room for a signed 64-bit column."""

_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{6})?Z", re.ASCII)


def parse(line: bytes) -> Fields:
    """Return the JSON object that a line is, whatever is in it.

    Raises:
        LineError: it is no JSON (bad UTF-8 and excessive nesting included), or no object.
    """
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise LineError(f"not JSON: {error.msg}") from error
    if type(fields) is not dict:
        raise LineError(f"a line must be an object, got {kind(fields)}")
    return fields


def text(fields: Fields, name: str) -> str:
    """Return a field that must be text."""
    value = fields.get(name)
    if type(value) is str:
        return value
    raise wrong(fields, name, "text")


def key(fields: Fields, name: str) -> str:
    """Return a field that identifies a row, so it must be text and not empty."""
    value = fields.get(name)
    if type(value) is str and value:
        return value
    raise wrong(fields, name, "text that is not empty")


def optional_text(fields: Fields, name: str) -> str | None:
    """Return a field that is text, null or missing."""
    value = fields.get(name)
    if value is None or type(value) is str:
        return value
    raise wrong(fields, name, "text or null")


def texts(fields: Fields, name: str) -> tuple[str, ...]:
    """Return a field that must be a list of text."""
    value = fields.get(name)
    if type(value) is not list:
        raise wrong(fields, name, "a list of text")
    for item in value:
        if type(item) is not str:
            raise LineError(f"{name} must hold text only, got {kind(item)}")
    return tuple(value)


def number(fields: Fields, name: str, least: int) -> int:
    """Return a field that must be a whole number from `least` to `MAX_NUMBER`."""
    value = fields.get(name)
    if type(value) is int and least <= value <= MAX_NUMBER:
        return value
    raise wrong(fields, name, f"a whole number from {least}")


def optional_number(fields: Fields, name: str) -> int | None:
    """Return a field that is a whole number from 0, null or missing."""
    return None if fields.get(name) is None else number(fields, name, 0)


def items(fields: Fields, name: str) -> list[Any]:
    """Return a field that must be a list, of anything."""
    value = fields.get(name)
    if type(value) is list:
        return value
    raise wrong(fields, name, "a list")


def object_text(fields: Fields, name: str) -> str:
    """Return a field that must be a JSON object as text; missing means an empty one."""
    if name not in fields:
        return "{}"
    value = text(fields, name)
    if not is_object_text(value):
        raise LineError(f"{name} must be a JSON object as text")
    return value


def is_object_text(value: str) -> bool:
    """Say whether a text is a JSON object."""
    try:
        return type(orjson.loads(value)) is dict
    except orjson.JSONDecodeError:
        return False


def time(fields: Fields, name: str) -> times.Micros:
    """Return a field that must be a time as the log writes it."""
    try:
        return _parse_time(fields[name])
    except (KeyError, TypeError):
        raise wrong(fields, name, "a time as text") from None
    except ValueError:
        raise LineError(f"{name} is no UTC time of the form 2026-03-02T08:00:00Z") from None


def optional_time(fields: Fields, name: str) -> times.Micros | None:
    """Return a field that is such a time, null or missing."""
    return None if fields.get(name) is None else time(fields, name)


def first_wrong(fields: Fields, keys: Sequence[str], texts: Sequence[str] = ()) -> LineError:
    """Return the error for the first of these fields that is no text, or as a key is empty. One of them must be."""
    try:
        for name in keys:
            key(fields, name)
        for name in texts:
            text(fields, name)
    except LineError as error:
        return error
    raise AssertionError("none of these fields is wrong")


def wrong(fields: Fields, name: str, expected: str) -> LineError:
    """Return the error for a field that is missing or not what was expected."""
    if name not in fields:
        return LineError(f"{name} is missing")
    return LineError(f"{name} must be {expected}, got {kind(fields[name])}")


def kind(value: object) -> str:
    """Name a JSON value for an error: numbers and booleans themselves, of the rest the kind only."""
    match value:
        case None:
            return "null"
        case bool() | int() | float():
            return repr(value).lower()
        case str():
            return "text" if value else "empty text"
        case list():
            return "a list"
        case _:
            return "an object"


# Rows made by one call share their times, so parsing each text once is most of the work saved.
@lru_cache(maxsize=4096)
def _parse_time(value: str) -> times.Micros:
    if _TIME.fullmatch(value) is None:
        raise ValueError(value)
    return times.from_datetime(datetime.fromisoformat(value))
