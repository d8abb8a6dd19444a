"""How the demo looks: everything that it prints."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

Record = Mapping[str, Any]
_WIDTH_WITHOUT_TERMINAL = 110
_INDENT = 2
_LONGEST_PASSAGE = 220
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"\*\*|`|^[#>-]+ +", re.MULTILINE)
_CELL_BORDERS = re.compile(r"\s*\|[\s|]*")


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:.0f} chunks/s" if speed else "", style="progress.data.speed")


class Screen:
    """Where the demo prints; without a terminal plain and of fixed width."""

    def __init__(self) -> None:
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        self._console = Console(highlight=False)
        if not self._console.is_terminal:
            self._console = Console(highlight=False, width=_WIDTH_WITHOUT_TERMINAL)

    def title(self, text: str) -> None:
        """Begin a part."""
        self._console.print()
        self._console.print(Text(text, style="bold cyan"))

    def facts(self, facts: Mapping[str, object]) -> None:
        """Print names and values in two columns."""
        width = max(map(len, facts)) + 2
        for name, value in facts.items():
            self.say(f"{name:{width}}{value}")

    def progress(self) -> Progress:
        """Return a progress bar with rate and remaining time."""
        return Progress(
            TextColumn(" " * (_INDENT - 1)),
            BarColumn(bar_width=28),
            MofNCompleteColumn(),
            _Rate(Column(no_wrap=True)),
            TextColumn("[dim]left"),
            TimeRemainingColumn(),
            TextColumn("[dim]{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis")),
            console=self._console,
        )

    def relationships(self, edges: Sequence[Record]) -> None:
        """Print found facts, best first: since when, what, where it stands."""
        rows = [(_day(edge["valid_at"]), _plain(edge["fact"]), _sources(edge["source_descriptions"])) for edge in edges]
        self._table(rows, ("magenta", "bold", "dim"), (10, None, 28))

    def passages(self, passages: Sequence[Record]) -> None:
        """Print the beginnings of passages, and where they stand."""
        for passage in passages:
            text = _plain(passage["content"])
            shown = text if len(text) <= _LONGEST_PASSAGE else text[:_LONGEST_PASSAGE].rsplit(" ", 1)[0] + " …"
            self._print(
                Text.assemble(("“", "dim"), shown, ("”  ", "dim"), (_sources([passage["source_description"]]), "dim"))
            )

    def neighbourhood(self, center: Record, edges: Sequence[Record], names: Mapping[str, str]) -> None:
        """Print an entity's relationships, one a line, seen from it: the relation, the other end, the fact."""
        rows = []
        for edge in edges:
            outgoing = edge["source_node_uuid"] == center["uuid"]
            other = edge["target_node_uuid"] if outgoing else edge["source_node_uuid"]
            arrow = f"── {edge['name']} →" if outgoing else f"← {edge['name']} ──"
            rows.append((arrow, names.get(other, center["name"]), _plain(edge["fact"])))
        self._table(rows, ("green", "bold", ""), (24, 28, None))

    def say(self, text: str) -> None:
        """Print a sentence."""
        self._print(Text(text))

    def verbatim(self, text: str) -> None:
        """Print lines to be copied: never wrapped, never coloured."""
        for line in text.splitlines():
            self._console.print(" " * (_INDENT * 2) + line, soft_wrap=True, markup=False)

    def configuration(self, value: object) -> None:
        """Print JSON to be copied."""
        self._console.print(json.dumps(value, indent=2, ensure_ascii=False), soft_wrap=True, markup=False)

    def failure(self, text: str, log: Path) -> None:
        """Say why the demo ends here, with the last lines of the server's log."""
        self._console.print()
        self._console.print(Text(f"The demo failed. {text}", style="bold red"))
        if log.is_file():
            last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
            self._console.print(Text("\n".join([f"From {log}:", *last])), soft_wrap=True)

    def _table(self, rows: Sequence[Sequence[str]], styles: Sequence[str], widths: Sequence[int | None]) -> None:
        """Print aligned columns of one line each: as wide as needed up to the given width, None takes what is left."""
        if not rows:
            self.say("nothing")
            return
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0), expand=True)
        for index, (style, most) in enumerate(zip(styles, widths, strict=True)):
            width = min(most, max(cell_len(row[index]) for row in rows)) if most else None
            table.add_column(style=style, width=width, ratio=None if most else 1, no_wrap=True, overflow="ellipsis")
        for row in rows:
            table.add_row(*map(Text, row))
        self._print(table)

    def _print(self, what: Table | Text) -> None:
        self._console.print(Padding(what, (0, 0, 0, _INDENT), expand=False))


def _day(moment: str | None) -> str:
    """Return the day of a time."""
    return (moment or "")[:10]


def _sources(sources: Sequence[str]) -> str:
    """Return the file of the first source, and how many more sources there are."""
    if not sources:
        return ""
    more = f" +{len(sources) - 1}" if len(sources) > 1 else ""
    return sources[0].rpartition(":")[0].rpartition("/")[2] + more


def _plain(text: str) -> str:
    """Return a text on one line, without the commonest marks of Markdown."""
    prose = _CELL_BORDERS.sub(" · ", _MARKS.sub("", _LINK.sub(r"\1", text)))
    return " ".join(prose.split()).strip("· ")
