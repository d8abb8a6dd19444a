"""One Cypher query from a caller: guarded, bounded in time and rows, and run here as long as it only reads."""

import logging
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.cancelling import canceller
from lcg.store.kuzu.cells import MOST_CELLS, MOST_CHARACTERS, Room, cell
from lcg.store.kuzu.computed_times import has_times, makes_times
from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.guard import Checked, check, refused
from lcg.store.kuzu.memory_bound import memory_bound
from lcg.store.kuzu.parameters import TOOL, check_names, check_values, untyped, untyped_place
from lcg.store.kuzu.sizes import check_sizes
from lcg.store.protocol import CypherAnswer, QueryWrites

_log = logging.getLogger(__name__)

_SCHEMA = (
    "Node tables: Entity, Episodic, RelatesToNode_; links: RELATES_TO, MENTIONS; a relationship is "
    "(:Entity)-[:RELATES_TO]->(:RelatesToNode_)-[:RELATES_TO]->(:Entity)."
)
_NO_TYPE = re.compile(r"\bANY\b|should not be modified")
"""How the engine speaks of values whose type it cannot tell."""
_WRITE_REFUSED = "write query inside a read-only transaction"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A query that passed the guard, with its parameters by the names that the engine has for them."""

    checked: Checked
    bound: Mapping[str, Any]


def prepare(query: str, parameters: Mapping[str, Any], *, allow_files: bool) -> Prepared:
    """Check a query and its parameters; `allow_files` lets statements pass that touch files and extensions.

    Raises:
        InvalidParams: `parameters` and the query's `$names` differ, or a value cannot be passed.
        OperationFailed: `precondition`, the guard refuses the query; `limit`, it would make too much of something.
    """
    checked = check(query, allow_files=allow_files)
    names = checked.parameter_names()
    check_names(set(names.values()), parameters)
    values = check_values(parameters)
    bound = {engine_name: values[name] for engine_name, name in names.items()}
    check_sizes(checked.tokens, bound)
    return Prepared(checked, bound)


def refuse_plan(prepared: Prepared) -> None:
    """Refuse to explain or profile a query that writes: the engine would run it. Raises OperationFailed."""
    if prepared.checked.is_plan:
        raise refused("EXPLAIN and PROFILE are for queries that only read; this one would change the graph.")


def run_query(session: Session, prepared: Prepared, *, max_rows: int, clock: "Clock") -> CypherAnswer:
    """Run a query in a read-only transaction of its own and return at most `max_rows` rows.

    Raises:
        QueryWrites: it would change rows; nothing was done.
        OperationFailed: `precondition` (refused), `limit` (time or memory), `cancelled` (by the caller, or the store
            closes).
        StoreError: no transaction could be opened.
    """
    session.command("BEGIN TRANSACTION READ ONLY")
    try:
        with canceller.watching(session, clock.cancelled), memory_bound.bounded():
            session.set_timeout(clock.left_ms())
            return _run(session, prepared, max_rows, clock)
    except OperationFailed:
        raise
    except Exception as error:
        # The binding raises more than RuntimeError: OverflowError for long intervals, TypeError for some map keys.
        if _WRITE_REFUSED in str(error):
            refuse_plan(prepared)
            raise QueryWrites from error
        raise explain(error, clock, prepared) from error
    finally:
        session.set_timeout(0)
        session.rollback()


def _run(session: Session, prepared: Prepared, max_rows: int, clock: "Clock") -> CypherAnswer:
    result = _execute(session, prepared.checked, prepared.bound, max_rows)
    try:
        if has_times(result.get_column_data_types()) and makes_times(prepared.checked.tokens, prepared.bound):
            raise refused(
                "the query returns times that it computes, and these may lie outside the years 1 to 9999. "
                "Return them as text: CAST(... AS STRING)."
            )
        return fetch(result, max_rows, clock)
    finally:
        result.close()


def fetch(result: Any, max_rows: int, clock: "Clock") -> CypherAnswer:
    """Turn a result into JSON values, as many rows as are wanted. Raises OperationFailed (`limit`, `cancelled`)."""
    rows: list[list[Any]] = []
    room = Room()
    while result.has_next():
        if len(rows) == max_rows:
            return CypherAnswer(result.get_column_names(), rows, truncated=True)
        rows.append([cell(value) for value in result.get_next()])
        if not room.takes(rows[-1]):
            raise OperationFailed(
                ErrorKind.LIMIT,
                f"{TOOL}: the answer is too large after {len(rows)} rows: it may have {MOST_CELLS:,} values, those in "
                f"lists and objects included, and {MOST_CHARACTERS >> 20} Mi characters. Return less of each row, or "
                "fewer rows (LIMIT, max_rows).",
            )
        clock.check()
    return CypherAnswer(result.get_column_names(), rows, truncated=False)


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


class Clock:
    """The time that a query may take, from when its caller began to wait, and whether the caller has given up."""

    def __init__(self, timeout_ms: int, spent_ms: int = 0, cancelled: threading.Event | None = None) -> None:
        self._timeout_ms = timeout_ms
        self._start = time.monotonic() - spent_ms / 1000
        self.cancelled = cancelled

    def spent_ms(self) -> int:
        """Return how much was spent."""
        return int((time.monotonic() - self._start) * 1000)

    def left_ms(self) -> int:
        """Return what the engine may still take. Raises OperationFailed (`limit`, `cancelled`) if that is nothing."""
        self.check()
        return max(1, self._timeout_ms - self.spent_ms())

    def check(self) -> None:
        """Raise OperationFailed when the caller has given up (`cancelled`) or the time is up (`limit`)."""
        self.check_cancelled()
        if self.spent_ms() >= self._timeout_ms:
            raise self.failure()

    def check_cancelled(self) -> None:
        """Raise OperationFailed (`cancelled`) when the caller has given up."""
        if self.cancelled is not None and self.cancelled.is_set():
            raise stopped()

    def nearly_over(self) -> bool:
        """Say whether the engine, whose timer may fire a moment before this one, can have stopped for it."""
        return self.spent_ms() >= self._timeout_ms * 0.9

    def failure(self) -> OperationFailed:
        """Return what the caller is told."""
        return OperationFailed(
            ErrorKind.LIMIT,
            f"{TOOL}: the query was stopped after {self.spent_ms()} ms; timeout_ms is {self._timeout_ms}. Nothing was "
            "changed. Narrow the query, or pass a larger timeout_ms (at most 600000).",
            timeout_ms=self._timeout_ms,
        )


def stopped() -> OperationFailed:
    """Make the error of a query that was stopped."""
    return OperationFailed(ErrorKind.CANCELLED, "operation cancelled")


def explain(error: Exception, clock: Clock, prepared: Prepared) -> LcgError:
    """Return what a caller is told of an engine's error."""
    text = "out of memory" if isinstance(error, MemoryError) else str(error)
    if "Interrupted" in text:
        given_up = clock.cancelled is not None and clock.cancelled.is_set()
        return clock.failure() if clock.nearly_over() and not given_up else stopped()
    if isinstance(error, MemoryError) or "buffer pool is full" in text or "bad_alloc" in text:
        return OperationFailed(
            ErrorKind.LIMIT,
            f"{TOOL}: the query needs more memory than a query may use; return less at a time. Engine: {text}",
        )
    is_fault = "Assertion failed" in text or "should not happen" in text
    place = untyped_place(prepared.bound)
    if place and (is_fault or _NO_TYPE.search(text)):
        return untyped(place)
    if is_fault:
        _log.error("the graph engine failed over a query: %s", text)
        text = "it met a fault of its own. Write the query in another way."
    hint = f" {_SCHEMA}" if "does not exist" in text or "Cannot find property" in text else ""
    return refused(f"the graph engine refused the query.{hint} Engine: {text}")
