"""The table of contents: what `docs/index.md` says. Navigation and `llms.txt` are made from it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname, join, normpath

from tools.docs import decisions

INDEX = "docs/index.md"
HOME = "README.md"
BELOW = {
    "docs/reference/generated/index.md": "docs/reference/generated",
    decisions.PATH: "docs/adr",
    "bench/README.md": "docs/generated",
}
"""Pages that have others below them, and the folder of these."""
_SECTION = re.compile(r"^## (?P<title>.+)$")
_ROW = re.compile(r"^\| \[(?P<title>[^\]]+)\]\((?P<target>[^)]+)\) \| (?P<text>.+) \|$")
_LINK = re.compile(r"\]\((?P<target>[^)#\s]+\.md)(?:#[^)\s]*)?\)")
_FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the contents: the title, the page's path from the root of the project, and for whom it is."""

    title: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the contents, with its rows."""

    title: str
    entries: tuple[Entry, ...]


def contents(root: Path) -> tuple[Section, ...]:
    """Read the contents of the project at `root`.

    Raises:
        ValueError: a row stands before the first heading, or a heading has no rows.
    """
    found: list[tuple[str, list[Entry]]] = []
    for line in (root / INDEX).read_text(encoding="utf-8").splitlines():
        if match := _SECTION.match(line):
            found.append((match["title"], []))
        elif match := _ROW.match(line):
            if not found:
                raise ValueError(f"{INDEX}: {match['title']!r} stands under no heading")
            target = normpath(join(dirname(INDEX), match["target"]))
            found[-1][1].append(Entry(match["title"], target, match["text"]))
    if empty := [title for title, entries in found if not entries]:
        raise ValueError(f"{INDEX}: no row under {', '.join(empty)}")
    return tuple(Section(title, tuple(entries)) for title, entries in found)


def pages_below(root: Path, page: str) -> Iterator[str]:
    """Yield the pages below a page: those of the folder that `BELOW` names to which it links, in its order."""
    folder = BELOW.get(page)
    if folder is None:
        return
    prose = _FENCE.sub("", (root / page).read_text(encoding="utf-8"))
    targets = (normpath(join(dirname(page), match["target"])) for match in _LINK.finditer(prose))
    for target in dict.fromkeys(targets):
        if dirname(target) == folder and target != page and (root / target).is_file():
            yield target
