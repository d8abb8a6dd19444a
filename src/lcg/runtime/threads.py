"""Threads that work beside the calls, for those who have one made when they first need it."""

import threading
from collections.abc import Callable


def started(name: str, target: Callable[[], object]) -> threading.Thread:
    """Start a daemon thread and return it.

    Keep it only as what this returns: a thread that could not start, and is kept all the same, is waited for in vain
    by everybody who comes later.

    Raises:
        RuntimeError: the system allows no further thread.
    """
    thread = threading.Thread(target=target, name=name, daemon=True)
    thread.start()
    return thread
