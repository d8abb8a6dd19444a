"""Giving vectors to rows that were stored without: after the embedder was away, or after the index was lost."""

import logging
import threading
from collections.abc import Sequence
from functools import partial

from lcg.errors import OperationFailed
from lcg.graph.graph import Graph
from lcg.graph.state import GraphState
from lcg.providers.embedder.protocol import EmbedderError
from lcg.runtime.threads import started
from lcg.search.protocol import VectorEntry, VectorIndex
from lcg.services.embedding import Embedding

_log = logging.getLogger(__name__)
_ROWS_AT_ONCE = 1_024


def heal(graph: Graph, embedding: Embedding, stopping: threading.Event | None = None) -> int:
    """Embed what rows lack, and return how many got a vector. Not for the writer's thread, which goes on meanwhile.

    Ends early, with a note in the log, when the embedder does not answer. What was embedded before is kept.

    Raises:
        OperationFailed: `cancelled`.
        SearchIndexError: the index did not take the vectors.
    """
    index = embedding.index
    entries = index.missing_entries()
    filled = 0
    for start in range(0, len(entries), _ROWS_AT_ONCE):
        if stopping is not None and stopping.is_set():
            break
        part = entries[start : start + _ROWS_AT_ONCE]
        trouble = embedding.prepare(entry.text for entry in part)
        if trouble is not None:
            _log.warning("%d rows stay without a vector: %s", len(entries) - start, trouble)
            break
        filled += graph.run(partial(_fill, index, part))
    if filled:
        _log.info("embedded %d rows that had no vector", filled)
    return filled


def _fill(index: VectorIndex, entries: Sequence[VectorEntry], _: GraphState) -> int:
    return index.fill(entries)


def heal_unasked(graph: Graph, embedding: Embedding, stopping: threading.Event | None = None) -> None:
    """As `heal`, but not when the model was changed: embedding everything anew is for people to decide.

    Nothing is raised, since nobody asked for it: rows that stay without a vector are found by their words.
    """
    try:
        if embedding.index.former is None:
            heal(graph, embedding, stopping)
    except Exception:
        if stopping is None or not stopping.is_set():
            _log.exception("embedding rows that have no vector; knowledge_build_indices does the rest")


class Healer:
    """Heals unasked, at start and whenever the embedder is back.

    With `behind` it works in a thread of its own, as is due for an embedder that may take long or stay away.
    """

    def __init__(self, graph: Graph, embedding: Embedding, *, behind: bool) -> None:
        self._graph = graph
        self._embedding = embedding
        self._behind = behind
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        if behind:
            embedding.on_return = self.heal

    def heal(self) -> None:
        """Heal now, or begin to."""
        if not self._behind:
            heal_unasked(self._graph, self._embedding)
            return
        with self._lock:
            if self._stopping.is_set() or (self._thread is not None and self._thread.is_alive()):
                return
            self._thread = started("lcg-heal", self._run)

    @property
    def is_at_work(self) -> bool:
        """Whether rows are being embedded behind the calls."""
        thread = self._thread
        return thread is not None and thread.is_alive()

    def stop(self) -> None:
        """End, within one batch; close the embedder before, so that nothing is waited for. Safe to call twice."""
        with self._lock:
            self._stopping.set()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        try:
            self._embedding.ask()
        except (EmbedderError, OperationFailed):
            return  # its return begins this anew
        heal_unasked(self._graph, self._embedding, self._stopping)
