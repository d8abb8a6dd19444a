"""Threads that work beside the calls, for those who have one made when they first need it."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

MadeT = TypeVar("MadeT")


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


def made_aside(name: str, make: Callable[[], MadeT]) -> Future[MadeT]:
    """Begin to make something on a thread of its own, for whoever waits for it; where no thread can start, make it now.

    The future always ends, with what `make` returned or raised.
    """
    made: Future[MadeT] = Future()

    def run() -> None:
        try:
            made.set_result(make())
        except BaseException as error:
            made.set_exception(error)

    try:
        started(name, run)
    except RuntimeError:
        run()
    return made
