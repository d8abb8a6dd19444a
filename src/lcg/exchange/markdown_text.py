"""Texts of the graph in Markdown: shown as they are, so that nothing in them is a heading, a link, HTML or a tag."""

import re
from typing import Final

import orjson

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~#$^=%!&])")
_AT_BEGIN: Final = re.compile(r"^(\s*)(-|\+(?=\s|$))|^(\s*\d+)([.)])(?=\s|$)")
_NOT_IN_YAML: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """Return a text in one line."""
    return _line(" ".join(_clean(text).split()))


def block(text: str) -> str:
    """Return a text with its lines and paragraphs; blanks that would make it code are gone."""
    lines = (_line(line.strip()) for line in _clean(text).split("\n"))
    # Two blanks at the end of a line keep it from running into the next one.
    return re.sub(r"\n{3,}", "\n\n", "\n".join(f"{line}  " if line else "" for line in lines)).strip()


def yaml(value: object) -> str:
    """Return a value in YAML, which takes all JSON for itself but for a few characters, escaped here."""
    return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", orjson.dumps(value).decode())


def link(path: str, shown: str) -> str:
    """Return a link to a note, by its path without the ending. A name that cannot stand in a link is cut to fit."""
    name = " ".join(re.sub(r"[\[\]|#^]", " ", _clean(shown)).split()) or path
    return f"[[{path}|{name}]]"


def _line(text: str) -> str:
    """Return a line whose signs are signs; a digit cannot be escaped, so what makes it a list's number is."""
    return _AT_BEGIN.sub(r"\1\3\\\2\4", _SPECIAL.sub(r"\\\1", text))


def _clean(text: str) -> str:
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n"))
