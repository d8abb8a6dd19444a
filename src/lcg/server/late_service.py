"""A service that opens while the first requests are answered already."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Final

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.runtime.call import Call, Service
from lcg.runtime.threads import started
from lcg.server.socket_client import stop_if

_LOOK_S: Final = 0.05
"""How often a waiting call looks whether it was given up."""


class LateService:
    """Opens a service in a thread of its own; whoever calls it waits for that. See `lcg.runtime.call.Service`.

    Args:
        open_service: opens it.
        on_failure: called when that fails; then every call fails too, and says why.
    """

    def __init__(self, open_service: Callable[[], Service], on_failure: Callable[[str], None]) -> None:
        self._open_service = open_service
        self._on_failure = on_failure
        self._opened: Future[Service] = Future()
        self._begun = threading.Lock()

    def begin(self) -> None:
        """Begin to open it, unless that has begun."""
        if self._begun.acquire(blocking=False):
            try:
                started("open", self._open)
            except RuntimeError:
                self._begun.release()
                raise

    def call(self, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        """Run one method. See `Service.call`."""
        self.begin()
        failure = self._wait(call.cancelled)
        if failure is not None:
            raise OperationFailed(ErrorKind.UNAVAILABLE, f"{method}: {failure}")
        return self._opened.result().call(method, params, call)

    def answers_at_once(self, method: str) -> bool:
        """Say whether a call of this method would return now. See `Service.answers_at_once`."""
        return self._is_open and self._opened.result().answers_at_once(method)

    def works_unasked(self) -> bool:
        """Say whether work goes on that no call waits for. See `Service.works_unasked`."""
        return self._is_open and self._opened.result().works_unasked()

    def close(self) -> None:
        """End the service, once it is open. See `Service.close`."""
        if not self._begun.acquire(blocking=False) and self._opened.exception() is None:
            self._opened.result().close()

    def _wait(self, cancelled: threading.Event) -> BaseException | None:
        """Wait until it is opened, or cannot be; return what that failed with."""
        while True:
            try:
                return self._opened.exception(_LOOK_S)
            except TimeoutError:
                stop_if(cancelled)

    @property
    def _is_open(self) -> bool:
        return self._opened.done() and self._opened.exception() is None

    def raise_failure(self) -> None:
        """Raise what opening failed with, if it did."""
        if self._opened.done():
            self._opened.result()

    def _open(self) -> None:
        try:
            service = self._open_service()
        except BaseException as error:
            self._opened.set_exception(error)
            self._on_failure("the service could not be opened")
        else:
            self._opened.set_result(service)
