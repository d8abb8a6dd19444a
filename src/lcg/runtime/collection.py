"""Python's search for reference cycles, kept away from work that makes very many objects and no cycles.

It would walk all the rows that are there again and again while their number grows, for nothing: a third of the time
of reading a log.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_pauses = 0
_was_enabled = False


@contextmanager
def paused_collection() -> Iterator[None]:
    """Make no search for cycles for the length of a `with` block, in any thread. Blocks may nest and overlap."""
    global _pauses, _was_enabled
    with _lock:
        if _pauses == 0:
            _was_enabled = gc.isenabled()
            gc.disable()
        _pauses += 1
    try:
        yield
    finally:
        with _lock:
            _pauses -= 1
            if _pauses == 0 and _was_enabled:
                gc.enable()
