"""Telemetry: one JSON line on stderr per event, for whoever watches the service. `LCG_TELEMETRY=0` turns it off."""

import select
import sys
import threading
import time
from typing import Any, TextIO

import orjson

from lcg.secrecy import without_secrets


class Telemetry:
    """Writes events. Each has `type` and `ts_ms` (milliseconds since 1970), then its own fields. Safe from any thread.

    Secrets are blotted out. An event is left out when whoever should read stderr does not, rather than let the service
    wait for room in a full pipe.
    """

    def __init__(self, *, enabled: bool, stream: TextIO | None = None) -> None:
        self._enabled = enabled
        self._stream = stream
        self._lock = threading.Lock()

    @property
    def is_on(self) -> bool:
        """Whether events are written."""
        return self._enabled

    def emit(self, event: str, **fields: Any) -> None:
        """Write an event. A stderr that is gone is nobody's failure."""
        if not self._enabled:
            return
        line = orjson.dumps({"type": event, "ts_ms": time.time_ns() // 1_000_000, **fields}).decode()
        stream = self._stream or sys.stderr
        try:
            with self._lock:
                if _takes_more(stream):
                    stream.write(without_secrets(line) + "\n")
                    stream.flush()
        except (OSError, ValueError, AttributeError):
            self._enabled = False


def _takes_more(stream: TextIO) -> bool:
    """Say whether a line can be written without waiting. What is no file of the system always takes one."""
    try:
        descriptor = stream.fileno()
    except OSError:
        return True
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return bool(poll.poll(0))
