"""Runs the calls of every transport in threads, and knows which of them are still running."""

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from lcg.errors import LcgError, OperationFailed, UnexpectedFailure
from lcg.generated.errors import ErrorKind
from lcg.runtime.call import Call, Service

log = logging.getLogger(__name__)

COMMON_THREADS: Final = 64
RESERVED_THREADS: Final = 8

CLOSE_METHOD: Final = "knowledge_close"
"""The one method that a transport acts on itself: after its answer the process ends."""


Begin = Callable[[Mapping[str, Any], Call], "asyncio.Future[dict[str, Any]] | None"]
"""Begins a call in the event loop and returns what will have its result; None when a thread has to make it."""


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

    Args:
        service: what is called.
        traits: what is to be known of its methods.
        begin: asked first, since a thread costs more than many a call.
    """

    def __init__(self, service: Service, traits: MethodTraits, begin: Begin | None = None) -> None:
        self.traits = traits
        self._service = service
        self._begin = begin
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
        if self.takes_no_time(call.method):
            return self._call(params, call)
        if self._stopping:
            raise _cancelled()
        begun = self.begin(params, call)
        if begun is not None:
            return await begun
        self._note_begin(call)
        pool = self._reserved if call.method in self.traits.works_degraded else self._common
        loop = asyncio.get_running_loop()
        # A plain future and a plain callback: what asyncio has for this costs as much as a short call.
        done: asyncio.Future[dict[str, Any]] = loop.create_future()
        pool.submit(self._work, params, call, loop, done)
        try:
            return await done
        except asyncio.CancelledError:
            call.cancelled.set()
            raise

    def begin(self, params: Mapping[str, Any], call: Call) -> "asyncio.Future[dict[str, Any]] | None":
        """Begin a call that needs no thread, and return what will have its result or raise `LcgError`; else None.

        When it is cancelled the call is told so, as with `run`.
        """
        begun = None if self._begin is None or self._stopping else self._begin(params, call)
        if begun is not None:
            self._note_begin(call)
            begun.add_done_callback(partial(self._ended_begun, call))
        return begun

    def _ended_begun(self, call: Call, done: "asyncio.Future[dict[str, Any]]") -> None:
        if done.cancelled():
            call.cancelled.set()
        self._note_end(call)

    def takes_no_time(self, method: str) -> bool:
        """Say whether a call of this method ends at once, so that `run_at_once` takes it."""
        return not self._stopping and self._service.answers_at_once(method)

    def run_at_once(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        """Run one call that takes no time, in the event loop.

        Raises:
            LcgError: what the client is to be told.
        """
        try:
            return self._service.call(call.method, params, call)
        except LcgError:
            raise
        except Exception as error:
            raise unexpected(call.method, error) from error

    def _work(
        self,
        params: Mapping[str, Any],
        call: Call,
        loop: asyncio.AbstractEventLoop,
        done: "asyncio.Future[dict[str, Any]]",
    ) -> None:
        try:
            outcome: dict[str, Any] | LcgError = self._call(params, call)
        except LcgError as error:
            outcome = error
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(self._ended, call, done, outcome)

    def _call(self, params: Mapping[str, Any], call: Call) -> dict[str, Any]:
        if call.cancelled.is_set():
            raise _cancelled()
        return self.run_at_once(params, call)

    def _ended(self, call: Call, done: "asyncio.Future[dict[str, Any]]", outcome: dict[str, Any] | LcgError) -> None:
        self._note_end(call)
        if done.done():  # whoever waited gave it up
            return
        if isinstance(outcome, LcgError):
            done.set_exception(outcome)
        else:
            done.set_result(outcome)

    def _note_begin(self, call: Call) -> None:
        self._running[id(call)] = call
        self._idle.clear()

    def _note_end(self, call: Call) -> None:
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
    ref = os.urandom(6).hex()
    log.error("%s failed unexpectedly (ref %s)", method, ref, exc_info=error)
    return UnexpectedFailure(ref)
