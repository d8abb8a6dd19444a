"""Parameters that are numbers or truth values."""

import math
import re
from typing import Any, TypeVar

from lcg.runtime.decoding.common import Raw, absent_or_blank, present, refuse

IntOrNone = TypeVar("IntOrNone", int, None)
FloatOrNone = TypeVar("FloatOrNone", float, None)
BoolOrNone = TypeVar("BoolOrNone", bool, None)
Bound = TypeVar("Bound", int, float)

_WHOLE = re.compile(r"-?[0-9]{1,30}", re.ASCII)
_INT64 = 2**63 - 1


def required_integer(
    tool: str,
    raw: Raw,
    parameter: str,
    minimum: int | None = None,
    maximum: int | None = None,
    clamp_low: bool = False,
    clamp_high: bool = False,
) -> int:
    """A whole number that must be there, within its bounds; a clamped bound moves the number, others refuse it."""
    expected = _number_words("integer", minimum, maximum, clamp_low, clamp_high)
    value = _integer(tool, parameter, present(tool, raw, parameter, expected), expected)
    return _int64(tool, parameter, _bounded(tool, parameter, value, expected, minimum, maximum, clamp_low, clamp_high))


def optional_integer(
    tool: str,
    raw: Raw,
    parameter: str,
    default: IntOrNone,
    minimum: int | None = None,
    maximum: int | None = None,
    clamp_low: bool = False,
    clamp_high: bool = False,
) -> int | IntOrNone:
    """A whole number as in `required_integer`, or the default when it is absent or blank."""
    if absent_or_blank(raw, parameter):
        return default
    return required_integer(tool, raw, parameter, minimum, maximum, clamp_low, clamp_high)


def required_number(
    tool: str,
    raw: Raw,
    parameter: str,
    minimum: float | None = None,
    maximum: float | None = None,
    clamp_low: bool = False,
    clamp_high: bool = False,
) -> float:
    """A finite number that must be there, within its bounds as in `required_integer`."""
    expected = _number_words("number", minimum, maximum, clamp_low, clamp_high)
    value = _number(tool, parameter, present(tool, raw, parameter, expected), expected)
    return float(_bounded(tool, parameter, value, expected, minimum, maximum, clamp_low, clamp_high))


def optional_number(
    tool: str,
    raw: Raw,
    parameter: str,
    default: FloatOrNone,
    minimum: float | None = None,
    maximum: float | None = None,
    clamp_low: bool = False,
    clamp_high: bool = False,
) -> float | FloatOrNone:
    """A finite number, or the default when it is absent or blank."""
    if absent_or_blank(raw, parameter):
        return default
    return required_number(tool, raw, parameter, minimum, maximum, clamp_low, clamp_high)


def required_boolean(tool: str, raw: Raw, parameter: str) -> bool:
    """A truth value, which must be there. Nothing else is a boolean, no number and no word."""
    return _boolean(tool, parameter, present(tool, raw, parameter, "boolean"))


def optional_boolean(tool: str, raw: Raw, parameter: str, default: BoolOrNone) -> bool | BoolOrNone:
    """A truth value, or the default when it is absent."""
    value = raw.get(parameter)
    return default if value is None else _boolean(tool, parameter, value)


def _integer(tool: str, parameter: str, value: Any, expected: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    return refuse(tool, parameter, expected, value)


def _number(tool: str, parameter: str, value: Any, expected: str) -> float:
    if isinstance(value, float) and math.isfinite(value):
        return value
    try:
        return float(_integer(tool, parameter, value, expected))
    except OverflowError:  # an integer beyond double range
        refuse(tool, parameter, expected, value)


def _int64(tool: str, parameter: str, value: int) -> int:
    if not -_INT64 <= value <= _INT64:
        refuse(tool, parameter, "integer of at most 64 bits", value)
    return value


def _bounded(
    tool: str,
    parameter: str,
    value: Bound,
    expected: str,
    minimum: Bound | None,
    maximum: Bound | None,
    clamp_low: bool,
    clamp_high: bool,
) -> Bound:
    if minimum is not None and value < minimum:
        if clamp_low:
            return minimum
        refuse(tool, parameter, expected, value)
    if maximum is not None and value > maximum:
        if clamp_high:
            return maximum
        refuse(tool, parameter, expected, value)
    return value


def _number_words(kind: str, minimum: float | None, maximum: float | None, clamp_low: bool, clamp_high: bool) -> str:
    low = None if clamp_low else minimum
    high = None if clamp_high else maximum
    if low is not None and high is not None:
        return f"{kind} from {low} to {high}"
    if low is not None:
        return f"{kind} of at least {low}"
    return f"{kind} of at most {high}" if high is not None else kind


def _boolean(tool: str, parameter: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    return refuse(tool, parameter, "boolean", value, "Send true or false, without quotes.")
