"""Finding the documents that are meant by paths, and what they are called in the graph."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from lcg.model.names import normalise

Kind = Literal["text", "html", "json"]

KINDS: Final[dict[str, Kind]] = {
    ".md": "text",
    ".markdown": "text",
    ".txt": "text",
    ".html": "html",
    ".htm": "html",
    ".json": "json",
}
_SKIPPED_FOLDERS: Final = frozenset({"node_modules", "venv", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Document:
    """A file to read. `source` is its name in the graph: relative to the workspace where it lies in there."""

    path: Path
    source: str
    kind: Kind


def find_documents(
    paths: Iterable[Path], workspace: Path, on_link: Callable[[Path], object] = lambda path: None
) -> list[Document]:
    """Return the documents that paths mean, each once, by name.

    Of a folder that is every document below it, those in hidden folders, `node_modules` and `venv` left out, as are
    hidden files. A file that is named itself is taken whatever its name, as text where the ending says nothing.

    Links below a folder are not followed, as grep and git do not follow them: what they lead to is found where it is,
    or lies outside of what was named, which the folder of a stranger should not reach. `on_link` is told of each
    whose name is that of a document, or that leads to a folder. What is named itself may be a link.
    """
    found: dict[str, Document] = {}
    for path in paths:
        for file in _below(path, on_link) if path.is_dir() else [path]:
            source = source_of(file, workspace)
            found[source] = Document(file, source, KINDS.get(file.suffix.lower(), "text"))
    return [found[source] for source in sorted(found)]


def source_of(path: Path, workspace: Path) -> str:
    """Return what a file is called in the graph, which writes names in one way and without blanks around them.

    Bytes of its name that are no UTF-8 are spelt out.
    """
    absolute = path.parent.resolve() / path.name
    root = workspace.resolve()
    place = absolute.relative_to(root) if absolute.is_relative_to(root) else absolute
    return normalise(os.fsencode(place).decode("utf-8", "backslashreplace"))


def is_below(source: str, folder: Path, workspace: Path) -> bool:
    """Say whether a source is the name of a document in a folder."""
    if Path(source).suffix.lower() not in KINDS:
        return False
    place = workspace.resolve() / source
    return place.is_relative_to(folder.resolve())


def _below(folder: Path, on_link: Callable[[Path], object]) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_skipped(name))
        documents = [name for name in sorted(files) if not _is_skipped(name) and Path(name).suffix.lower() in KINDS]
        for path in (Path(place, name) for name in (*folders, *documents)):
            if path.is_symlink():
                on_link(path)
            elif path.is_file():
                yield path


def _is_skipped(name: str) -> bool:
    return name.startswith(".") or name in _SKIPPED_FOLDERS
