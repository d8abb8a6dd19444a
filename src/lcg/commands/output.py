"""What the sub-commands write: to stdout the answer and nothing else, plain where nobody watches a terminal."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, Final

import orjson

from lcg.commands.common import say

if TYPE_CHECKING:
    from lcg.commands.console import Screen

_CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def write_json(value: Any, *, indented: bool = True) -> None:
    """Write a value as JSON; what is not indented is one line."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # what JSON is, whatever people's terminal has
    sys.stdout.write(orjson.dumps(value, option=orjson.OPT_INDENT_2 if indented else None).decode() + "\n")


def console() -> "Screen":
    """Return what writes to stdout for people."""
    from lcg.commands.console import Screen

    return Screen()


def clean(text: str) -> str:
    """Return a text of the graph without what would steer a terminal: it can come from anybody."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def one_line(text: str, most: int | None = None) -> str:
    """Return a text in one line, cut to `most` characters."""
    line = " ".join(clean(text).split())
    return line if most is None or len(line) <= most else f"{line[: most - 1].rstrip()}…"


def warnings_of(*results: Mapping[str, Any]) -> list[Any]:
    """Return the warnings of results, each once."""
    warnings: list[Any] = []
    for result in results:
        warnings += (warning for warning in result.get("warnings", ()) if warning not in warnings)
    return warnings


def tell(warnings: Iterable[Mapping[str, Any]]) -> None:
    """Write warnings to stderr."""
    for warning in warnings:
        say(f"note: {one_line(warning['message'])}")


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, right: Iterable[str] = ()) -> None:
    """Write rows below headings; the columns in `right` are numbers."""
    from rich.table import Table

    numbers = set(right)
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        drawn.add_column(heading, justify="right" if heading in numbers else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*("-" if cell is None else one_line(str(cell)) for cell in row))
    console().print(drawn)
