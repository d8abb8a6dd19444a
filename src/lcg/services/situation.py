"""How the service stands: starting, healthy or degraded, with what it has opened so far, and what failed lately."""

import os
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from lcg import __version__
from lcg.errors import LcgError, OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.state import GraphState
from lcg.model.times import Micros, now
from lcg.secrecy import without_secrets
from lcg.services.clearing import Clearing
from lcg.services.cypher import CypherQueries
from lcg.services.dump import Dumper
from lcg.services.embedding import Embedding
from lcg.services.freshness import Freshness
from lcg.services.healing import Healer
from lcg.services.ingest.pipeline import Ingestion
from lcg.services.maintenance import Maintenance
from lcg.services.opening import Opening
from lcg.services.passages import PassageSearch
from lcg.services.rebuild.rebuilder import Rebuilder
from lcg.services.search import Search

State = Literal["starting", "healthy", "degraded"]
_FAILURES_KEPT = 10
_LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Core:
    """Everything that needs the open store. `reopen` opens the graph once more, over the files that are there then."""

    graph: Graph
    embedding: Embedding
    healer: Healer
    search: Search
    passages: PassageSearch
    cypher: CypherQueries
    ingestion: Ingestion
    freshness: Freshness
    clearing: Clearing
    maintenance: Maintenance
    rebuilder: Rebuilder
    reopen: Callable[[Opening], GraphState]
    dumper: Dumper


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that failed: when (microseconds UTC), which method, and what its client was told."""

    time: Micros
    method: str
    code: int
    kind: str | None
    message: str


@dataclass(slots=True)
class Situation:
    """The present state. Startup settles it, and so does a recovery; `wait` holds callers until the first time.

    `strategies` tells which recoveries have what they need.
    """

    core: Core | None = None
    trouble: Unavailable | None = None
    version: str = __version__
    pid: int = field(default_factory=os.getpid)
    strategies: Callable[[], list[str]] = list
    _settled: threading.Event = field(default_factory=threading.Event)
    _failures: deque[Failure] = field(default_factory=lambda: deque(maxlen=_FAILURES_KEPT))

    @property
    def state(self) -> State:
        """The state in one word."""
        if not self._settled.is_set():
            return "starting"
        return "degraded" if self.failure is not None else "healthy"

    @property
    def is_ready(self) -> bool:
        """Whether `wait` would return at once. Never waits itself."""
        # There is no core before the startup is settled.
        core = self.core
        return core is not None and core.graph.trouble is None

    @property
    def failure(self) -> Unavailable | None:
        """Why the store is not open, when it is not though startup is over, with what can be done about it."""
        failure = self.trouble if self.core is None else self.core.graph.trouble
        return None if failure is None else self.advise(failure)

    def advise(self, failure: Unavailable) -> Unavailable:
        """Add to a failure which recoveries have what they need right now."""
        failure.data["recovery_available"] = self.strategies()
        return failure

    def settle(self, core: Core | None, trouble: Unavailable | None = None) -> None:
        """End the startup or a recovery, with an open store or with the reason why there is none."""
        self.core, self.trouble = core, trouble
        self._settled.set()

    def wait(self, cancelled: threading.Event) -> Core:
        """Wait for the end of the startup and return the open parts.

        Raises:
            Unavailable: the store is not open.
            OperationFailed: `cancelled`, when the caller gave up meanwhile.
        """
        core = self.core
        if core is not None and core.graph.trouble is None:
            return core
        while not self._settled.wait(_LOOK_SECONDS) or not (self.core is None or self.core.graph.wait(_LOOK_SECONDS)):
            if cancelled.is_set():
                raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled")
        failure = self.failure
        if failure is not None:
            raise failure
        assert self.core is not None
        return self.core

    def note_failure(self, method: str, error: LcgError) -> None:
        """Remember a failed call. What was told to its client may hold a secret; what is remembered does not."""
        kind = error.data.get("kind")
        self._failures.appendleft(Failure(now(), method, int(error.code), kind, without_secrets(error.message)))

    def recent_failures(self) -> list[Failure]:
        """Return the last failed calls, newest first."""
        return list(self._failures)
