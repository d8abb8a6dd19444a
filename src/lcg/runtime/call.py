"""What a handler knows of the call that it serves, whatever the transport."""

import threading
from collections.abc import Callable, Mapping
from contextvars import ContextVar, Token
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

Warning = Mapping[str, Any]
"""`{"type": <stable word>, "message": ..., ...}`."""

ProgressFrame = Mapping[str, Any]
"""`{"phase", "processed", "total", "message", ...}`: counts of work units, and a sentence for people."""


@dataclass(slots=True)
class Call:
    """One call: its method, where progress goes (None when nobody asked), and whether it was given up.

    `request_id` is what its client calls it, or None.
    """

    method: str
    report: Callable[[ProgressFrame], None] | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)
    request_id: str | int | float | None = None


served_call: Final[ContextVar[Call | None]] = ContextVar("served_call", default=None)
"""The call that this thread works for."""


class serving:  # a class, since a generator would cost every call four times as much
    """Let what runs in this thread within the block know the call that it works for."""

    __slots__ = ("_call", "_token")

    def __init__(self, call: Call) -> None:
        self._call = call

    def __enter__(self) -> None:
        self._token: Token[Call | None] = served_call.set(self._call)

    def __exit__(self, *_: object) -> None:
        served_call.reset(self._token)


def cancellation() -> threading.Event:
    """Return the event that is set when the call served by this thread is given up; outside of calls it never is.

    For code far below the handlers that waits for others, such as a provider's answer.
    """
    call = served_call.get()
    return threading.Event() if call is None else call.cancelled


class Service(Protocol):
    """What a transport needs of the program behind it."""

    def call(self, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        """Run one method to its end, blocking, and return its result.

        Waits while the service is starting (exempt methods excepted). Safe from any thread, many at once.

        Raises:
            LcgError: whatever the client is to be told. Nothing else ever escapes.
        """
        ...

    def answers_at_once(self, method: str) -> bool:
        """Say whether `call` of this method would return now, without waiting for a disk, an engine or anybody else.

        Such a call may be made in the thread that serves everybody. Never waits.
        """
        ...

    def works_unasked(self) -> bool:
        """Say whether work goes on that no call waits for, such as a rebuild in the background. Never waits."""
        ...

    def close(self) -> None:
        """End the service: finish what is in flight, flush, release the workspace. Safe to call twice."""
        ...
