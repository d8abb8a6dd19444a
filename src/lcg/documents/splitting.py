"""Cutting a text into the chunks that are ingested: at headings, at blank lines, and by size."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

LEAST_CHARS = 600
"""A chunk that has so many ends before the next heading."""
MOST_CHARS = 2_000
"""No chunk is longer, unless one block of text is."""
MOST_BLOCK_CHARS = 6_000
"""No block is longer, so no chunk is; a longer one is cut at a line's end, or within a line that is as long."""

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HEADING = re.compile(r"#{1,6} +(.*\S)")
_FENCE = re.compile(r"\s*(```|~~~)")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document. `chunk_id` is made from its first heading, so it stays when other parts change."""

    source_file: str
    chunk_id: str
    text: str


def cut(source_file: str, text: str) -> Iterator[Chunk]:
    """Yield a document's chunks: at headings where they are long enough, else at blank lines. Nothing gets lost.

    HTML comments are left out.
    """
    used: Counter[str] = Counter()
    given: set[str] = set()
    heading = "top"
    blocks: list[str] = []

    def finished() -> Chunk:
        chunk_id = name
        while not used[name] or chunk_id in given:  # a heading can be called as the second part of another one is
            used[name] += 1
            chunk_id = name if used[name] == 1 else f"{name}-{used[name]}"
        given.add(chunk_id)
        return Chunk(source_file, chunk_id, "\n\n".join(blocks))

    name = heading
    for block in chain.from_iterable(map(_bounded, _blocks(_COMMENT.sub("", text)))):
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


def _bounded(block: str) -> Iterator[str]:
    """Yield a block in parts of at most MOST_BLOCK_CHARS, cut after a line feed, a sentence or a word if possible."""
    while len(block) > MOST_BLOCK_CHARS:
        head = block[:MOST_BLOCK_CHARS]
        end = max(head.rfind("\n"), 0) or max(head.rfind(". ") + 1, 0) or max(head.rfind(" "), 0) or len(head)
        yield block[:end]
        block = block[end:].lstrip("\n") if block[end : end + 1] == "\n" else block[end:].lstrip(" ")
    if block.strip():
        yield block


def _slug(heading: str) -> str:
    return re.sub(r"\W+", "-", heading.casefold()).strip("-") or "untitled"
