"""Recovery and lifecycle: knowledge_recover, knowledge_recover_full, knowledge_close."""

from collections.abc import Callable
from typing import cast

from lcg.generated.params import RecoverParams
from lcg.generated.results import CloseResult, RecoverFullResult, RecoverResult
from lcg.runtime.call import Call
from lcg.services.recovery import AttemptFailed, Recovered, Recovery, Strategy
from lcg.services.warnings import Warnings, unlogged_mutations


class RecoveryHandlers:
    """Brings the store back, and ends the service.

    After knowledge_close the transport does the ending, once the answer is on its way. `end_soon` does it where a
    recovery can go no further.
    """

    def __init__(self, recovery: Recovery, end_soon: Callable[[], None]) -> None:
        self._recovery = recovery
        self._end_soon = end_soon

    def recover(self, params: RecoverParams, call: Call) -> RecoverResult:
        """Bring the store back by one strategy."""
        strategy = cast(Strategy, params.strategy)
        try:
            done = self._recovery.recover(strategy)
        except AttemptFailed as failed:
            if failed.restart_required:
                self._end_soon()
            return {
                "strategy": strategy,
                "success": False,
                "restart_required": failed.restart_required,
                "error": failed.message,
                "kind": failed.kind,
            }
        result: RecoverResult = {
            "strategy": strategy,
            "success": True,
            "restart_required": False,
            "mutations_replayed": done.mutations_replayed,
            "groups_replayed": done.groups_replayed,
            "set_aside": done.set_aside,
        }
        said = _said(done)
        if said:
            result["warnings"] = said
        return result

    def recover_full(self, call: Call) -> RecoverFullResult:
        """Bring a store back that does not answer; leave one that does alone."""
        try:
            done = self._recovery.recover_full()
        except AttemptFailed as failed:
            if failed.restart_required:
                self._end_soon()
            return {"success": False, "error": failed.message, "kind": failed.kind}
        result: RecoverFullResult = {
            "success": True,
            "recovery_needed": done.was_needed,
            "episodes_before": done.episodes_before,
            "episodes_after": done.episodes_after,
            "mutations_replayed": done.mutations_replayed,
            "indexes_rebuilt": done.was_needed,
        }
        said = _said(done)
        if said:
            result["warnings"] = said
        return result

    def close(self, call: Call) -> CloseResult:
        """Confirm the shutdown."""
        return {"status": "closed"}


def _said(done: Recovered) -> Warnings:
    return [unlogged_mutations(done.unlogged)] if done.was_needed and done.unlogged else []
