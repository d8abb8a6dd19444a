"""Reading a document as chunks, whatever kind of file it is."""

import json

from lcg.documents.finding import Document
from lcg.documents.json_parts import parts_of, text_of
from lcg.documents.splitting import Chunk, cut
from lcg.plain_files import read_plain

MOST_BYTES = 64 << 20
"""A larger file is no document that people write; it is left out, and that is said."""

_LEFT_OUT = ("title", "script", "style", "noscript", "template", "head", "nav", "svg", "iframe", "form", "button")
"""Elements of a page that are no text of it."""

_PLAIN = ["a", "img", "b", "strong", "em", "i", "u", "span"]
"""Elements of which the text alone is kept."""


class Unreadable(Exception):
    """A document cannot be read; the message says why and what to do."""


def read_chunks(document: Document) -> list[Chunk]:
    """Return the chunks of a document. One without text has none.

    Raises:
        Unreadable: it is no text, or not of its kind.
    """
    try:
        text = read_plain(document.path, MOST_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise Unreadable(f"{error.strerror or error}; mend that, or leave it out") from None
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start:,} is no UTF-8; save it as UTF-8, or leave it out") from None
    if "\x00" in text:
        raise Unreadable("it holds NUL characters, so it is no text; leave it out")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if document.kind == "json":
        return _json_chunks(document.source, text)
    if document.kind == "html":
        text = markdown_of(text)
    return list(cut(document.source, text))


def markdown_of(page: str) -> str:
    """Return the text of an HTML page as Markdown: its headings, paragraphs, lists and tables."""
    from bs4 import BeautifulSoup
    from markdownify import ATX, MarkdownConverter

    soup = BeautifulSoup(page, "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    for element in soup(_LEFT_OUT):
        element.decompose()
    body = str(MarkdownConverter(heading_style=ATX, strip=_PLAIN, escape_misc=False).convert_soup(soup)).strip()
    if not title or soup.h1:
        return body
    return f"# {title}\n\n{body}"


def _json_chunks(source: str, text: str) -> list[Chunk]:
    if not text.strip():
        return []
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" in line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else ": too deep"
        raise Unreadable(f"it is no JSON{where}; mend it, or leave it out") from None
    return [Chunk(source, f"part-{number}", text_of(part)) for number, part in enumerate(parts_of(value), 1)]
