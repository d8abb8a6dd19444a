"""Cypher queries: on a reader as long as they only read, else once more on the writer's thread."""

import threading
import time
from collections.abc import Callable
from typing import Any

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.mutation import run_unlogged
from lcg.graph.state import GraphState
from lcg.services.embedding import Embedding
from lcg.store.protocol import CypherAnswer, QueryWrites, RowChanges

QUERIES_AT_A_TIME = 2
"""So many may occupy readers of the store; the rest of them is for every other tool."""


class CypherQueries:
    """Runs guarded Cypher. Safe from any thread."""

    def __init__(self, graph: Graph, embedding: Embedding) -> None:
        self._graph = graph
        self._embedding = embedding
        self._slots = threading.BoundedSemaphore(QUERIES_AT_A_TIME)

    def run(self, query: str, parameters: dict[str, Any], *, max_rows: int, timeout_ms: int) -> CypherAnswer:
        """Run one query; the time counts from here, waiting included.

        Raises:
            InvalidParams, OperationFailed: as `StoreReader.cypher`, and `limit` when too many queries run for too long.
        """
        started = time.monotonic()

        def spent_ms() -> int:
            return int((time.monotonic() - started) * 1000)

        if not self._slots.acquire(timeout=timeout_ms / 1000):
            raise OperationFailed(
                ErrorKind.LIMIT,
                f"knowledge_query_cypher: {QUERIES_AT_A_TIME} queries run at a time, and this one waited its whole "
                f"timeout_ms of {timeout_ms} for its turn. Try again, or pass a larger timeout_ms (at most 600000).",
                timeout_ms=timeout_ms,
            )
        try:
            return self._read(query, parameters, max_rows, timeout_ms, spent_ms)
        except QueryWrites:
            pass
        finally:
            self._slots.release()

        def change(state: GraphState) -> CypherAnswer:
            def mutate(accept: Callable[[RowChanges], Any]) -> CypherAnswer:
                return state.store.mutate(
                    query, parameters, max_rows=max_rows, timeout_ms=timeout_ms, spent_ms=spent_ms(), accept=accept
                )

            answer, changed = run_unlogged(state, mutate)
            if changed:
                self._embedding.heal()
            return answer

        return self._graph.change_unlogged(change)

    def _read(
        self,
        query: str,
        parameters: dict[str, Any],
        max_rows: int,
        timeout_ms: int,
        spent_ms: Callable[[], int],
    ) -> CypherAnswer:
        def attempt() -> CypherAnswer:
            with self._graph.reader() as reader:
                return reader.cypher(query, parameters, max_rows=max_rows, timeout_ms=timeout_ms, spent_ms=spent_ms())

        try:
            return attempt()
        except OperationFailed as failure:
            if failure.kind is not ErrorKind.CANCELLED:
                raise
            # The store stopped it to open its file anew, which is over once a reader is lent again.
            return attempt()
