"""What has to be done so that the graph holds some documents as they are on disk."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from lcg.documents.finding import Document, is_below
from lcg.documents.reading import Unreadable, read_chunks
from lcg.documents.splitting import Chunk
from lcg.generated.client import Methods
from lcg.model.names import text_hash

_FILES: Final = 200
"""Files whose chunks are asked for at once."""
_MOST_ROWS: Final = 100_000
_CHUNKS: Final = """MATCH (e:Episodic) WHERE e.group_id = $of AND e._source_file IN $files
RETURN e.uuid, e._source_file, e._chunk_id, e._revision, e._text_hash"""
_SOURCES: Final = """MATCH (e:Episodic) WHERE e.group_id = $of AND e._source_file IS NOT NULL
RETURN DISTINCT e._source_file"""

State = Literal["new", "changed", "unchanged", "gone", "unreadable"]


@dataclass(slots=True)
class FilePlan:
    """What has to be done for one file.

    Attributes:
        source: its name in the graph.
        state: how it compares with what the graph has of it.
        chunks: how many it has.
        to_send: those that are new or changed.
        stale: episodes of chunks that it does not have any more, older revisions first.
        error: why it cannot be read, or None.
    """

    source: str
    state: State
    chunks: int = 0
    to_send: list[Chunk] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)
    error: str | None = None


@dataclass(slots=True)
class _Known:
    """The episodes of a chunk, and the text of the newest."""

    episodes: list[tuple[int, str]] = field(default_factory=list)
    revision: int = -1
    text_hash: str = ""

    def note(self, uuid: str, revision: int, hash_of_text: str) -> None:
        self.episodes.append((revision, uuid))
        if revision > self.revision:
            self.revision, self.text_hash = revision, hash_of_text


def plan_files(
    graph: Methods | None, documents: Sequence[Document], group: str, *, again: bool = False
) -> Iterator[FilePlan]:
    """Yield what has to be done for each document; with `again`, unchanged chunks are sent as well.

    Without a graph everything is new.
    """
    for first in range(0, len(documents), _FILES):
        batch = documents[first : first + _FILES]
        known = {} if graph is None else _known(graph, [document.source for document in batch], group)
        for document in batch:
            yield _plan(document, known.get(document.source, {}), again)


def gone_sources(
    graph: Methods, documents: Sequence[Document], folders: Sequence[Path], workspace: Path, group: str
) -> list[str]:
    """Return the sources that the graph has of documents below some folders and that are not on disk any more."""
    there = {document.source for document in documents}
    rows = graph.knowledge_query_cypher(_SOURCES, parameters={"of": group}, max_rows=_MOST_ROWS)["rows"]
    return sorted(
        source
        for (source,) in rows
        if source not in there
        and any(is_below(source, folder, workspace) for folder in folders)
        and not (workspace / source).exists()
    )


def _known(graph: Methods, files: Sequence[str], group: str) -> dict[str, dict[str, _Known]]:
    parameters = {"of": group, "files": list(files)}
    found = graph.knowledge_query_cypher(_CHUNKS, parameters=parameters, max_rows=_MOST_ROWS)
    if found["truncated"] and len(files) > 1:
        half = len(files) // 2
        return _known(graph, files[:half], group) | _known(graph, files[half:], group)
    known: dict[str, dict[str, _Known]] = {}
    for uuid, source, chunk_id, revision, hash_of_text in found["rows"]:
        known.setdefault(source, {}).setdefault(chunk_id, _Known()).note(uuid, revision, hash_of_text)
    return known


def _plan(document: Document, known: Mapping[str, _Known], again: bool) -> FilePlan:
    try:
        chunks = read_chunks(document)
    except Unreadable as error:
        return FilePlan(document.source, "unreadable", error=str(error))
    to_send = [
        chunk
        for chunk in chunks
        if again or chunk.chunk_id not in known or known[chunk.chunk_id].text_hash != text_hash(chunk.text)
    ]
    present = {chunk.chunk_id for chunk in chunks}
    stale = [uuid for chunk_id, one in known.items() if chunk_id not in present for _, uuid in sorted(one.episodes)]
    state: State = "new" if not known and chunks else "changed" if to_send or stale else "unchanged"
    return FilePlan(document.source, state, len(chunks), to_send, stale)
