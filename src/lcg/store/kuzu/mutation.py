"""One Cypher query that changes rows: run, checked, put right, recorded and committed, or nothing at all.

It runs on a connection of its own. The writer's shows the bookkeeping tables, and there a pattern without a label
fails; this one shows them only at the end, when nothing of the caller's is run on it any more.
"""

from collections.abc import Callable

from lcg.errors import LcgError
from lcg.model.times import now
from lcg.store.kuzu.apply import WRITE_META, move_position
from lcg.store.kuzu.cancelling import canceller
from lcg.store.kuzu.comparison import changes_between, picture
from lcg.store.kuzu.computed_times import makes_times, may_hold_times
from lcg.store.kuzu.cypher import Clock, Prepared, explain, fetch, refuse_plan
from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.guard import refused
from lcg.store.kuzu.memory_bound import memory_bound
from lcg.store.kuzu.reads import KuzuReader
from lcg.store.kuzu.schema import SHOW_BOOKKEEPING
from lcg.store.kuzu.tidying import refuse_unreadable_times, tidy
from lcg.store.protocol import Bookkeeping, CypherAnswer, RowChanges, StoreError


def run_mutation(
    session: Session,
    before: KuzuReader,
    prepared: Prepared,
    *,
    max_rows: int,
    clock: Clock,
    accept: Callable[[RowChanges], Bookkeeping],
    commit: Callable[[], None],
    take_back: Callable[[], None],
) -> CypherAnswer:
    """Run a query in a transaction; see `Store.mutate`. `before` sees the rows as they were, whatever happens here.

    Raises:
        OperationFailed, StoreError: as `Store.mutate` says. What was begun is taken back, unless `commit` raised.
    """
    refuse_plan(prepared)
    clock.left_ms()
    session.command("BEGIN TRANSACTION")
    try:
        with canceller.watching(session, clock.cancelled):
            with memory_bound.bounded():
                answer = _execute(session, prepared, max_rows, clock)
            changes = _settle(session, before, clock)
        clock.check_cancelled()
        if changes:
            _record(session, accept(changes))
    except BaseException:
        take_back()
        raise
    # Also when nothing is different: committing rows as they were is safe, taking them back is dear.
    commit()
    return answer


def _execute(session: Session, prepared: Prepared, max_rows: int, clock: Clock) -> CypherAnswer:
    try:
        session.set_timeout(clock.left_ms())
        # Without a row limit of ours: the engine would stop writing where it stops returning.
        result = session.execute(prepared.checked.text, prepared.bound)
        session.set_timeout(0)
        try:
            refuse_unreadable_times(session)
            if may_hold_times(result.get_column_data_types()) and makes_times(
                prepared.checked.tokens, prepared.bound, everywhere=True
            ):
                raise refused(
                    "the query returns times that it also computes, and these may lie outside the years 1 to 9999. "
                    "Return the uuids of the rows, or the times as text: CAST(... AS STRING)."
                )
            return fetch(result, max_rows, clock)
        finally:
            result.close()
    except LcgError:
        raise
    except Exception as error:
        raise explain(error, clock, prepared) from error
    finally:
        session.set_timeout(0)


def _settle(session: Session, before: KuzuReader, clock: Clock) -> RowChanges:
    """Put right what the query left, and return what differs from before."""
    after = KuzuReader(session)
    try:
        old = picture(before)
        tidy(session, old.entities, now())
        new = picture(after)
        shared = new.shared_uuids()
        if shared:
            raise refused(
                f"the query would give the uuid {min(shared)} to rows of several tables. Every uuid is used once."
            )
        return changes_between(before, old, after, new)
    except StoreError as error:
        clock.check_cancelled()
        raise refused(f"the query would leave rows that cannot be read. Engine: {error}") from error


def _record(session: Session, bookkeeping: Bookkeeping) -> None:
    session.command(SHOW_BOOKKEEPING)
    for position in bookkeeping.positions:
        move_position(session, position)
    for key, value in bookkeeping.meta.items():
        session.rows(WRITE_META, {"key": key, "value": value})
