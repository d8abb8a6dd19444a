"""A service behind the transports whose methods do what the tests need."""

import threading
import time
from collections.abc import Mapping
from typing import Any

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.runtime.call import Call
from lcg.server.calls import MethodTraits

TRAITS = MethodTraits(
    works_degraded=frozenset({"health_check", "knowledge_status", "knowledge_close"}),
    reports_progress=frozenset({"knowledge_rebuild_from_wal"}),
)

AT_ONCE = frozenset({"at_once"})
"""Methods that take no time."""


class FakeService:
    """Implements `lcg.runtime.call.Service`. Methods that the table lacks echo their parameters."""

    def __init__(self, *, ready: bool = True) -> None:
        self.ready = threading.Event()
        if ready:
            self.ready.set()
        self.unasked = threading.Event()
        self.seen: list[str] = []
        self.cancelled: list[str] = []
        self.rebuilt = 0
        self.closed = 0

    def call(self, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        given = dict(params or {})
        if method not in TRAITS.works_degraded:
            self._wait_until_ready(call)
        self.seen.append(method)
        match method:
            case "health_check":
                return {"ok": self.ready.is_set()}
            case "knowledge_close":
                return {"status": "closed"}
            case "wait":
                return self._wait(given, call)
            case "knowledge_rebuild_from_wal":
                return self._rebuild(given, call)
            case "text":
                return {"text": "x" * given["size"]}
            case "nan":
                return {"value": float("nan")}
            case "no_json":
                return {"value": {1, 2}}
            case "boom":
                raise ValueError("secret of the engine")
            case "refuse":
                raise OperationFailed(ErrorKind.NOT_FOUND, "No such entity.", name=given.get("name"))
            case _:
                return {"method": method, "params": given}

    def answers_at_once(self, method: str) -> bool:
        return method in AT_ONCE and self.ready.is_set()

    def works_unasked(self) -> bool:
        return self.unasked.is_set()

    def close(self) -> None:
        self.closed += 1

    def _wait_until_ready(self, call: Call) -> None:
        while not self.ready.wait(0.01):
            self._stop_if_cancelled(call)

    def _wait(self, given: dict[str, Any], call: Call) -> dict[str, Any]:
        if call.cancelled.wait(given.get("seconds", 30)):
            self._stop_if_cancelled(call)
        return {"waited": True}

    def _rebuild(self, given: dict[str, Any], call: Call) -> dict[str, Any]:
        total = given.get("total", 3)
        for phase in ("reading", "applying"):
            for done in range(total + 1):
                self._stop_if_cancelled(call)
                if call.report is not None:
                    call.report({"phase": phase, "processed": done, "total": total, "message": f"{done} lines"})
                time.sleep(given.get("pause", 0))
        self.rebuilt += 1
        return {"done": 2 * total, "asked": call.report is not None}

    def _stop_if_cancelled(self, call: Call) -> None:
        if call.cancelled.is_set():
            self.cancelled.append(call.method)
            raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled")
