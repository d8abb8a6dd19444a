"""One thread serves all writers, in rounds: plan, log, apply, acknowledge.

A round takes whatever callers wait. Group by group it plans each caller's write and appends all of them to the
group's log with one fsync; then the store is given one transaction, the search indexes one update, and everybody is
told. So sixteen callers share one fsync and one commit.

The store may commit while the next round is planned: whoever asks it for anything waits until it has, so no read is
ever behind what a client was told.

The fsync decides. A refusal or failure before it changes nothing. After it the write has happened: when a view fails
then, it is repaired from the log before anybody reads it.
"""

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from lcg.errors import LcgError, OperationFailed
from lcg.graph.planning import Plan, PlanView
from lcg.graph.record_log import RecordLog, WriteRefused
from lcg.graph.stage import Stage
from lcg.graph.state import GraphState, Reached
from lcg.model.operations import Operation
from lcg.store.protocol import StoreError

_log = logging.getLogger(__name__)

ROUND_LIMIT = 64
_IDLE_SECONDS = 1.0
_CHECKPOINT_RECORDS = 5_000


class _Again(Exception):
    """A write was answered with a refusal after it had been staged."""


@dataclass(slots=True)
class _Write:
    """A caller that waits. `records` is what it changes; its planned `outcome` is delivered at the end of the round."""

    group_id: str
    origin: str
    plan: Plan[Any]
    future: "Future[Any]"
    operations: list[Operation] = field(default_factory=list)
    outcome: Any = None
    seq: int | None = None

    def fail(self, error: BaseException) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class Committer:
    """The writer thread. `repair` reopens the graph from the log after a view failed; it returns the new state.

    `hold_reads` lets reads wait until that is done, `let_reads_go` when there is nothing left to repair.
    """

    def __init__(
        self,
        state: GraphState,
        log: RecordLog,
        repair: Callable[[Reached], GraphState],
        hold_reads: Callable[[], None],
        let_reads_go: Callable[[], None],
    ) -> None:
        self.state = state
        self._record_log = log
        self._repair = repair
        self._hold_reads = hold_reads
        self._let_reads_go = let_reads_go
        self._failed: GraphState | None = None
        """The last state whose store could not apply what it had taken: reads wait until that one is seen to."""
        self.held: dict[str, LcgError] = {}
        self._waiting: deque[_Write] = deque()
        self._jobs: deque[tuple[Callable[[GraphState], Any], Future[Any]]] = deque()
        self._wake = threading.Condition()
        self._stopping = False
        self._uncheckpointed = 0
        self._thread = threading.Thread(target=self._run, name="lcg-committer", daemon=True)

    def start(self) -> None:
        """Start serving."""
        self._thread.start()

    def write(self, group_id: str, origin: str, plan: Plan[Any]) -> tuple[Any, int | None]:
        """Have a write planned, logged and applied; return its result and its record's seq once all of that is done.

        The seq is None when there was nothing to log.
        """
        future: Future[Any] = Future()
        with self._wake:
            if self._stopping:
                raise RuntimeError("the graph is closed")
            self._waiting.append(_Write(group_id, origin, plan, future))
            self._wake.notify()
        outcome: tuple[Any, int | None] = future.result()
        return outcome

    def run(self, job: Callable[[GraphState], Any]) -> Any:
        """Run maintenance on the writer's thread, between rounds, and return its result."""
        future: Future[Any] = Future()
        with self._wake:
            if self._stopping:
                raise RuntimeError("the graph is closed")
            self._jobs.append((job, future))
            self._wake.notify()
        return future.result()

    def stop(self) -> None:
        """Serve what waits, then end the thread."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join()

    # The thread

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._jobs and not self._stopping:
                    if not self._wake.wait(_IDLE_SECONDS) and self._uncheckpointed:
                        break
                writes = [self._waiting.popleft() for _ in range(min(ROUND_LIMIT, len(self._waiting)))]
                jobs = list(self._jobs)
                self._jobs.clear()
                if self._stopping and not writes and not jobs:
                    return
            if writes:
                self._serve(writes)
            for job, future in jobs:
                self._serve_job(job, future)
            if not writes and not jobs:
                self._checkpoint()

    def _serve_job(self, job: Callable[[GraphState], Any], future: "Future[Any]") -> None:
        try:
            future.set_result(job(self.state))
        except BaseException as error:
            future.set_exception(error)

    def _serve(self, writes: list[_Write]) -> None:
        try:
            self._round(writes)
        except BaseException as error:
            _log.exception("a round of %d writes failed", len(writes))
            self.state.index.undo()
            for write in writes:
                write.fail(error)

    def _round(self, writes: list[_Write]) -> None:
        reached: Reached = {}
        try:
            stage = self._log_all(writes, reached)
        except Exception as error:
            if not reached:
                raise
            # Of several groups some are logged: their writes have happened, whatever kept the others from it.
            _log.exception("a round was cut short; what it had logged is taken over from the log")
            self.state = self._repair(reached)
            for write in writes:
                if write.seq is None:
                    write.fail(error)
        else:
            if reached:
                self._apply(stage, reached)
        self._uncheckpointed += sum(write.seq is not None for write in writes)
        if self._uncheckpointed >= _CHECKPOINT_RECORDS:
            self._checkpoint()
        for write in writes:
            if not write.future.done():
                write.future.set_result((write.outcome, write.seq))

    def _log_all(self, writes: list[_Write], reached: Reached) -> Stage:
        """Plan and log all writes, group by group; return what is to be applied. `reached` tells what is logged."""
        stage = self.state.stage()
        logged: list[_Write] = []
        for group_id, callers in _by_group(writes).items():
            while waiting := [write for write in callers if not write.future.done()]:
                try:
                    stage = self._log_group(stage, group_id, waiting, reached)
                except _Again:
                    # What was planned after the refused write may rest on it, so the group is planned anew.
                    stage = self._restage(logged)
                    continue
                logged += [write for write in waiting if write.seq is not None]
                break
        return stage

    def _log_group(self, stage: Stage, group_id: str, writes: list[_Write], reached: Reached) -> Stage:
        """Plan one group's writes in turn and log them together.

        Raises:
            _Again: one of them was answered with a refusal; the others have to be planned anew.
        """
        for write in writes:
            self._plan(stage, write)
        changing = [write for write in writes if write.operations and not write.future.done()]
        if not changing:
            return stage
        payloads = [(write.origin, write.operations) for write in changing]
        try:
            position = self.state.positions.get(group_id)
            records, generation = self._record_log.append(group_id, position, payloads)
        except WriteRefused as refusal:
            changing[refusal.index].fail(refusal.error)
            raise _Again from refusal
        except Exception as error:
            for write in writes:
                write.fail(error)
            raise _Again from error
        for write, record in zip(changing, records, strict=True):
            write.seq = record.seq
        reached[group_id] = (records[-1].seq, generation)
        return stage

    def _plan(self, stage: Stage, write: _Write) -> None:
        """Plan a write and take it into the stage; one that is refused is answered at once and leaves no trace."""
        try:
            plan = write.plan(PlanView(stage))
            write.operations, write.outcome = list(plan.operations), plan.result
            if write.operations and write.group_id in self.held:
                raise self.held[write.group_id]
        except Exception as error:
            write.operations = []
            write.fail(self._truer(write.group_id, error))
            return
        try:
            _take_in(stage, write)
        except Exception as error:
            write.fail(error)
            raise _Again from error

    def _truer(self, group_id: str, error: Exception) -> Exception:
        """Return what to tell of a plan that failed. Nothing is found in a mistyped group, but that says too little."""
        if isinstance(error, OperationFailed):
            try:
                self._record_log.refuse_colliding(group_id)
            except OperationFailed as collision:
                return collision
        return error

    def _restage(self, writes: list[_Write]) -> Stage:
        """Begin the round's stage anew with the writes that stand."""
        self.state.index.undo()
        stage = self.state.stage()
        for write in writes:
            _take_in(stage, write)
        return stage

    def _apply(self, stage: Stage, reached: Reached) -> None:
        try:
            self.state.apply(stage, reached, partial(self._failed_later, self.state, reached))
        except Exception:
            _log.exception("applying logged records failed; the views are repaired from the log")
            self.state = self._repair(reached)

    def _failed_later(self, failed: GraphState, reached: Reached, error: StoreError) -> None:
        """Have the views repaired after the store could not apply what was acknowledged. On the store's thread."""

        def repair(state: GraphState) -> None:
            if state is not failed:
                # A write that met the failure has seen to it, or another state was put in its place, as by a clear.
                with self._wake:
                    if self._failed is failed:
                        self._let_reads_go()
                return
            _log.error("the store did not take logged records, which are repaired from the log: %s", error)
            with suppress(LcgError):
                self.state = self._repair(reached)

        with self._wake:
            if self._stopping:
                return
            self._failed = failed
            self._hold_reads()
            self._jobs.append((repair, Future()))
            self._wake.notify()

    def _checkpoint(self) -> None:
        if not self._record_log.has_room:
            return
        self._uncheckpointed = 0
        try:
            self.state.store.checkpoint()
        except Exception:
            _log.exception("a checkpoint failed; the store is opened again, the logs hold everything")
            with suppress(LcgError):
                self.state = self._repair({})


def _take_in(stage: Stage, write: _Write) -> None:
    for operation in write.operations:
        stage.apply(write.group_id, operation)


def _by_group(writes: list[_Write]) -> dict[str, list[_Write]]:
    groups: dict[str, list[_Write]] = {}
    for write in writes:
        groups.setdefault(write.group_id, []).append(write)
    return groups
