"""What both clients share: connections to the service of a workspace, and one call over one of them."""

import os
import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from lcg.client.errors import OutcomeUnknown, Unreachable, failure
from lcg.errors import LcgError
from lcg.generated import config
from lcg.runtime.call import ProgressFrame
from lcg.runtime.call_params import OnProgress
from lcg.server.connection_pool import MOST_CONNECTIONS, ConnectionPool, Dial, Lease
from lcg.server.envelope import KEEP_ALIVE_PHASE
from lcg.server.owner_dial import OwnerDial
from lcg.server.socket_client import BadAnswer, Broken, DialFailed, RemoteError, ServiceConnection, Silent
from lcg.settings import read_settings

DEFAULT_TIMEOUT_S: Final = 30.0
"""Seconds of silence after which a service counts as lost. It says every five that a long call is still running."""


class Transport:
    """Carries calls to a service; safe from any thread. Up to eight run at once, more wait in line.

    A request that could not be written whole did not reach the service and is sent once more, over a new connection.
    Nothing is repeated after that.

    Args:
        path: the socket; None for that of the workspace which the current directory is.
        timeout_s: seconds of silence, during a call, after which the service counts as lost.
        start: whether a service is started for that workspace when it has none.

    Raises:
        ValueError: a path is given for a service that may have to be started.
        UsageError: one is to be started, and a variable of the environment is wrong.
    """

    def __init__(self, path: str | os.PathLike[str] | None, timeout_s: float, start: bool = False) -> None:
        self.path = socket_path(path)
        self._timeout_s = timeout_s
        self._starts = start
        self._pool = ConnectionPool(self._dial(path), MOST_CONNECTIONS)

    def call(
        self,
        method: str,
        params: Mapping[str, Any] | None,
        on_progress: OnProgress | None,
        cancelled: threading.Event,
    ) -> dict[str, Any]:
        """Call a method and wait for its end. What `cancelled` stops is stopped in the service, too.

        Raises:
            ClientError: see `lcg.client.errors`.
        """
        try:
            with self._pool.lease(cancelled) as lease:
                connection, request = self._send(method, params or {}, lease, cancelled)
                answer = connection.receive(request, partial(_pass_on, on_progress), cancelled)
        except Silent:
            raise OutcomeUnknown(
                f"{method} timed out: the service at {self.path} was silent for {self._timeout_s:g} s. Look whether "
                "the call took effect before you repeat it."
            ) from None
        except (Broken, BadAnswer) as error:
            raise OutcomeUnknown(
                f"{method}: the service at {self.path} did not answer ({error}). Look whether the call took effect "
                "before you repeat it."
            ) from None
        except LcgError as error:  # too long a line, or cancelled
            raise failure(error.code, error.message, error.data) from None
        if isinstance(answer, RemoteError):
            raise failure(answer.code, answer.message, answer.data)
        return answer

    def _dial(self, path: str | os.PathLike[str] | None) -> Dial:
        if not self._starts:
            return partial(ServiceConnection.dial, self.path, self._timeout_s)
        if path is not None:
            raise ValueError("only the workspace which the current directory is can be given a service: give no path")
        # The settings of a service are read here, where somebody sees what is wrong with them.
        settings = replace(read_settings(), attached_call_timeout_ms=round(self._timeout_s * 1000))
        return OwnerDial(settings, ())

    def close(self) -> None:
        """Hang up; calls that are under way end first. Safe to call twice."""
        self._pool.close()

    def _send(
        self, method: str, params: Mapping[str, Any], lease: Lease, cancelled: threading.Event
    ) -> tuple[ServiceConnection, int]:
        try:
            try:
                connection = lease.connection()
                return connection, connection.send(method, params, cancelled)
            except Broken:
                connection = lease.connection()
                return connection, connection.send(method, params, cancelled)
        except (DialFailed, Broken) as error:
            where, advice = (
                ("", "") if self._starts else (f" at {self.path}", " Start one with `lcg` in its workspace.")
            )
            raise Unreachable(
                f"{method}: no service can be reached{where} ({error}), so the call did not take effect.{advice}"
            ) from None


def socket_path(path: str | os.PathLike[str] | None) -> str:
    """Return the path of a socket as given, else LCG_SOCKET_PATH, else where a service has it by default."""
    if path is not None:
        return os.fspath(path)
    return os.environ.get(config.LCG_SOCKET_PATH.name) or str(Path(config.LCG_SOCKET_PATH.default))


def _pass_on(on_progress: OnProgress | None, frame: ProgressFrame) -> None:
    if on_progress is not None and frame.get("phase") != KEEP_ALIVE_PHASE:
        on_progress(frame)
