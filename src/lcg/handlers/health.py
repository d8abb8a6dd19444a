"""Health: health_check."""

from lcg.errors import OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from lcg.generated.results import HealthCheckResult
from lcg.runtime.call import Call
from lcg.services.situation import Situation


class HealthHandlers:
    """Answers the readiness probe, at any time and without waiting for running work."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation

    def health_check(self, call: Call) -> HealthCheckResult:
        """Say whether every method can be used now."""
        situation = self._situation
        state = situation.state
        failure = situation.failure
        if state == "healthy" and situation.core is not None:
            try:
                _probe(situation)
            except Unavailable as closed:
                # A recovery began just now.
                state, failure = "degraded", closed
        result: HealthCheckResult = {
            "ok": state == "healthy",
            "healthy": state == "healthy",
            "state": state,
            "version": situation.version,
            "pid": situation.pid,
        }
        if state == "degraded" and failure is not None:
            result["reason"] = str(failure.data["reason"])
        return result


def _probe(situation: Situation) -> None:
    if situation.core is None:
        return
    with situation.core.graph.reader() as reader:
        if reader.probe():
            return
    raise OperationFailed(
        ErrorKind.UNAVAILABLE,
        "The store is open but does not answer a probe query. knowledge_recover_full or knowledge_recover mend it; a "
        "restart replays the log.",
    )
