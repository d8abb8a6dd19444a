"""The articles that retrieval and ingestion are measured with, and their chunks. They come with the reference data."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DATA_VARIABLE = "LCG_TEST_DATA"
ARTICLES = "apollo/corpus_prose.jsonl"
CHUNK_CHARS = 1_500


class NoArticles(Exception):
    """The reference data is not there; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of an article. `place` counts the parts of one article from 1."""

    title: str
    place: int
    text: str


def read_chunks(folder: str | None = None, most_articles: int | None = None) -> list[Chunk]:
    """Return the chunks of all articles in their order, or of the first few.

    Raises:
        NoArticles: no folder is given and LCG_TEST_DATA is unset, or the folder has no articles.
    """
    folder = os.environ.get(DATA_VARIABLE, "") if folder is None else folder
    if not folder:
        raise NoArticles(f"{DATA_VARIABLE} is unset. Set it to the folder of reference data, which holds {ARTICLES}.")
    path = Path(folder) / ARTICLES
    if not path.is_file():
        raise NoArticles(f"{path} does not exist. {DATA_VARIABLE} must name the folder that holds {ARTICLES}.")
    with path.open(encoding="utf-8") as lines:
        articles = [json.loads(line) for line in lines]
    return [chunk for article in articles[:most_articles] for chunk in _chunks(article["title"], article["prose"])]


def _chunks(title: str, prose: str) -> Iterator[Chunk]:
    """Join paragraphs to chunks of at most `CHUNK_CHARS` characters; a longer paragraph is a chunk of its own."""
    place = 0
    held: list[str] = []
    for paragraph in prose.splitlines():
        if held and sum(map(len, held)) + len(paragraph) > CHUNK_CHARS:
            place += 1
            yield Chunk(title, place, "\n".join(held))
            held = []
        if paragraph.strip():
            held.append(paragraph)
    if held:
        yield Chunk(title, place + 1, "\n".join(held))
