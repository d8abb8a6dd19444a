"""Recovery and lifecycle: knowledge_close."""

from lcg.generated.results import CloseResult
from lcg.runtime.call import Call


class RecoveryHandlers:
    """Ends the service. The transport does the ending, once this answer is on its way."""

    def close(self, call: Call) -> CloseResult:
        """Confirm the shutdown."""
        return {"status": "closed"}
