"""Row identifiers: UUID version 7 (RFC 9562), so that "uuid descending" reads as "newest first"."""

import os
import threading
import time
import uuid

_lock = threading.Lock()
_last_millis = 0


def new_uuid() -> str:
    """Return a fresh identifier. It sorts after earlier ones, to the millisecond, even if the clock falls back."""
    global _last_millis
    with _lock:
        _last_millis = max(_last_millis, time.time_ns() // 1_000_000)
        millis = _last_millis
    random = int.from_bytes(os.urandom(10), "big")
    value = (millis << 80) | (0x7 << 76) | ((random >> 62 & 0xFFF) << 64) | (0b10 << 62) | (random & ((1 << 62) - 1))
    return str(uuid.UUID(int=value))
