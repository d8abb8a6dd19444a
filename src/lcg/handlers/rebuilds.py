"""Rebuilds as clients see them: the call, its frames, its result, and the state of a job."""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Any, cast

from lcg.errors import InvalidParams, LcgError
from lcg.generated.params import RebuildFromWalParams
from lcg.generated.results import RebuildFromWalResult, RebuildStatusResult
from lcg.graph.rebuild_reading import LineCounts
from lcg.graph.rebuild_scope import RebuildRequest
from lcg.model.times import format_time
from lcg.runtime.call import Call
from lcg.services import warnings
from lcg.services.rebinding import Rebound
from lcg.services.rebuild.checks import Checked
from lcg.services.rebuild.jobs import Job
from lcg.services.rebuild.rebuilder import Rebuilder, Rebuilt
from lcg.services.warnings import Warnings
from lcg.telemetry import Telemetry

_log = logging.getLogger(__name__)

_TOOL = "knowledge_rebuild_from_wal"


class RebuildCalls:
    """Runs rebuilds for callers that wait, and for those that do not.

    `fidelity_threshold` is the share of lost lines above which a result warns; `unlogged` tells how many Cypher
    mutations no log knows; `explain` turns an unexpected error into what a client is told; `rebind` looks up the
    pointers into a group that lost their entity.
    """

    def __init__(
        self,
        rebuilder: Rebuilder,
        telemetry: Telemetry,
        *,
        fidelity_threshold: float,
        unlogged: Callable[[], int],
        explain: Callable[[str, Exception], LcgError],
        rebind: Callable[[str, Call], Rebound],
    ) -> None:
        self._rebuilder = rebuilder
        self._telemetry = telemetry
        self._fidelity_threshold = fidelity_threshold
        self._unlogged = unlogged
        self._explain = explain
        self._rebind = rebind

    def rebuild(self, params: RebuildFromWalParams, call: Call) -> RebuildFromWalResult:
        """Rebuild a group from its log, look at what that would do, or begin it in the background."""
        if params.to_seq is not None and params.to_seq < params.from_seq:
            received = f"from_seq {params.from_seq} and to_seq {params.to_seq}"
            raise InvalidParams(_TOOL, "to_seq", "a number not below from_seq", received)
        request = RebuildRequest(params.group_id, params.from_seq, params.to_seq, params.dry_run, params.force_clear)
        if params.dry_run:
            return self._dry_result(self._rebuilder.preview(request, call, _reporter(call)))
        checked, job = self._rebuilder.begin(request)
        if params.background:
            # A job of its own: it outlives the call, so the caller's going away does not stop it.
            self._begin_behind(checked, job, Call(call.method))
            return {"success": True, "job_id": job.id, "group_id": job.group_id, "status": "running"}
        return self._run(checked, job, call)

    def _begin_behind(self, checked: Checked, job: Job, call: Call) -> None:
        try:
            threading.Thread(target=self._run_quietly, args=(checked, job, call), name="lcg-rebuild").start()
        except RuntimeError as error:
            # There are as many threads as the system allows. The next rebuild of the group is not to wait for this one.
            told = self._explain(call.method, error)
            job.fail(told.message, told.data.get("kind"))
            self._rebuilder.jobs.end(job)
            raise told from error

    def _run_quietly(self, checked: Checked, job: Job, call: Call) -> None:
        # The job remembers what went wrong.
        with suppress(LcgError):
            self._run(checked, job, call)

    def _run(self, checked: Checked, job: Job, call: Call) -> RebuildFromWalResult:
        began = time.monotonic()
        try:
            done = self._rebuilder.rebuild(checked, job, call, _reporter(call))
            self._tell(done, time.monotonic() - began)
            result = self._result(done)
            result["cross_group_rebind"] = self._rebound(done, call)
            result["job_id"] = job.id
            result["status"] = "completed"
            job.complete(dict(result))
        except LcgError as error:
            job.fail(error.message, error.data.get("kind"))
            raise
        except Exception as error:
            told = self._explain(call.method, error)
            job.fail(told.message, told.data.get("kind"))
            raise told from error
        return result

    def _tell(self, done: Rebuilt, seconds: float) -> None:
        counts = done.counts
        self._telemetry.emit(
            "wal_replay_complete",
            group_id=done.checked.request.group_id,
            mutations_replayed=counts.replayed,
            unrecognised_lines=counts.unrecognised,
            failed_lines=counts.failed,
            unparseable_lines=counts.unparseable,
            legacy_skipped_lines=counts.legacy_skipped,
            duration_ms=round(seconds * 1000),
        )

    def _rebound(self, done: Rebuilt, call: Call) -> dict[str, Any] | None:
        """Bind again what pointed into a group that was replaced; None when nothing had to be looked up."""
        request = done.checked.request
        if not (request.is_full and request.force_clear):
            return None
        try:
            rebound = self._rebind(request.group_id, call)
        except LcgError as error:
            # The group itself is rebuilt, and knowledge_rebind_pointers does the rest.
            _log.warning("pointers into group %r are not all bound again: %s", request.group_id, error.message)
            return None
        return asdict(rebound) if rebound.checked else None

    def _result(self, done: Rebuilt) -> RebuildFromWalResult:
        result = self._counts(done)
        result["excluded"] = [list(span) for span in done.scope.excluded.everything]
        result["indices_built"] = True
        said = self._said(done)
        if said:
            result["warnings"] = said
        return result

    def _dry_result(self, done: Rebuilt) -> RebuildFromWalResult:
        result = self._counts(done)
        result["dry_run"] = True
        if done.checked.reset:
            result["message"] = (
                "The log is another one than the graph has recorded; a rebuild clears the group and takes in all of it."
            )
        said = self._said(done)
        if said:
            result["warnings"] = said
        return result

    def _counts(self, done: Rebuilt) -> RebuildFromWalResult:
        request, counts = done.checked.request, done.counts
        return {
            "success": True,
            "group_id": request.group_id,
            "from_seq": request.from_seq,
            "to_seq": request.to_seq,
            "mutations_replayed": counts.replayed,
            "match_prefixed_replayed": counts.prefixed,
            "wal_files_processed": counts.files,
            "indexes_created": 0,
            "unrecognised_lines": counts.unrecognised,
            "failed_lines": counts.failed,
            "unparseable_lines": counts.unparseable,
            "legacy_skipped_lines": counts.legacy_skipped,
            "lines_skipped": counts.skipped,
            "failed_samples": [
                {"sample": sample, "error": error, "count": count} for error, (sample, count) in counts.samples.items()
            ],
            "failed_sample_categories_dropped": counts.categories_dropped,
            "fidelity_warning": self._fidelity(counts),
            "rolled_back_lines": 0,
            "transactions_committed": done.transactions,
            "transactions_rolled_back": 0,
            "last_committed_seq": counts.last_seq,
            "reset_detected": done.checked.reset,
            "previous_generation": done.checked.previous_generation,
            "generation": done.checked.stream.generation,
            "cross_group_rebind": None,
        }

    def _fidelity(self, counts: LineCounts) -> str | None:
        every = counts.replayed + counts.skipped
        if not every or counts.skipped / every <= self._fidelity_threshold:
            return None
        return (
            f"{counts.skipped} of {every} lines could not be taken in, so the graph lacks what they say; "
            "failed_samples groups them by cause, and knowledge_status names each in failed_records."
        )

    def _said(self, done: Rebuilt) -> Warnings:
        said: Warnings = []
        group_id = done.checked.request.group_id
        newly_skipped = set(done.scope.excluded.skipped_purges) - set(done.checked.stream.excluded.skipped_purges)
        said += [warnings.purge_skipped(group_id, first) for first, _ in sorted(newly_skipped)]
        said += [warnings.purge_in_range(group_id, seq) for seq in done.counts.purges]
        unlogged = self._unlogged()
        if unlogged:
            said.append(warnings.unlogged_mutations(unlogged))
        return said


def _reporter(call: Call) -> Callable[[str, int, int, LineCounts, Job], None]:
    """Return what turns a rebuild's progress into frames."""

    def report(phase: str, processed: int, total: int, counts: LineCounts, job: Job) -> None:
        if call.report is not None:
            call.report(
                {
                    "phase": phase,
                    "processed": processed,
                    "total": total,
                    "message": f"{phase}: {processed} of {total}",
                    "mutations_replayed_so_far": counts.replayed,
                    "files_processed_so_far": counts.files,
                    "files_total": job.files_total,
                    "failed_lines_so_far": counts.skipped,
                    "legacy_skipped_lines_so_far": counts.legacy_skipped,
                }
            )

    return report


def job_record(job: Job | None) -> RebuildStatusResult:
    """Return how far a job is; None is one that nobody knows."""
    if job is None:
        return {"status": "not_found"}
    return {
        "status": cast(Any, job.status),
        "job_id": job.id,
        "group_id": job.group_id,
        "start_time": format_time(job.start_time),
        "mutations_replayed": job.replayed,
        "wal_files_processed": job.files_done,
        "wal_files_total": job.files_total,
        "elapsed_seconds": job.elapsed_seconds,
        "error": job.error,
        "kind": job.kind,
        "result": job.result,
    }
