"""Running a rebuild: hold the group, read and fold its log, load the rows, let the search indexes follow."""

import logging
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.fold import Fold
from lcg.graph.followed import FollowedStreams
from lcg.graph.graph import Graph
from lcg.graph.left_out import LeftOut
from lcg.graph.loading import index_steps, load_group
from lcg.graph.rebuild_reading import LineCounts, read_into
from lcg.graph.rebuild_scope import RebuildRequest, Scope, scope_of
from lcg.graph.trailing_purge import trailing_purge
from lcg.runtime.call import Call
from lcg.runtime.collection import paused_collection
from lcg.services.brought_vectors import BroughtVectors
from lcg.services.embedding import Embedding
from lcg.services.healing import heal
from lcg.services.rebuild.checks import Checked, check
from lcg.services.rebuild.jobs import Job, Jobs
from lcg.store.protocol import Position
from lcg.wal.log import Log

_log = logging.getLogger(__name__)

_INLINE_ROWS = 5_000
"""Rows up to which missing vectors are made before the answer; a larger group gets them behind it."""

Report = Callable[[str, int, int, LineCounts, Job], None]
"""Called with a phase, units done, units in all, the counts so far, and the job."""


@dataclass(slots=True)
class Rebuilt:
    """What a rebuild did, or on a dry run would do."""

    checked: Checked
    scope: Scope
    counts: LineCounts
    transactions: int = 0


class Rebuilder:
    """Rebuilds groups, one job a group at a time, several groups side by side."""

    def __init__(
        self,
        graph: Graph,
        log: Log,
        followed: FollowedStreams,
        embedding: Embedding,
        *,
        most_samples: int,
    ) -> None:
        self._graph = graph
        self._log = log
        self._followed = followed
        self._embedding = embedding
        self._most_samples = most_samples
        self.jobs = Jobs()
        self._embedders: list[threading.Thread] = []

    @property
    def is_at_work(self) -> bool:
        """Whether a job runs, in the background or not, or what one loaded is being embedded behind it."""
        return self.jobs.is_any_running or any(thread.is_alive() for thread in self._embedders)

    def preview(self, request: RebuildRequest, call: Call, report: Report) -> Rebuilt:
        """Read and fold what a rebuild would take in, and change nothing. Errors as in `rebuild`."""
        checked = check(request, self._graph.state, self._log)
        scope, _, counts = self._read(checked, Job(request.group_id), call, report, None)
        return Rebuilt(checked, scope, counts)

    def begin(self, request: RebuildRequest) -> tuple[Checked, Job]:
        """Refuse what cannot be done, and begin a job for the rest.

        Raises:
            OperationFailed: see `checks.check`; `busy` when a job runs for the group.
        """
        checked = check(request, self._graph.state, self._log)
        job = self.jobs.begin(request.group_id)
        if job is None:
            running = self.jobs.running(request.group_id)
            raise _busy(request.group_id, running.id if running else "")
        job.files_total = checked.stream.file_count
        return checked, job

    def rebuild(self, checked: Checked, job: Job, call: Call, report: Report) -> Rebuilt:
        """Run a job that was begun. The job's outcome is recorded by the caller.

        Raises:
            OperationFailed: what was written since forbids it, see `checks.check`; or `cancelled`. Nothing was changed
                then, or everything was taken in.
            StoreError, OSError: the engine or the disk failed.
        """
        group_id = job.group_id
        try:
            self._graph.hold(group_id, _busy(group_id, job.id))
            # Now nobody writes any more. What was written since the job began is to be taken in like the rest.
            checked = check(checked.request, self._graph.state, self._log)
            job.files_total = checked.stream.file_count
            with paused_collection():
                scope, fold, counts = self._read(checked, job, call, report, BroughtVectors(self._embedding))
                position = Position(group_id, _reached(scope, checked), checked.stream.generation)
                done = Rebuilt(checked, scope, counts)
                self._put_in_place(done, fold, position, job, report)
            return done
        finally:
            self._graph.let_go(group_id)
            self.jobs.end(job)

    def _read(
        self, checked: Checked, job: Job, call: Call, report: Report, vectors: BroughtVectors | None
    ) -> tuple[Scope, Fold, LineCounts]:
        group_id, stream = checked.request.group_id, checked.stream
        applied = -1 if checked.position is None or checked.reset else checked.position.applied_seq
        scope = scope_of(checked.request, stream, applied, trailing_purge(self._log, group_id, stream.max_seq))
        places = self._graph.index.places
        fold = Fold(group_id, lambda uuid: uuid in places and places[uuid][1] != group_id)
        total = max(0, scope.last + 1 - (stream.first_seq or 0))

        def step(counts: LineCounts, read: int) -> None:
            _stop_if_cancelled(call)
            job.replayed, job.files_done = counts.replayed, counts.files
            report("reading", min(read, total), total, counts, job)

        report("reading", 0, total, LineCounts(), job)
        brought = vectors.take if vectors else lambda embeddings: None
        with closing(self._log.read(group_id, plainly=True)) as lines:
            counts = read_into(fold, lines, scope, most_samples=self._most_samples, step=step, brought=brought)
        if vectors:
            vectors.flush()
        _stop_if_cancelled(call)
        job.replayed, job.files_done = counts.replayed, counts.files
        report("reading", total, total, counts, job)
        return scope, fold, counts

    def _put_in_place(self, done: Rebuilt, fold: Fold, position: Position, job: Job, report: Report) -> None:
        group_id = job.group_id
        self._graph.run(lambda state: state.mark_rebuilding(group_id))
        self._followed.add(group_id, position.generation)
        if done.scope.excluded != done.checked.stream.excluded:
            self._log.save_excluded(group_id, done.scope.excluded)
        if fold.rows <= _INLINE_ROWS:
            self._embedding.prepare(_texts(fold))
        total = fold.rows
        report("applying", 0, total, done.counts, job)
        self._graph.run(lambda state: load_group(state, fold, position))
        report("applying", total, total, done.counts, job)
        done.transactions = 1
        failures = done.counts.failures
        request = done.checked.request
        in_full = request.is_full and request.is_unbounded
        left_out = done.scope.excluded.everything
        self._graph.run(lambda state: LeftOut(state.store).note(group_id, left_out))
        self._graph.run(lambda state: state.rebuilt(group_id, failures, in_full=in_full))
        indexed, searchable = 0, len(fold.entities) + len(fold.edges) + len(fold.episodes)
        report("indexing", 0, searchable, done.counts, job)
        with self._graph.state.derived.vectors.building_later():
            for rows, step in index_steps(fold, position):
                self._graph.run(step)
                indexed += rows
                report("indexing", indexed, searchable, done.counts, job)
        if fold.rows > _INLINE_ROWS:
            thread = threading.Thread(target=self._embed_behind, name="lcg-embed", daemon=True)
            thread.start()
            self._embedders = [*(known for known in self._embedders if known.is_alive()), thread]

    def _embed_behind(self) -> None:
        """Give loaded rows their vectors while everything else goes on."""
        try:
            heal(self._graph, self._embedding)
        except Exception:
            _log.exception("embedding what a rebuild loaded; knowledge_build_indices does the rest")


def _reached(scope: Scope, checked: Checked) -> int:
    """Return the last line that is not left out, which is where the group is afterwards."""
    applied = -1 if checked.position is None or checked.reset else checked.position.applied_seq
    seq = max(scope.last, applied) if not checked.request.is_full else scope.last
    while seq >= 0 and scope.excluded.covers(seq):
        seq -= 1
    return seq


def _texts(fold: Fold) -> list[str]:
    texts = [text for row in fold.entities.values() for text in (row.name, row.summary)]
    texts += [text for row in fold.entities.values() for text in (row.name_embedded, row.summary_embedded) if text]
    texts += [row.fact if row.fact_embedded is None else row.fact_embedded for row in fold.edges.values()]
    return texts + [row.content for row in fold.episodes.values()]


def _stop_if_cancelled(call: Call) -> None:
    if call.cancelled.is_set():
        raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled")


def _busy(group_id: str, job_id: str) -> LcgError:
    return OperationFailed(
        ErrorKind.BUSY,
        f"Group {group_id!r} is being rebuilt by job {job_id}; knowledge_rebuild_status tells how far it is. Try again "
        "when it has ended.",
        group_id=group_id,
        job_id=job_id,
    )
