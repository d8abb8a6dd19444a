"""Runs the calls of every transport in threads, and knows which of them are still running."""

import asyncio
import logging
import uuid
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from lcg.errors import LcgError, OperationFailed, UnexpectedFailure
from lcg.generated.errors import ErrorKind
from lcg.runtime.call import Call, Service

log = logging.getLogger(__name__)

COMMON_THREADS: Final = 64
RESERVED_THREADS: Final = 8

CLOSE_METHOD: Final = "knowledge_close"
"""The one method that a transport acts on itself: after its answer the process ends."""


@dataclass(frozen=True, slots=True)
class MethodTraits:
    """What a transport must know of methods.

    Attributes:
        works_degraded: those that answer while the store is closed.
        reports_progress: those that report progress.
        ends_process: those after whose answer this process ends.
    """

    works_degraded: frozenset[str]
    reports_progress: frozenset[str]
    ends_process: frozenset[str] = frozenset({CLOSE_METHOD})


class CallRunner:
    """Calls the service from a pool of threads; to be used from one event loop.

    Methods that answer while the store is closed have threads of their own, so they answer even when every other
    thread waits in line for the start to end.
    """

    def __init__(self, service: Service, traits: MethodTraits) -> None:
        self.traits = traits
        self._service = service
        self._common = ThreadPoolExecutor(COMMON_THREADS, thread_name_prefix="call")
        self._reserved = ThreadPoolExecutor(RESERVED_THREADS, thread_name_prefix="reserved")
        self._running: dict[int, Call] = {}  # by identity: calls of one method look alike
        self._idle = asyncio.Event()
        self._idle.set()
        self._stopping = False

    async def run(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Run one call to its end.

        When the awaiting task is cancelled the call is told so (`call.cancelled`) and ends at its next checkpoint.

        Raises:
            LcgError: what the client is to be told.
        """
        if self._stopping:
            raise _cancelled()
        pool = self._reserved if call.method in self.traits.works_degraded else self._common
        self._running[id(call)] = call
        self._idle.clear()
        future = asyncio.get_running_loop().run_in_executor(pool, self._call, params, call)
        future.add_done_callback(lambda _: self._ended(call))
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            call.cancelled.set()
            future.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    def _call(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        try:
            if call.cancelled.is_set():
                raise _cancelled()
            return self._service.call(call.method, params, call)
        except LcgError:
            raise
        except Exception as error:
            raise unexpected(call.method, error) from error

    def _ended(self, call: Call) -> None:
        self._running.pop(id(call), None)
        if not self._running:
            self._idle.set()

    def cancel_all(self) -> None:
        """Tell every running call to end at its next checkpoint, and refuse new ones."""
        self._stopping = True
        for call in self._running.values():
            call.cancelled.set()

    @property
    def is_busy(self) -> bool:
        """Whether any call is running, abandoned ones included."""
        return bool(self._running)

    async def wait_idle(self) -> None:
        """Wait until no call is running, abandoned ones included."""
        await self._idle.wait()


def _cancelled() -> OperationFailed:
    return OperationFailed(ErrorKind.CANCELLED, "operation cancelled")


def unexpected(method: str, error: Exception) -> UnexpectedFailure:
    """Log a fault of ours with its trace, and return what the client may know of it."""
    ref = uuid.uuid4().hex[:12]
    log.error("%s failed unexpectedly (ref %s)", method, ref, exc_info=error)
    return UnexpectedFailure(ref)
