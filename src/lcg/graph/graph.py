"""The graph as the rest of the program sees it: reads by key, the index, and one way to write."""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

from lcg.errors import LcgError, OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from lcg.graph.committer import Committer
from lcg.graph.index import GraphIndex
from lcg.graph.planning import Plan, ResultT
from lcg.graph.record_log import RecordLog
from lcg.graph.state import GraphState, Reached
from lcg.model.operations import Operation
from lcg.model.rows import Edge, Entity, Episode
from lcg.model.times import Micros
from lcg.store.protocol import Direction, Snapshot, StoreError, StoreReader

_log = logging.getLogger(__name__)


class Graph:
    """An open graph. `open_state` opens the store, replays what the log has more, and is used again for repairs.

    `opened` is what it begins with, when that is open already.
    """

    def __init__(self, open_state: Callable[[], GraphState], log: RecordLog, opened: GraphState | None = None) -> None:
        self._open_state = open_state
        self._log = log
        self.failure: Unavailable | None = None
        self._whole = threading.Event()
        self._whole.set()
        self._committer = Committer(opened or open_state(), log, self._repair, self._whole.clear, self._whole.set)
        self._committer.start()

    @property
    def trouble(self) -> Unavailable | None:
        """Why the graph cannot be used now, for those who do not wait for the end of a repair."""
        failure = self.failure
        if failure is None and not self._whole.is_set():
            return Unavailable("recovering", [])
        return failure

    def wait(self, seconds: float) -> bool:
        """Wait for the end of a repair, if one is running, and say whether none is."""
        return self._whole.wait(seconds)

    @property
    def state(self) -> GraphState:
        """The present state. A repair replaces it, so ask anew for each use; waits while one is running."""
        self._whole.wait()
        if self.failure is not None:
            raise self.failure
        return self._committer.state

    @property
    def index(self) -> GraphIndex:
        """The in-memory index."""
        return self.state.index

    def write(self, group_id: str, origin: str, plan: Plan[Any]) -> Any:
        """Plan, log and apply a write; return its planned result once every later read sees it.

        Raises:
            LcgError: what the planner refused, or what the log could not take. Nothing was changed then.
        """
        return self.write_logged(group_id, origin, plan)[0]

    def write_logged(self, group_id: str, origin: str, plan: Plan[Any]) -> tuple[Any, int | None]:
        """As `write`, and return the seq of the log record with the result (None: nothing was logged)."""
        if self.failure is not None:
            raise self.failure
        return self._committer.write(group_id, origin, plan)

    def refuse_colliding(self, group_id: str) -> None:
        """Refuse a group that only letter case tells from another one. Raises OperationFailed of kind `conflict`."""
        self._log.refuse_colliding(group_id)

    def refuse_unloggable(self, group_id: str, operation: Operation) -> None:
        """Find out whether an operation can be logged at all, if need be in a record of its own.

        Raises:
            OperationFailed: it cannot. Of kind `limit` when it is too big.
        """
        self._log.refuse_unloggable(group_id, operation)

    def run(self, job: Callable[[GraphState], Any]) -> Any:
        """Run maintenance on the writer's thread."""
        return self._committer.run(job)

    def swap(self, reason: str, change: Callable[[GraphState], GraphState]) -> None:
        """Put another state in place of the present one, on the writer's thread, between rounds.

        Meanwhile, and for good when the change fails, every call is told that the store is not open and why.

        Raises:
            Exception: whatever the change raised.
        """

        def refuse_and_change(state: GraphState) -> GraphState:
            self.failure = Unavailable(reason, [])
            changed = change(state)
            self.failure = None
            return changed

        self.replace(refuse_and_change)

    def hold(self, group_id: str, refusal: LcgError) -> None:
        """Refuse writes to a group from now on. When this returns, none is under way."""

        def hold(_: GraphState) -> None:
            self._committer.held[group_id] = refusal

        self._committer.run(hold)

    def let_go(self, group_id: str) -> None:
        """Take writes to a group again."""
        self._committer.held.pop(group_id, None)

    def replace(self, change: Callable[[GraphState], GraphState]) -> None:
        """As `swap`, while reads go on with the present state. Errors as there; the state stays then."""

        def run(state: GraphState) -> None:
            self._committer.state = change(state)

        self._committer.run(run)

    def change_unlogged(self, job: Callable[[GraphState], ResultT]) -> ResultT:
        """Run what changes rows past the log on the writer's thread, while reads go on.

        Raises:
            LcgError: what the job raised; a group that is being replaced; `io`, a disk without room, or an engine that
                failed and was opened again.
        """

        def run(state: GraphState) -> ResultT:
            for refusal in self._committer.held.values():
                raise refusal
            self._log.refuse_if_short()
            try:
                return job(state)
            except StoreError as error:
                if _is_sound(state):
                    raise
                _log.exception("the store failed under a change past the log")
                self._repair({})
                raise OperationFailed(
                    ErrorKind.IO,
                    "The store failed while it took the change, and was opened again. Look whether the change is there "
                    f"before you repeat it. Engine: {error}",
                ) from error

        result: ResultT = self._committer.run(run)
        return result

    def entities(self, uuids: Iterable[str]) -> dict[str, Entity]:
        """Return entities by uuid; unknown ones are left out."""
        state = self.state
        return state.entities.fetch(uuids, lambda missing: self._read(lambda reader: reader.entities(missing)))

    def edges(self, uuids: Iterable[str]) -> dict[str, Edge]:
        """Return relationships by uuid, unbound ones included."""
        state = self.state
        return state.edges.fetch(uuids, lambda missing: self._read(lambda reader: reader.edges(missing)))

    def episodes(self, uuids: Iterable[str]) -> dict[str, Episode]:
        """Return episodes by uuid."""
        state = self.state
        return state.episodes.fetch(uuids, lambda missing: self._read(lambda reader: reader.episodes(missing)))

    def neighbour_edges(self, entity_uuid: str, direction: Direction) -> list[Edge]:
        """Return an entity's edges with both ends, uuid descending."""
        return self._read(lambda reader: reader.neighbour_edges(entity_uuid, direction))

    def edges_holding_at(self, moment: Micros) -> set[str]:
        """Return the edges whose fact holds at a time."""
        return self._read(lambda reader: reader.edges_holding_at(moment))

    def reader(self) -> AbstractContextManager[StoreReader]:
        """Lend a reader of the store."""
        return self._lent(lambda state: state.store.reader())

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """Lend the store as it is now, while writers go on; see `Store.snapshot`."""
        return self._lent(lambda state: state.store.snapshot())

    @contextmanager
    def _lent(self, lend: Callable[[GraphState], AbstractContextManager[ResultT]]) -> Iterator[ResultT]:
        with ExitStack() as lent:
            yield self._ask(lambda state: lent.enter_context(lend(state)))

    def close(self) -> None:
        """Finish what waits, then close the store."""
        self._committer.stop()
        self._committer.state.close()

    def _repair(self, reached: Reached) -> GraphState:
        """Open the graph anew from the log, after a view failed; the log has all that was acknowledged.

        Reads that come meanwhile wait. `reached` is what the failed view did not take, if that is why.
        """
        self._whole.clear()
        try:
            return self._reopened(reached)
        finally:
            self._whole.set()

    def _reopened(self, reached: Reached) -> GraphState:
        try:
            self._committer.state.close()
        except Exception:
            _log.exception("closing the failed store")
        try:
            self._committer.state = self._open_state()
        except Exception as error:
            _log.exception("the graph could not be opened again")
            details = [{"group_id": group_id, "seq": seq} for group_id, (seq, _) in reached.items()]
            self.failure = Unavailable("apply_failed" if reached else "store_unreadable", [], **(details or [{}])[0])
            raise self.failure from error
        return self._committer.state

    def _read(self, read: Callable[[StoreReader], ResultT]) -> ResultT:
        def ask(state: GraphState) -> ResultT:
            with state.store.reader() as reader:
                return read(reader)

        return self._ask(ask)

    def _ask(self, ask: Callable[[GraphState], ResultT]) -> ResultT:
        """Ask the present state, and once more whenever another one was put in its place while it was asked.

        Raises:
            StoreError: the state failed, and is the present one still.
        """
        while True:
            state = self.state
            try:
                return ask(state)
            except StoreError:
                if self.state is state:
                    raise


def _is_sound(state: GraphState) -> bool:
    try:
        state.store.positions()
    except StoreError:
        return False
    return True
