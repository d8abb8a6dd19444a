"""Parameters that are text: names, terms, identifiers, prose, listed words and times."""

import re
from typing import TypeVar

from lcg.errors import InvalidParams
from lcg.model.names import has_control, normalise
from lcg.model.times import ACCEPTED_FORMS, Micros, parse_time
from lcg.runtime.decoding.common import Raw, nearest, refuse, required_text, text_or_none
from lcg.runtime.show import show

StrOrNone = TypeVar("StrOrNone", str, None)

_SLUG = re.compile(r"[A-Za-z0-9_-]{1,200}", re.ASCII)
_SLUG_WORDS = "1 to 200 characters of A-Z, a-z, 0-9, _ and -"


def required_name(tool: str, raw: Raw, parameter: str) -> str:
    """A name that must be there: NFC, trimmed, not blank, without control characters."""
    return checked_name(tool, parameter, required_text(tool, raw, parameter))


def optional_name(tool: str, raw: Raw, parameter: str, default: StrOrNone) -> str | StrOrNone:
    """A name, or the default when it is absent or blank."""
    text = text_or_none(tool, raw, parameter)
    return checked_name(tool, parameter, text) if text and not text.isspace() else default


def required_term(tool: str, raw: Raw, parameter: str) -> str:
    """A text that must be there: NFC, trimmed, not blank."""
    return normalise(required_text(tool, raw, parameter))


def optional_term(tool: str, raw: Raw, parameter: str, default: StrOrNone) -> str | StrOrNone:
    """A text, NFC and trimmed, or the default when it is absent. A blank one is absent if the default is None."""
    text = text_or_none(tool, raw, parameter)
    if text is None:
        return default
    return normalise(text) or (default if default is None else "")


def required_id(tool: str, raw: Raw, parameter: str) -> str:
    """An opaque identifier that must be there: trimmed, not blank."""
    return required_text(tool, raw, parameter).strip()


def optional_id(tool: str, raw: Raw, parameter: str, default: StrOrNone) -> str | StrOrNone:
    """An opaque identifier, or the default when it is absent or blank."""
    text = text_or_none(tool, raw, parameter)
    return default if text is None else text.strip() or default


def required_prose(tool: str, raw: Raw, parameter: str) -> str:
    """A text that must be there, exactly as it came."""
    return required_text(tool, raw, parameter)


def optional_prose(tool: str, raw: Raw, parameter: str, default: StrOrNone) -> str | StrOrNone:
    """A text as it came, or the default when it is absent. A blank one is absent if the default is None."""
    text = text_or_none(tool, raw, parameter)
    if text is None:
        return default
    return text if text and not text.isspace() else (default if default is None else "")


def required_slug(tool: str, raw: Raw, parameter: str) -> str:
    """A name that must be there and can be part of a file's name: letters, digits, `_` and `-`, at most 200."""
    return _slug(tool, parameter, required_text(tool, raw, parameter, _SLUG_WORDS))


def optional_slug(tool: str, raw: Raw, parameter: str, default: StrOrNone) -> str | StrOrNone:
    """A name as in `required_slug`, or the default when it is absent or blank."""
    text = text_or_none(tool, raw, parameter, _SLUG_WORDS)
    return _slug(tool, parameter, text) if text and not text.isspace() else default


def required_choice(tool: str, raw: Raw, parameter: str, choices: tuple[str, ...]) -> str:
    """One of the listed words, which must be there."""
    return _choice(tool, parameter, required_text(tool, raw, parameter, _one_of(choices)), choices)


def optional_choice(
    tool: str, raw: Raw, parameter: str, default: StrOrNone, choices: tuple[str, ...]
) -> str | StrOrNone:
    """One of the listed words, or the default when it is absent or blank."""
    text = text_or_none(tool, raw, parameter, _one_of(choices))
    return _choice(tool, parameter, text, choices) if text and not text.isspace() else default


def required_time(tool: str, raw: Raw, parameter: str) -> Micros:
    """A point in time that must be there."""
    return _time(tool, parameter, required_text(tool, raw, parameter, "time"))


def optional_time(tool: str, raw: Raw, parameter: str) -> Micros | None:
    """A point in time, or None when it is absent or blank."""
    text = text_or_none(tool, raw, parameter, "time")
    return _time(tool, parameter, text) if text and not text.isspace() else None


def checked_name(tool: str, parameter: str, text: str) -> str:
    """Bring a name to its stored form, refusing control characters."""
    name = normalise(text)
    if not name.isprintable() and has_control(name):
        refuse(tool, parameter, "string without control characters", text)
    return name


def _one_of(choices: tuple[str, ...]) -> str:
    return f"one of {', '.join(choices)}"


def _slug(tool: str, parameter: str, text: str) -> str:
    slug = text.strip()
    if not _SLUG.fullmatch(slug):
        refuse(tool, parameter, _SLUG_WORDS, text)
    return slug


def _choice(tool: str, parameter: str, text: str, choices: tuple[str, ...]) -> str:
    if text in choices:
        return text
    raise InvalidParams(tool, parameter, _one_of(choices), show(text), suggestion=nearest(text, choices))


def _time(tool: str, parameter: str, text: str) -> Micros:
    try:
        return parse_time(text)
    except (ValueError, OverflowError):
        refuse(tool, parameter, f"time ({ACCEPTED_FORMS})", text)
