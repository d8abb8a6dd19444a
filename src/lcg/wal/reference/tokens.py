"""The words of a Cypher statement, as far as logs use the language."""

import re
from typing import Literal, NamedTuple

from lcg.wal.reference.errors import unrecognised

MAX_TOKENS = 200_000
_MAX_DIGITS = 18

TokenKind = Literal["name", "param", "text", "number", "sign", "end"]

# Possessive quantifiers: nothing in a hostile text can make the engine try again.
_TOKEN = re.compile(
    r"""\s*+(?:
      (?P<name>[^\W\d]\w*+|`[^`]++`)
    | \$(?P<param>\w++)
    | (?P<text>'[^'\\]*+(?:\\.[^'\\]*+)*+'|"[^"\\]*+(?:\\.[^"\\]*+)*+")
    | (?P<number>\d++(?:\.\d++)?+(?:[eE][+-]?+\d++)?+)
    | (?P<sign><>|[-(){}\[\]:,.|<>=+;*])
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}


class Token(NamedTuple):
    """One word. `value` is the name, the text without quotes and escapes, the number, or the sign."""

    kind: TokenKind
    value: str | int | float


def tokens_of(statement: str) -> list[Token]:
    """Return the words of a statement; the last one is of kind `end`.

    Raises:
        Untranslated: it holds something that is no word, or too many words.
    """
    found: list[Token] = []
    place = 0
    while len(found) < MAX_TOKENS:
        match = _TOKEN.match(statement, place)
        if match is None:
            raise unrecognised("the statement holds signs that are not read here, or a text that does not end")
        place = match.end()
        kind: TokenKind = match.lastgroup  # type: ignore[assignment]
        found.append(Token(kind, _value(kind, match[kind])))
        if kind == "end":
            return found
    raise unrecognised(f"the statement has more than {MAX_TOKENS} words")


def _value(kind: TokenKind, raw: str) -> str | int | float:
    match kind:
        case "text":
            return _unescape(raw[1:-1])
        case "number":
            return int(raw) if raw.isdecimal() and len(raw) <= _MAX_DIGITS else float(raw)
        case "name":
            return raw.strip("`")
        case _:
            return raw


def _unescape(raw: str) -> str:
    if "\\" not in raw:
        return raw
    text = _ESCAPE.sub(_character, raw)
    try:
        # Joins the halves of characters that were written as two escapes.
        return text.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise unrecognised("a text holds half a character") from None


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    if code is None:
        return _CONTROL.get(match[3], match[3])
    if int(code, 16) > 0x10FFFF:
        raise unrecognised("a text holds a character that does not exist")
    return chr(int(code, 16))
