"""Bringing the graph to where documents are: chunks in, and what is gone out."""

from collections.abc import Callable
from dataclasses import dataclass, field

from lcg.client import CallFailed, InvalidParams
from lcg.documents.plan import FilePlan
from lcg.documents.splitting import Chunk
from lcg.generated.client import Methods
from lcg.generated.errors import ErrorKind

MOST_FAILURES = 5
"""So many chunks in a row that fail end it: most likely all would."""

_OF_ONE_CHUNK = frozenset({ErrorKind.PROVIDER_FAILED, ErrorKind.LIMIT})
"""What can be wrong with one chunk and right with the next, as a parameter can."""


@dataclass(slots=True)
class Done:
    """What was done: counts of chunks and episodes, and of what extraction made of them.

    `failed` holds files with the first failure of each; `seen` are the kinds of extractors that read the chunks.
    """

    stored: int = 0
    unchanged: int = 0
    removed: int = 0
    entities_created: int = 0
    facts: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)


class TooManyFailures(Exception):
    """Several chunks in a row failed; the message is that of the last failure."""


def store(graph: Methods, file: FilePlan, group: str, done: Done, advance: Callable[[], None]) -> None:
    """Send the chunks of a file. What fails for one chunk alone is noted, and the rest goes on.

    Raises:
        TooManyFailures: it would not get better.
        ClientError: the graph cannot be written to.
    """
    in_a_row = 0
    for chunk in file.to_send:
        try:
            _send(graph, chunk, group, done)
            in_a_row = 0
        except CallFailed as error:
            if not (isinstance(error, InvalidParams) or error.kind in _OF_ONE_CHUNK):
                raise
            done.failed.setdefault(file.source, f"{chunk.chunk_id}: {error.message}")
            in_a_row += 1
            if in_a_row == MOST_FAILURES:
                raise TooManyFailures(error.message) from None
        advance()


def remove(graph: Methods, file: FilePlan, group: str, done: Done) -> None:
    """Take out of the graph what a file does not hold any more, and all of a file that is gone."""
    if file.state == "gone":
        done.removed += graph.knowledge_delete_by_source(file.source, [group])["deleted_count"]
        return
    # Older revisions first, so that none of them is the newest for a moment.
    for uuid in file.stale:
        graph.knowledge_delete_episode(uuid)
        done.removed += 1


def _send(graph: Methods, chunk: Chunk, group: str, done: Done) -> None:
    result = graph.knowledge_process_chunk(chunk.text, chunk.chunk_id, chunk.source_file, group_id=group)
    done.seen.add(result["extractor"]["provider"])
    if result["outcome"] == "unchanged":
        done.unchanged += 1
        return
    done.stored += 1
    done.entities_created += result["nodes_created"]
    done.facts += result["edges_extracted"]
