"""Cypher queries: on a reader as long as they only read, else once more on the writer's thread."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.mutation import run_unlogged
from lcg.graph.state import GraphState
from lcg.runtime.call import Call
from lcg.services.embedding import Embedding
from lcg.services.healing import heal_unasked
from lcg.services.turns import GivenUp, NoTurn, TooManyWait, Turns
from lcg.store.protocol import CypherAnswer, QueryWrites, RowChanges

QUERIES_AT_A_TIME = 2
"""So many may occupy readers of the store; the rest of them is for every other tool."""
MOST_WAITING = 16
"""So many may wait for one of these turns, and as many for their turn to change rows: each holds a thread that runs
calls, and most of these are for every other tool."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A query with its bounds, and since when they count."""

    call: Call
    query: str
    parameters: dict[str, Any]
    max_rows: int
    timeout_ms: int
    started: float

    def spent_ms(self) -> int:
        return int((time.monotonic() - self.started) * 1000)


class CypherQueries:
    """Runs guarded Cypher. Safe from any thread."""

    def __init__(self, graph: Graph, embedding: Embedding) -> None:
        self._graph = graph
        self._embedding = embedding
        self.reading = Turns(QUERIES_AT_A_TIME, MOST_WAITING)
        self.changing = Turns(1, MOST_WAITING)

    def run(
        self, query: str, parameters: dict[str, Any], *, max_rows: int, timeout_ms: int, call: Call
    ) -> CypherAnswer:
        """Run one query; the time counts from here, waiting included. It ends soon once the call is cancelled.

        Raises:
            InvalidParams, OperationFailed: as `StoreReader.cypher`; `limit` when too many queries run for too long;
                `busy` when too many wait; `cancelled`.
        """
        question = _Question(call, query, parameters, max_rows, timeout_ms, time.monotonic())
        try:
            with _turn(self.reading, f"{QUERIES_AT_A_TIME} queries run", question):
                return self._read(question)
        except QueryWrites:
            pass
        with _turn(self.changing, "one query that changes rows runs", question):
            return self._change(question)

    def _read(self, question: _Question) -> CypherAnswer:
        def attempt() -> CypherAnswer:
            with self._graph.reader() as reader:
                return reader.cypher(
                    question.query,
                    question.parameters,
                    max_rows=question.max_rows,
                    timeout_ms=question.timeout_ms,
                    spent_ms=question.spent_ms(),
                    cancelled=question.call.cancelled,
                )

        try:
            return attempt()
        except OperationFailed as failure:
            if failure.kind is not ErrorKind.CANCELLED or question.call.cancelled.is_set():
                raise
            # The store stopped it to open its file anew, which is over once a reader is lent again.
            return attempt()

    def _change(self, question: _Question) -> CypherAnswer:
        changed = False

        def change(state: GraphState) -> CypherAnswer:
            def mutate(accept: Callable[[RowChanges], Any]) -> CypherAnswer:
                return state.store.mutate(
                    question.query,
                    question.parameters,
                    max_rows=question.max_rows,
                    timeout_ms=question.timeout_ms,
                    spent_ms=question.spent_ms(),
                    accept=accept,
                    cancelled=question.call.cancelled,
                )

            nonlocal changed
            answer, changed = run_unlogged(state, mutate)
            return answer

        answer = self._graph.change_unlogged(change)
        if changed:
            heal_unasked(self._graph, self._embedding)
        return answer


@contextmanager
def _turn(turns: Turns, who: str, question: _Question) -> Iterator[None]:
    """Have a turn, waiting for what is left of the query's time. Raises OperationFailed when there is none."""
    timeout_ms = question.timeout_ms
    try:
        with turns.take((timeout_ms - question.spent_ms()) / 1000, question.call.cancelled):
            yield
    except TooManyWait:
        raise OperationFailed(
            ErrorKind.BUSY,
            f"knowledge_query_cypher: {who} at a time, and {MOST_WAITING} wait for their turn already. Try again "
            "when some of them have ended.",
            waiting=MOST_WAITING,
        ) from None
    except NoTurn:
        raise OperationFailed(
            ErrorKind.LIMIT,
            f"knowledge_query_cypher: {who} at a time, and this one waited its whole timeout_ms of {timeout_ms} "
            "for its turn. Try again, or pass a larger timeout_ms (at most 600000).",
            timeout_ms=timeout_ms,
        ) from None
    except GivenUp:
        raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled") from None
