"""The parameters of a Cypher query, compared and checked before anything runs.

The engine cannot be trusted here: with no parameters at all it takes an unknown name for true, and in a list of objects
it gives every object the keys of the last one, by their order. What has no type at all, such as an empty list, it takes
in some places and not in others.
"""

import re
from collections.abc import Mapping
from typing import Any

from lcg.errors import InvalidParams

TOOL = "knowledge_query_cypher"
MAX_DEPTH = 60
EXACT_IN_FLOATS = 2**53
_TYPED = "a value that has a type"


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


def check_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values as the engine takes them unchanged. Raises InvalidParams for those it would change."""
    for name, value in given.items():
        _check(name, value, 0)
        _check_alike(name, [value])
        if isinstance(value, Mapping):
            place = _untyped(name, [value])
            if place:
                raise _invalid(place, _TYPED, "a null or an empty list", "Pass it as a parameter of its own.")
    return {name: _ordered(value) for name, value in given.items()}


def untyped_place(given: Mapping[str, Any]) -> str | None:
    """Return where a type cannot be told: null, a list without values, an object's value that is null."""
    for name, value in given.items():
        place = _untyped(name, [value])
        if place:
            return place
    return None


def untyped(place: str) -> InvalidParams:
    """Return what is told of a value whose type the engine had to know, and could not tell."""
    name = re.split(r"[.\[]", place)[0]
    return _invalid(
        place,
        f"{_TYPED}, where the query uses ${name} so",
        "a null or an empty list",
        f"Say the type in the query, such as CAST(${name} AS STRING[]), or leave the value out.",
    )


def _check(place: str, value: Any, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise _invalid(place, f"a value at most {MAX_DEPTH} levels deep", "a deeper one")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise _invalid(place, "a 64-bit integer", str(value)[:40])
    if isinstance(value, str) and not _is_unicode(value):
        raise _invalid(place, "text without lone surrogates", "text with one")
    if isinstance(value, list):
        for number, item in enumerate(value):
            _check(f"{place}[{number}]", item, depth + 1)
    elif isinstance(value, Mapping):
        if not value:
            # The engine dies of some uses of an object without keys.
            raise _invalid(place, "an object with at least one key", "an empty one")
        for key, item in value.items():
            _check(f"{place}.{key}", item, depth + 1)


def _check_alike(place: str, values: list[Any]) -> None:
    """Compare all that stands at one place of a parameter: the items of a list, or what objects in a list have there.

    The engine has one type for them. It gives null among lists or objects as an empty one, or dies of it.
    """
    kinds = sorted({_kind(value) for value in values if value is not None})
    if len(kinds) > 1:
        raise _invalid(*_of_one_type(place), " and ".join(kinds))
    if any(isinstance(value, float) for value in values):
        inexact = [value for value in values if isinstance(value, int) and abs(value) > EXACT_IN_FLOATS]
        if inexact:
            raise _invalid(*_of_one_type(place), f"fractions and {inexact[0]}, which would be rounded")
    if kinds in (["lists"], ["objects"]) and None in values:
        raise _invalid(*_of_one_type(place), f"{kinds[0]} and null", "Leave the nulls out.")
    if kinds == ["lists"]:
        _check_alike(f"{place}[]", [item for value in values for item in value])
    if kinds == ["objects"]:
        if len({frozenset(value) for value in values}) > 1:
            raise _invalid(
                place.removesuffix("[]"), "a list of objects with the same keys", "objects whose keys differ"
            )
        for key in values[0]:
            _check_alike(f"{place}.{key}", [value[key] for value in values])


def _of_one_type(place: str) -> tuple[str, str]:
    if place.endswith("[]"):
        return place.removesuffix("[]"), "a list of values of one type"
    return place, "of one type in every object"


def _untyped(place: str, values: list[Any]) -> str | None:
    """Return the first place at or below this one, in values that are alike, where nothing has a type."""
    present = [value for value in values if value is not None]
    if not present:
        return place
    if isinstance(present[0], list):
        return _untyped(f"{place}[]", [item for value in present for item in value])
    if isinstance(present[0], Mapping):
        for key in present[0]:
            found = _untyped(f"{place}.{key}", [value[key] for value in present])
            if found:
                return found
    return None


def _ordered(value: Any) -> Any:
    """Put the keys of objects in order: the engine takes the values of objects in a list by their order."""
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _ordered(value[key]) for key in sorted(value)}
    return value


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


def _invalid(place: str, expected: str, received: str, advice: str = "") -> InvalidParams:
    return InvalidParams(TOOL, "parameters", f"such that {place} is {expected}", received, advice=advice)


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
