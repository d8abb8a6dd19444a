"""What every decoding helper needs: presence, well-formed text, unknown names."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NoReturn

from lcg.errors import NOTHING, NULL, InvalidParams
from lcg.runtime.show import BLANK, plain, show

Raw = Mapping[str, Any]
"""Parameters as they came."""

NON_BLANK = "non-blank string"
_NAME_LENGTH_COMPARED = 80


def refuse_unknown(tool: str, raw: Raw, known: tuple[str, ...]) -> None:
    """Refuse a parameter name that the tool does not have, naming the nearest one that it has."""
    for key in raw:
        if key not in known:
            name = str(key)
            legal = ", ".join(known)
            expected = f"one of {legal}" if known else "no parameters"
            raise InvalidParams(
                tool,
                plain(name),
                expected,
                f"the unknown name {plain(name)}",
                suggestion=nearest(name, known),
                sentence=f"there is no parameter `{plain(name)}`",
                advice=f"It takes {legal}." if known else "It takes no parameters.",
            )


def nearest(name: str, known: tuple[str, ...]) -> str | None:
    """Return the known name that a wrong one was probably meant to be."""
    asked = name[:_NAME_LENGTH_COMPARED].casefold().replace("-", "_")
    found = get_close_matches(asked, known, n=1, cutoff=0.6)
    return found[0] if found else None


def refuse(tool: str, parameter: str, expected: str, value: Any, advice: str = "") -> NoReturn:
    """Refuse a value, quoting it."""
    raise InvalidParams(tool, parameter, expected, show(value), advice=advice)


def present(tool: str, raw: Raw, parameter: str, expected: str) -> Any:
    """Return what came, refusing an absent or null parameter."""
    value = raw.get(parameter)
    if value is None:
        raise InvalidParams(tool, parameter, expected, NULL if parameter in raw else NOTHING)
    return value


def text_or_none(tool: str, raw: Raw, parameter: str, expected: str = "string") -> str | None:
    """Return the text that came, or None when the parameter is absent."""
    value = raw.get(parameter)
    if value is None:
        return None
    if not isinstance(value, str):
        refuse(tool, parameter, expected, value)
    return well_formed(tool, parameter, value)


def required_text(tool: str, raw: Raw, parameter: str, expected: str = NON_BLANK) -> str:
    """Return the text that came, refusing an absent or blank one."""
    value = raw.get(parameter)
    if type(value) is str and value and value.isascii() and not value.isspace():
        return value  # as most are, without a look at what may be wrong
    value = present(tool, raw, parameter, expected)
    if not isinstance(value, str):
        refuse(tool, parameter, expected, value)
    if not value or value.isspace():
        sentence = f"{parameter} is required ({expected}), {BLANK} came"
        raise InvalidParams(tool, parameter, expected, BLANK, sentence=sentence)
    return well_formed(tool, parameter, value)


def well_formed(tool: str, parameter: str, text: str) -> str:
    """Return the text, refusing one that cannot be written as UTF-8."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            refuse(tool, parameter, "string without lone surrogates", text)
    return text


def absent_or_blank(raw: Raw, parameter: str) -> bool:
    """Say whether nothing came, or null, or only white space."""
    value = raw.get(parameter)
    return value is None or (isinstance(value, str) and (not value or value.isspace()))
