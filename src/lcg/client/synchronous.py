"""The client for threads."""

import os
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from lcg.client.transport import DEFAULT_TIMEOUT_S, Transport
from lcg.generated.client import Methods
from lcg.runtime.call_params import OnProgress


class Client(Methods):
    """Calls a running service; safe from any thread.

    It connects when it is first needed, and anew after a break. `close` hangs up; `knowledge_close` ends the service.

    Args:
        path: the socket of the service; without it LCG_SOCKET_PATH, else that of the workspace which the current
            directory is.
        timeout_s: seconds of silence, during a call, after which the service counts as lost. A call may take much
            longer, since a service that works on it says so every five seconds.
        start: whether a service is started, by the settings in the environment, when that workspace has none. It is
            there for all who come, and ends by itself once nobody has been connected for a while.

    Raises:
        ValueError: there is a path, and `start`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        start: bool = False,
    ) -> None:
        self._transport = Transport(path, timeout_s, start)

    def call(
        self, method: str, params: Mapping[str, Any] | None = None, on_progress: OnProgress | None = None
    ) -> dict[str, Any]:
        """Call a method by its name, with parameters as they are on the wire.

        `on_progress` is called in this thread. What it raises ends the call here, and in the service.

        Raises:
            ClientError: see `lcg.client.errors`.
        """
        return self._transport.call(method, params, on_progress, threading.Event())

    def close(self) -> None:
        """Hang up. Safe to call twice."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
