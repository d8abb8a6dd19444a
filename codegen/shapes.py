"""Whether a JSON value has the shape that the registry declares for it. Used for examples and for real results."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from codegen.model import Field, Record

_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def check_object(
    value: Any, fields: tuple[Field, ...], records: Mapping[str, Record], where: str, *, partial: bool = False
) -> list[str]:
    """Compare an object with its declared keys.

    Args:
        value: the JSON value.
        fields: the declared keys.
        records: the shared records, by name.
        where: how to name the value in a problem; empty at the top.
        partial: whether keys may be missing, at every level.

    Returns:
        A sentence for each key that is missing, unknown or of another type, deep inside too.
    """
    if not isinstance(value, dict):
        return [f"{where or 'the result'} is no object"]
    declared = {field.name: field for field in fields}
    problems = [f"{_join(where, key)} is no declared key" for key in value if key not in declared]
    for name, field in declared.items():
        if name in value:
            problems += check_field(value[name], field, records, _join(where, name), partial=partial)
        elif not field.optional and not partial:
            problems.append(f"{_join(where, name)} is missing")
    return problems


def check_field(
    value: Any, field: Field, records: Mapping[str, Record], where: str, *, partial: bool = False
) -> list[str]:
    """Compare the value of one key with its declaration."""
    if value is None:
        return [] if field.nullable else [f"{where} is null, declared {field.type}"]
    if not _TYPES[field.type](value):
        return [f"{where} is {_type_of(value)}, declared {field.type}"]
    if field.enum and value not in field.enum:
        return [f"{where} is {value!r}, declared one of {', '.join(field.enum)}"]
    if field.const_true and value is not True:
        return [f"{where} is false, declared always true"]
    inner = records[field.record].fields if field.record is not None else field.fields
    if field.type == "object" and inner is not None:
        return check_object(value, inner, records, where, partial=partial)
    problems: list[str] = []
    for index, element in enumerate(value if field.type == "array" else ()):
        place = f"{where}[{index}]"
        if inner is not None:
            problems += check_object(element, inner, records, place, partial=partial)
        elif not _TYPES[field.items or "object"](element):
            problems.append(f"{place} is {_type_of(element)}, declared {field.items}")
    return problems


def result_fields(declared: tuple[Field, ...], records: Mapping[str, Record]) -> tuple[Field, ...]:
    """Return the keys that a result may have: the declared ones, and `warnings`, which every result may carry."""
    if "Warning" not in records or any(field.name == "warnings" for field in declared):
        return declared
    path = records["Warning"].path
    warnings = Field("warnings", "array", "Warnings.", path, items="object", record="Warning", optional=True)
    return (*declared, warnings)


def _join(where: str, name: object) -> str:
    return f"{where}.{name}" if where else str(name)


def _type_of(value: Any) -> str:
    return next((name for name, fits in _TYPES.items() if fits(value)), type(value).__name__)
