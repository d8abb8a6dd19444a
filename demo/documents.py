"""Finding documents, and cutting them into the chunks that are ingested."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LEAST_CHARS = 600
"""A chunk that has so many ends before the next heading."""
MOST_CHARS = 2_000
"""No chunk is longer, unless one block of text is."""

_SUFFIXES = frozenset({".md", ".markdown", ".txt"})
_SKIPPED_FOLDERS = frozenset({"node_modules", "venv"})
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HEADING = re.compile(r"#{1,6} +(.*\S)")
_FENCE = re.compile(r"\s*(```|~~~)")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document. `chunk_id` is made from its first heading, so it stays when other parts change."""

    source_file: str
    chunk_id: str
    text: str


def project_documents(root: Path) -> list[Path]:
    """Return this project's own documents."""
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def folder_documents(folder: Path) -> list[Path]:
    """Return the Markdown and text files below a folder, hidden ones left out."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in _SUFFIXES and path.is_file() and not _is_skipped(path.relative_to(folder))
    )


def cut(source_file: str, text: str) -> Iterator[Chunk]:
    """Yield a document's chunks: at headings where they are long enough, else at blank lines. Nothing gets lost."""
    used: Counter[str] = Counter()
    heading = "top"
    blocks: list[str] = []

    def finished() -> Chunk:
        used[name] += 1
        chunk_id = name if used[name] == 1 else f"{name}-{used[name]}"
        return Chunk(source_file, chunk_id, "\n\n".join(blocks))

    name = heading
    for block in _blocks(_COMMENT.sub("", text)):
        found = _HEADING.match(block)
        heading = _slug(found[1]) if found else heading
        length = sum(map(len, blocks))
        if blocks and (length + len(block) > MOST_CHARS or (found and length >= LEAST_CHARS)):
            yield finished()
            blocks = []
        if not blocks:
            name = heading
        blocks.append(block)
    if blocks:
        yield finished()


def _blocks(text: str) -> Iterator[str]:
    """Yield what stands between blank lines; a fenced block is never torn."""
    lines: list[str] = []
    fence: str | None = None
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = None if fence else mark[1]
        if line.strip() or fence:
            lines.append(line)
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def _slug(heading: str) -> str:
    return re.sub(r"\W+", "-", heading.casefold()).strip("-") or "untitled"


def _is_skipped(path: Path) -> bool:
    return any(part.startswith(".") or part in _SKIPPED_FOLDERS for part in path.parts)
