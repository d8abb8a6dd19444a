"""Puts data into the page."""

import html
from functools import cache
from importlib.resources import files
from typing import Any, Final

import orjson

_CONNECT: Final = "@@CONNECT@@"
_TITLE: Final = "@@TITLE@@"
_DATA: Final = "@@DATA@@"

# Markup, and what ends a line in scripts but not in JSON. In JSON these stand in strings only.
_ESCAPED: Final = {
    b"<": b"\\u003c",
    b">": b"\\u003e",
    b"&": b"\\u0026",
    "\u2028".encode(): b"\\u2028",
    "\u2029".encode(): b"\\u2029",
}


def file_page(title: str, data: Any) -> bytes:
    """Return a page with its data that asks nobody for anything."""
    return _filled("'none'", title, _embedded(data))


def served_page(title: str) -> bytes:
    """Return a page without data, which asks whoever served it."""
    return _filled("'self'", title, b"")


def _filled(connect: str, title: str, data: bytes) -> bytes:
    before, between, around_data, after = _parts()
    return b"".join(
        (before, connect.encode(), between, html.escape(title).encode(), around_data, data, after),
    )


@cache
def _parts() -> tuple[bytes, bytes, bytes, bytes]:
    """Return the page as it was built, cut at the places that are filled."""
    built = files("lcg.explorer").joinpath("generated", "explorer.html").read_text(encoding="utf-8")
    before, rest = built.split(_CONNECT)
    between, rest = rest.split(_TITLE)
    around_data, after = rest.split(_DATA)
    return before.encode(), between.encode(), around_data.encode(), after.encode()


def _embedded(data: Any) -> bytes:
    """Return JSON that can stand in a script element, whatever the texts in it hold."""
    written = orjson.dumps(data)
    for character, escape in _ESCAPED.items():
        written = written.replace(character, escape)
    return written
