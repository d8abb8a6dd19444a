"""The formats of `lcg export`, by name. What one of them is: see `lcg.exchange`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from lcg.exchange import gexf, graphml, html, jsonl, tables, vault
from lcg.exchange.graph_reader import GraphReader


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format that is one file. `summary` is what the help says of it."""

    name: str
    summary: str
    write: Callable[[GraphReader, BinaryIO], Iterable[str]]


@dataclass(frozen=True, slots=True)
class FolderFormat:
    """A format that is a folder of files. `keeps` says that it can be written again into a folder that has others."""

    name: str
    summary: str
    write: Callable[[GraphReader, Path], Iterable[str]]
    keeps: bool = False


FORMATS: Final[dict[str, FileFormat | FolderFormat]] = {
    each.name: each
    for each in (
        FileFormat("jsonl", "everything, one row a line; lcg import reads it", jsonl.write),
        FileFormat("graphml", "entities and facts for NetworkX, yEd, Gephi", graphml.write),
        FileFormat("gexf", "the same with the time in which each fact holds, for Gephi", gexf.write),
        FolderFormat("markdown", "a vault of linked notes for Obsidian", vault.write, keeps=True),
        FolderFormat("csv", "tables of entities, edges, episodes and mentions", tables.write),
        FileFormat("html", "one page to look at, for any browser", html.write),
    )
}
