"""One Cypher query from a caller: guarded, read-only, bounded in time and rows."""

import time
from collections.abc import Mapping
from typing import Any

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.cells import cell
from lcg.store.kuzu.computed_times import has_times, makes_times
from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.guard import Checked, check, refused
from lcg.store.kuzu.parameters import TOOL, check_names, check_values
from lcg.store.protocol import CypherAnswer

_SCHEMA = (
    "Node tables: Entity, Episodic, RelatesToNode_; links: RELATES_TO, MENTIONS; a relationship is "
    "(:Entity)-[:RELATES_TO]->(:RelatesToNode_)-[:RELATES_TO]->(:Entity)."
)
_WRITES = (
    "the query would change the graph, and this build runs only queries that read. Write with "
    "knowledge_assert_entity, knowledge_assert_relationship or knowledge_add_episode."
)


def run_query(
    session: Session, query: str, parameters: Mapping[str, Any], *, max_rows: int, timeout_ms: int
) -> CypherAnswer:
    """Run a query in a read-only transaction of its own and return at most `max_rows` rows.

    Raises:
        InvalidParams: `parameters` and the query's `$names` differ, or a value cannot be passed.
        OperationFailed: `precondition` (refused), `limit` (time or memory), `cancelled` (the store closes).
        StoreError: no transaction could be opened.
    """
    checked = check(query)
    names = checked.parameter_names()
    check_names(set(names.values()), parameters)
    check_values(parameters)
    bound = {engine_name: parameters[name] for engine_name, name in names.items()}
    session.command("BEGIN TRANSACTION READ ONLY")
    clock = _Clock(timeout_ms)
    try:
        session.set_timeout(timeout_ms)
        return _run(session, checked, bound, max_rows, clock)
    except OperationFailed:
        raise
    except Exception as error:
        # The binding raises more than RuntimeError: OverflowError for long intervals, TypeError for some map keys.
        raise _explain(str(error), clock) from error
    finally:
        session.set_timeout(0)
        session.rollback()


def _run(session: Session, checked: Checked, bound: Mapping[str, Any], max_rows: int, clock: "_Clock") -> CypherAnswer:
    result = _execute(session, checked, bound, max_rows)
    try:
        if has_times(result.get_column_data_types()) and makes_times(checked.tokens):
            raise refused(
                "the query returns times that it computes, and these may lie outside the years 1 to 9999. "
                "Return them as text: CAST(... AS STRING)."
            )
        rows: list[list[Any]] = []
        while result.has_next():
            if len(rows) == max_rows:
                return CypherAnswer(result.get_column_names(), rows, truncated=True)
            rows.append([cell(value) for value in result.get_next()])
            if clock.is_over():
                raise clock.failure()
        return CypherAnswer(result.get_column_names(), rows, truncated=False)
    finally:
        result.close()


def _execute(session: Session, checked: Checked, bound: Mapping[str, Any], max_rows: int) -> Any:
    # The engine keeps a whole result in memory, so it should not make more rows than will be returned.
    limited = checked.with_limit(max_rows + 1)
    if limited is not None:
        try:
            return session.execute(limited, bound)
        except RuntimeError as error:
            if not str(error).startswith("Parser exception"):
                raise
    return session.execute(checked.text, bound)


class _Clock:
    def __init__(self, timeout_ms: int) -> None:
        self._timeout_ms = timeout_ms
        self._start = time.monotonic()

    def spent_ms(self) -> int:
        return int((time.monotonic() - self._start) * 1000)

    def is_over(self) -> bool:
        return self.spent_ms() > self._timeout_ms

    def nearly_over(self) -> bool:
        # The engine's timer may fire a moment before this one.
        return self.spent_ms() >= self._timeout_ms * 0.9

    def failure(self) -> OperationFailed:
        return OperationFailed(
            ErrorKind.LIMIT,
            f"{TOOL}: the query was stopped after {self.spent_ms()} ms; timeout_ms is {self._timeout_ms}. "
            "Narrow the query, or pass a larger timeout_ms (at most 600000).",
            timeout_ms=self._timeout_ms,
        )


def _explain(text: str, clock: _Clock) -> OperationFailed:
    if "Interrupted" in text:
        return clock.failure() if clock.nearly_over() else OperationFailed(ErrorKind.CANCELLED, "operation cancelled")
    if "write query inside a read-only transaction" in text:
        return refused(_WRITES)
    if "buffer pool is full" in text or "bad_alloc" in text:
        return OperationFailed(
            ErrorKind.LIMIT,
            f"{TOOL}: the query needs more memory than the engine may use; return less at a time. Engine: {text}",
        )
    hint = f" {_SCHEMA}" if "does not exist" in text or "Cannot find property" in text else ""
    return refused(f"the graph engine refused the query.{hint} Engine: {text}")
