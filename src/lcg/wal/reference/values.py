"""From the values of a statement to those of a row. Logs of several ages write the same thing in several ways."""

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

import orjson

from lcg.model import times
from lcg.model.times import Micros
from lcg.wal.fields import is_object_text
from lcg.wal.reference.errors import Untranslated, failed, unrecognised
from lcg.wal.reference.syntax import Apply, Case, Column, Expression, Items, Literal, Mapping, Param, Params

DEFAULT_LABELS = ("Entity",)
_FIRST = times.from_naive_utc(datetime.min)
_LARGEST = 1e38  # what a number of four bytes holds
_LAST = times.from_naive_utc(datetime.max)
_MOMENT_CHARS = 64  # longer text is no time, and is not worth remembering
_MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)? ?(?:[Zz]|[+-]\d\d(?::?\d\d)?)?)?", re.ASCII
)
# Wrappers that say how an engine is to store a value; the value itself is what counts here.
_WRAPPERS = frozenset({"timestamp", "datetime", "localdatetime", "vecf32", "tostring", "string", "to_json"})


def evaluate(expression: Expression, params: Params) -> Any:
    """Return the value of an expression: None, text, number, boolean, list or dict.

    Raises:
        Untranslated: it names a parameter that is missing, or asks for something that only an engine can answer.
    """
    match expression:
        case Literal(value):
            return value
        case Param(name):
            if name not in params:
                raise failed(f"the statement names the parameter {name[:40]!r}, which the line does not have")
            return params[name]
        case Items(items):
            return [evaluate(item, params) for item in items]
        case Mapping(entries):
            return {name: evaluate(entry, params) for name, entry in entries.items()}
        case Case(branches, otherwise):
            for condition, result in branches:
                if evaluate(condition, params) is True:
                    return evaluate(result, params)
            return evaluate(otherwise, params)
        case Column():
            raise unrecognised("a value is taken from a column")
        case Apply(name, arguments):
            return _apply(name, [evaluate(argument, params) for argument in arguments])


def _apply(name: str, values: list[Any]) -> Any:
    if name in _WRAPPERS and len(values) == 1:
        return values[0]
    if name == "coalesce":
        return next((value for value in values if value is not None), None)
    operator = _OPERATORS.get(name)
    if operator is None:
        raise unrecognised(f"the function {name[:40]}() is not read here")
    return operator(values)


def _equal(values: list[Any]) -> bool | None:
    left, right = values
    return None if left is None or right is None else bool(left == right)


def _differ(values: list[Any]) -> bool | None:
    same = _equal(values)
    return None if same is None else not same


def _among(values: list[Any]) -> bool | None:
    left, right = values
    return None if left is None or not isinstance(right, list) else left in right


# As in Cypher, null is neither true nor false; a branch is taken on true alone.
_OPERATORS: dict[str, Callable[[list[Any]], bool | None]] = {
    "=": _equal,
    "<>": _differ,
    "in": _among,
    "is null": lambda values: values[0] is None,
    "not": lambda values: None if values[0] is None else values[0] is not True,
    "and": lambda values: all(value is True for value in values),
    "or": lambda values: any(value is True for value in values),
}


def key(value: Any, column: str) -> str:
    """Return text that identifies a row, so it must not be empty."""
    if found := text(value, column):
        return found
    raise failed(f"{column} is empty")


def text(value: Any, column: str) -> str:
    """Return text; null counts as empty."""
    if value is None:
        return ""
    if type(value) is not str:
        raise _wrong(column, "text", value)
    try:
        value.isascii() or value.encode()
    except UnicodeEncodeError:
        raise failed(f"{column} is no well-formed text") from None
    return value


def texts(value: Any, column: str) -> tuple[str, ...]:
    """Return a list of text; null counts as empty."""
    if value is None:
        return ()
    if type(value) is not list:
        raise _wrong(column, "a list of text", value)
    return tuple(text(item, column) for item in value)


def labels(value: Any) -> tuple[str, ...]:
    """Return an entity's labels as they are given. Older lines left them out: then it is an entity and no more."""
    return texts(value, "labels") or DEFAULT_LABELS


def attributes(value: Any) -> str:
    """Return a JSON object as text. A map is written out; text that is no JSON object is kept under `text`."""
    if value is None or value == "":
        return "{}"
    if type(value) is dict:
        return _dump(value)
    written = text(value, "attributes")
    return written if is_object_text(written) else _dump({"text": written})


def with_attributes(present: str, more: dict[str, Any]) -> str:
    """Return attributes with some more of them."""
    return _dump({**orjson.loads(present), **more}) if more else present


def moment(value: Any, column: str) -> Micros:
    """Return a time, from RFC 3339 or the form with a blank; one without an offset is UTC."""
    if (found := optional_moment(value, column)) is None:
        raise failed(f"{column} is null")
    return found


def optional_moment(value: Any, column: str) -> Micros | None:
    """Return a time, or None for null and empty text."""
    if value is None or value == "":
        return None
    if type(value) is not str:
        raise _wrong(column, "a time as text", value)
    micros = _parsed(value) if len(value) <= _MOMENT_CHARS else None
    if micros is None:
        raise failed(f"{column} is no time from year 1 to 9999")
    return micros


# Rows of one ingestion share their times, so parsing each text once is most of the work saved.
@lru_cache(maxsize=4096)
def _parsed(written: str) -> Micros | None:
    trimmed = written.strip()
    if _MOMENT.fullmatch(trimmed) is None:
        return None
    try:
        found = datetime.fromisoformat(trimmed.upper().replace(" ", "T", 1).replace(" ", ""))
    except ValueError:
        return None
    micros = times.from_datetime(found if found.tzinfo else found.replace(tzinfo=UTC))
    return micros if _FIRST <= micros <= _LAST else None


def vector(value: Any) -> list[float] | None:
    """Return an embedding if it is one: finite numbers, not all zero (which stood for an embedder that failed)."""
    if type(value) is not list or not set(map(type, value)) <= {float, int}:
        return None
    try:
        usable = 0 < math.fsum(map(abs, value)) < _LARGEST
    except OverflowError:
        return None
    return value if usable else None


def _dump(value: dict[str, Any]) -> str:
    try:
        return orjson.dumps(value).decode()
    except (orjson.JSONEncodeError, RecursionError):
        raise failed("attributes has no JSON form") from None


def _wrong(column: str, expected: str, value: Any) -> Untranslated:
    kinds = {str: "text", list: "a list", dict: "a map", bool: "true or false", int: "a number", float: "a number"}
    return failed(f"{column} must be {expected}, the line has {kinds.get(type(value), 'something else')}")
