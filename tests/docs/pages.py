"""The documents, read as Markdown: their headings, links and samples."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
PAGES = tuple(
    path.relative_to(ROOT).as_posix()
    for path in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "CHANGELOG.md",
        ROOT / "spec/README.md",
        ROOT / "bench/README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    )
)
WRITTEN = tuple(page for page in PAGES if "/generated/" not in page)


NOT_RUN = re.compile(r"<!-- not run: (?P<reason>.+) -->")
"""Stands before a sample that no test can run, and says why."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A fenced block: its page, its language, its text, and why it is not run, if it is not."""

    page: str
    language: str
    text: str
    not_run: str | None = None


def text_of(page: str) -> str:
    """Return a page's text."""
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def _tokens(page: str) -> tuple[Token, ...]:
    return tuple(MarkdownIt("commonmark").enable("table").parse(text_of(page)))


def links(page: str) -> Iterator[str]:
    """Yield the targets of all links."""
    for token in _tokens(page):
        for child in token.children or ():
            if child.type == "link_open":
                yield str(child.attrs["href"])


@cache
def headings(page: str) -> tuple[str, ...]:
    """Return the headings as they are written."""
    tokens = _tokens(page)
    return tuple(tokens[index + 1].content for index, token in enumerate(tokens) if token.type == "heading_open")


@cache
def anchors(page: str) -> frozenset[str]:
    """Return what a link may name after `#`, made from headings as code hosts make it."""
    used: Counter[str] = Counter()
    found = set()
    for heading in headings(page):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(f"{slug}-{used[slug]}" if used[slug] else slug)
        used[slug] += 1
    return frozenset(found)


def samples(page: str, *languages: str) -> list[Sample]:
    """Return a page's fenced blocks of these languages, or all of them, in order."""
    found = []
    marked: str | None = None
    for token in _tokens(page):
        if token.type == "fence" and (not languages or token.info.strip() in languages):
            found.append(Sample(page, token.info.strip(), token.content, marked))
        mark = NOT_RUN.search(token.content) if token.type == "html_block" else None
        marked = mark["reason"] if mark else None
    return found


def code_spans(page: str) -> Iterator[str]:
    """Yield what stands in back-ticks."""
    for token in _tokens(page):
        for child in token.children or ():
            if child.type == "code_inline":
                yield child.content


def kinds_of_blocks(page: str) -> Counter[str]:
    """Count list items, table rows, samples and headings, by the HTML elements that they become."""
    found = Counter(token.tag for token in _tokens(page) if token.type in ("list_item_open", "tr_open", "heading_open"))
    found["pre"] = sum(token.type in ("fence", "code_block") for token in _tokens(page))
    return Counter({tag: found[tag] for tag in ("li", "tr", "pre", "h1", "h2", "h3")})
