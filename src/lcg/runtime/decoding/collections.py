"""Parameters that are arrays of text or JSON objects."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import orjson

from lcg.errors import InvalidParams
from lcg.model.names import normalise
from lcg.runtime.decoding.common import Raw, nearest, present, refuse, text_or_none, well_formed
from lcg.runtime.decoding.text import checked_name
from lcg.runtime.show import plain, show

StringsOrNone = TypeVar("StringsOrNone", tuple[str, ...], None)

STRINGS = "array of strings"


def required_strings(
    tool: str, raw: Raw, parameter: str, text: str = "term", min_items: int = 0, refused: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """An array of texts that must be there, each kept once; a lone text is an array of one.

    Args:
        tool: the method's name.
        raw: what came in.
        parameter: the parameter's name.
        text: how each element is normalised: `name`, `term` or `id`.
        min_items: the least number of elements.
        refused: texts that are no legal element.
    """
    value = present(tool, raw, parameter, STRINGS)
    found = elements(tool, parameter, value, _NORMALISERS[text])
    for word in refused:
        if word in found:
            raise InvalidParams(tool, parameter, f"{STRINGS} without {word}", show(word), advice=f"Leave {word} out.")
    if len(found) < min_items:
        raise InvalidParams(tool, parameter, f"{STRINGS}, at least {min_items}", show(value))
    return found


def optional_strings(
    tool: str,
    raw: Raw,
    parameter: str,
    default: StringsOrNone,
    text: str = "term",
    min_items: int = 0,
    refused: tuple[str, ...] = (),
) -> tuple[str, ...] | StringsOrNone:
    """An array of texts as in `required_strings`, or the default when it is absent."""
    if raw.get(parameter) is None:
        return default
    return required_strings(tool, raw, parameter, text, min_items, refused)


def required_object(tool: str, raw: Raw, parameter: str, refused_keys: tuple[str, ...] = ()) -> dict[str, Any]:
    """A JSON object that must be there, or the JSON text of one.

    Args:
        tool: the method's name.
        raw: what came in.
        parameter: the parameter's name.
        refused_keys: keys that only the server sets.
    """
    value = present(tool, raw, parameter, "object")
    found = _as_object(value)
    if found is None:
        raise InvalidParams(tool, parameter, "object", show(value), advice='Send a JSON object, such as {"key": 1}.')
    return _storable(tool, parameter, found, refused_keys)


def optional_object(tool: str, raw: Raw, parameter: str, refused_keys: tuple[str, ...] = ()) -> dict[str, Any] | None:
    """A JSON object as in `required_object`, or None when it is absent."""
    return None if raw.get(parameter) is None else required_object(tool, raw, parameter, refused_keys)


def lenient_object(
    tool: str, raw: Raw, parameter: str, refused_keys: tuple[str, ...] = ()
) -> tuple[dict[str, Any] | None, bool]:
    """A JSON object or None, and whether something came that is no object and therefore counts as absent."""
    value = raw.get(parameter)
    if value is None:
        return None, False
    found = _as_object(value)
    return (None, True) if found is None else (_storable(tool, parameter, found, refused_keys), False)


def required_closed_object(tool: str, raw: Raw, parameter: str, keys: Mapping[str, str]) -> dict[str, str]:
    """An object that must be there, with a few text keys and no others. Blank and null ones are left out.

    Args:
        tool: the method's name.
        raw: what came in.
        parameter: the parameter's name.
        keys: the legal keys, each with how its text is normalised: `name`, `term` or `id`.
    """
    value = required_object(tool, raw, parameter)
    for key in value:
        if key not in keys:
            expected = f"object with the keys {', '.join(keys)} only"
            near = nearest(key, tuple(keys))
            raise InvalidParams(tool, parameter, expected, f"an object with {plain(key)}", suggestion=near)
    found: dict[str, str] = {}
    for key, text in keys.items():
        place = f"{parameter}.{key}"
        came = text_or_none(tool, {place: value.get(key)}, place)
        if came and not came.isspace():
            found[key] = _NORMALISERS[text](tool, place, came)
    return found


def optional_closed_object(tool: str, raw: Raw, parameter: str, keys: Mapping[str, str]) -> dict[str, str] | None:
    """An object as in `required_closed_object`, or None when it is absent."""
    return None if raw.get(parameter) is None else required_closed_object(tool, raw, parameter, keys)


def elements(tool: str, parameter: str, value: Any, normaliser: Callable[[str, str, str], str]) -> tuple[str, ...]:
    """Check and normalise the elements of an array of texts; duplicates are kept once, in first position."""
    if isinstance(value, str):
        value = _parsed_array(value)
    if not isinstance(value, (list, tuple)):
        refuse(tool, parameter, STRINGS, value)
    found: dict[str, None] = {}
    for index, element in enumerate(value):
        where = f"{parameter}[{index}]"
        if not isinstance(element, str) or not element or element.isspace():
            raise InvalidParams(tool, parameter, f"{STRINGS}, none of them blank", f"{show(element)} at {where}")
        found[normaliser(tool, parameter, well_formed(tool, parameter, element))] = None
    return tuple(found)


def _parsed_array(text: str) -> list[Any]:
    if text.lstrip().startswith("["):
        try:
            parsed = orjson.loads(text)
        except ValueError:
            return [text]
        if isinstance(parsed, list):
            return parsed
    return [text]


def _as_object(value: Any) -> dict[str, Any] | None:
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except ValueError:
            return None
    return value if isinstance(value, dict) else None


def _storable(tool: str, parameter: str, value: dict[str, Any], refused_keys: tuple[str, ...]) -> dict[str, Any]:
    for key in refused_keys:
        if key in value:
            raise InvalidParams(
                tool, parameter, f"object without the key {key}", f"an object with {key}", advice="The server sets it."
            )
    try:
        orjson.dumps(value)
    except (TypeError, ValueError, RecursionError):
        refuse(tool, parameter, "object of JSON values, numbers within 64 bits and text without lone surrogates", value)
    return value


def _term(tool: str, parameter: str, text: str) -> str:
    return normalise(text)


def _id(tool: str, parameter: str, text: str) -> str:
    return text.strip()


_NORMALISERS: Mapping[str, Callable[[str, str, str], str]] = {"name": checked_name, "term": _term, "id": _id}
