"""Telemetry: one JSON line on stderr per event, for whoever watches the service. `LCG_TELEMETRY=0` turns it off."""

import json
import select
import sys
import threading
import time
from typing import Any, Final, TextIO

import orjson

from lcg.secrecy import without_secrets

_MOST_CHARS: Final = (200, 40)
"""How long a text may be in a line that would be too long otherwise; the second holds where very many are."""


class Telemetry:
    """Writes events. Each has `type` and `ts_ms` (milliseconds since 1970), then its own fields. Safe from any thread.

    Secrets are blotted out, and long texts cut. An event is left out when whoever should read stderr does not, rather
    than let the service wait for room in a full pipe.
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
        line = _line({"type": event, "ts_ms": time.time_ns() // 1_000_000, **fields})
        stream = self._stream or sys.stderr
        try:
            with self._lock:
                if _takes_more(stream):
                    stream.write(without_secrets(line) + "\n")
                    stream.flush()
        except (OSError, ValueError, AttributeError):
            self._enabled = False


def _line(event: dict[str, Any]) -> str:
    """Write an event in so few bytes that a pipe with any room takes it as a whole.

    What callers say is part of events, their ids among it, and may be as long as they like.
    """
    for most in (None, *_MOST_CHARS):
        shown = event if most is None else {key: _cut(value, most) for key, value in event.items()}
        try:
            line = orjson.dumps(shown)
        except TypeError:  # integers beyond 64 bits
            line = json.dumps(shown).encode()
        if len(line) < select.PIPE_BUF:
            return line.decode()
    return orjson.dumps({"type": event["type"], "ts_ms": event["ts_ms"]}).decode()


def _cut(value: Any, most: int) -> Any:
    if isinstance(value, str):
        # The beginning of a secret would not be known for one any more.
        return value if len(value) <= most else f"{without_secrets(value)[:most]}…"
    if isinstance(value, dict):
        return {key: _cut(item, most) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cut(item, most) for item in value]
    return value


def _takes_more(stream: TextIO) -> bool:
    """Say whether a line can be written without waiting. What is no file of the system always takes one."""
    try:
        descriptor = stream.fileno()
    except OSError:
        return True
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return bool(poll.poll(0))
