"""Telemetry: one JSON line on stderr per event, for whoever watches the service. `LCG_TELEMETRY=0` turns it off."""

import sys
import time
from typing import Any, TextIO

import orjson


class Telemetry:
    """Writes events. Each has `type` and `ts_ms` (milliseconds since 1970), then its own fields."""

    def __init__(self, *, enabled: bool, stream: TextIO | None = None) -> None:
        self._enabled = enabled
        self._stream = stream

    def emit(self, event: str, **fields: Any) -> None:
        """Write an event. A stderr that is gone is nobody's failure."""
        if not self._enabled:
            return
        line = orjson.dumps({"type": event, "ts_ms": time.time_ns() // 1_000_000, **fields}).decode()
        try:
            print(line, file=self._stream or sys.stderr, flush=True)
        except (OSError, ValueError):
            self._enabled = False
