"""The rebuilds of this process: one at a time per group, known by their id until the process ends."""

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.times import Micros, now


@dataclass(slots=True)
class Job:
    """A rebuild that runs or ran. `result` is set when it completed, `error` and `kind` when it failed."""

    group_id: str
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    start_time: Micros = field(default_factory=now)
    replayed: int = 0
    files_done: int = 0
    files_total: int = 0
    result: dict[str, Any] | None = None
    error: str | None = None
    kind: str | None = None
    _began: float = field(default_factory=time.monotonic)
    _took: float | None = None

    @property
    def status(self) -> str:
        """`running`, `completed` or `failed`."""
        if self._took is None:
            return "running"
        return "failed" if self.error is not None else "completed"

    @property
    def elapsed_seconds(self) -> float:
        """How long it runs or ran."""
        return round(self._took if self._took is not None else time.monotonic() - self._began, 3)

    def complete(self, result: dict[str, Any]) -> None:
        """End well."""
        self.result = result
        self._took = time.monotonic() - self._began

    def fail(self, error: str, kind: str | None) -> None:
        """End badly."""
        self.error, self.kind = error, kind
        self._took = time.monotonic() - self._began


class Jobs:
    """All jobs, and which groups are being rebuilt."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._running: dict[str, Job] = {}
        self._shut: str | None = None

    def begin(self, group_id: str) -> Job | None:
        """Begin a job; None when one runs for this group.

        Raises:
            OperationFailed: `busy`, something has the whole graph for itself.
        """
        with self._lock:
            self._refuse_if_shut()
            if group_id in self._running:
                return None
            job = self._running[group_id] = Job(group_id)
            self._jobs[job.id] = job
            return job

    def end(self, job: Job) -> None:
        """Let the next job of the group begin."""
        with self._lock:
            self._running.pop(job.group_id, None)

    @property
    def is_any_running(self) -> bool:
        """Whether a job runs, in the background or not."""
        return bool(self._running)

    @contextmanager
    def shut(self, what: str) -> Iterator[None]:
        """Have the whole graph: no job begins meanwhile. `what` names who has it, as the subject of a sentence.

        Raises:
            OperationFailed: `busy`, a job runs, or somebody else has the graph.
        """
        with self._lock:
            self._refuse_if_shut()
            job = next(iter(self._running.values()), None)
            if job is not None:
                raise OperationFailed(
                    ErrorKind.BUSY,
                    f"Group {job.group_id!r} is being rebuilt by job {job.id}; nothing was changed. "
                    "knowledge_rebuild_status tells how far it is. Try again when it has ended.",
                    group_id=job.group_id,
                    job_id=job.id,
                )
            self._shut = what
        try:
            yield
        finally:
            self._shut = None

    def _refuse_if_shut(self) -> None:
        if self._shut is not None:
            raise OperationFailed(ErrorKind.BUSY, f"{self._shut} is running; nothing was changed. Try again later.")

    def running(self, group_id: str | None = None) -> Job | None:
        """Return the job that runs for a group, or any that runs."""
        with self._lock:
            if group_id is not None:
                return self._running.get(group_id)
            return next(iter(self._running.values()), None)

    def get(self, job_id: str) -> Job | None:
        """Return a job by its id."""
        return self._jobs.get(job_id)  # one look, which needs no lock
