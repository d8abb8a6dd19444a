"""Cypher text as words, so that what stands in comments, strings and quoted names is never taken for a statement."""

import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal["word", "quoted", "string", "parameter", "number", "sign"]

_LEXEMES = re.compile(
    r"""
      (?P<skip> \s+ | //[^\r\n]* | /\*.*?\*/ )
    | (?P<string> '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" )
    | (?P<parameter> \$ (?: \w+ | `[^`]*` ) )
    | (?P<quoted> `[^`]*` )
    | (?P<number> \d+ (?:\.\d+)? )
    | (?P<word> [^\W\d]\w* )
    | (?P<open> /\* | ['"`] )
    | (?P<sign> . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One lexeme. `text` is upper case for words, without backticks for quoted names, without `$` for parameters."""

    kind: Kind
    text: str
    end: int

    def is_word(self, *words: str) -> bool:
        """Say whether this is one of these words (upper case), unquoted."""
        return self.kind == "word" and self.text in words

    def is_sign(self, signs: str) -> bool:
        """Say whether this is one of these signs."""
        return self.kind == "sign" and self.text in signs

    @property
    def is_name(self) -> bool:
        """Whether this can name something."""
        return self.kind in ("word", "quoted")


class Unterminated(ValueError):
    """A comment, string or quoted name does not end; the argument is the mark that opens it."""


def tokenize(query: str) -> list[Token]:
    """Split a query into tokens, white space and comments left out.

    Raises:
        Unterminated: see there.
    """
    tokens: list[Token] = []
    for match in _LEXEMES.finditer(query):
        kind, text, end = match.lastgroup, match.group(), match.end()
        if kind == "open":
            raise Unterminated(text)
        if kind == "word":
            tokens.append(Token("word", text.upper(), end))
        elif kind == "quoted":
            tokens.append(Token("quoted", text[1:-1], end))
        elif kind == "parameter":
            tokens.append(Token("parameter", text[1:], end))
        elif kind == "string":
            tokens.append(Token("string", text, end))
        elif kind == "number":
            tokens.append(Token("number", text, end))
        elif kind == "sign":
            tokens.append(Token("sign", text, end))
    return tokens
