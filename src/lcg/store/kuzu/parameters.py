"""The parameters of a Cypher query, compared and checked before anything runs.

The engine cannot be trusted here: with no parameters at all it takes an unknown name for true, and in a list of objects
it gives every object the keys of the last one.
"""

from collections.abc import Mapping
from typing import Any

from lcg.errors import InvalidParams

TOOL = "knowledge_query_cypher"
MAX_DEPTH = 60


def check_names(wanted: set[str], given: Mapping[str, Any]) -> None:
    """Compare the query's names with the given keys. Raises InvalidParams when they differ."""
    missing, unused = sorted(wanted - given.keys()), sorted(given.keys() - wanted)
    if not missing and not unused:
        return
    expected = (
        f"an object with exactly the keys {_names(sorted(wanted))}" if wanted else "empty: the query has no $names"
    )
    faults = [f"no {_names(missing)}"] if missing else []
    faults += [f"{_names(unused)}, which the query does not use"] if unused else []
    raise InvalidParams(TOOL, "parameters", expected, " and ".join(faults))


def check_values(given: Mapping[str, Any]) -> None:
    """Refuse values that the engine cannot take or would change. Raises InvalidParams."""
    for name, value in given.items():
        _check(name, value, 0)


def _check(place: str, value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _invalid(place, f"a value at most {MAX_DEPTH} levels deep", "a deeper one")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise _invalid(place, "a 64-bit integer", str(value)[:40])
    if isinstance(value, str) and not _is_unicode(value):
        raise _invalid(place, "text without lone surrogates", "text with one")
    if isinstance(value, list):
        _check_list(place, value)
        for number, item in enumerate(value):
            _check(f"{place}[{number}]", item, depth + 1)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            _check(f"{place}.{key}", item, depth + 1)


def _check_list(place: str, items: list[Any]) -> None:
    kinds = {_kind(item) for item in items if item is not None}
    if len(kinds) > 1:
        raise _invalid(place, "a list of values of one type", "a list of " + " and ".join(sorted(kinds)))
    if kinds == {"objects"} and len({frozenset(item) for item in items if item is not None}) > 1:
        raise _invalid(place, "a list of objects with the same keys", "objects whose keys differ")


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "booleans"
    if isinstance(value, (int, float)):
        return "numbers"
    if isinstance(value, str):
        return "texts"
    return "objects" if isinstance(value, Mapping) else "lists"


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _invalid(place: str, expected: str, received: str) -> InvalidParams:
    return InvalidParams(TOOL, "parameters", f"such that {place} is {expected}", received)


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
