"""Interrupting work at every call that changes something on disk, one after the other."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

CHANGING = ("rename", "replace", "unlink", "rmdir", "mkdir", "fsync")


class Crash(BaseException):
    """The process is gone at this point."""


def crashes(work: Callable[[], None], prepare: Callable[[], None]) -> Iterator[None]:
    """Prepare, run the work and let it crash at its first changing call, then at its second, and so on.

    Yields after each crash. It comes before the call on even rounds, after it on odd ones.
    """
    for number in range(10_000):
        prepare()
        with pytest.MonkeyPatch.context() as patch:
            left = [number // 2]
            for name in CHANGING:
                # What a process has written outlives it, so nothing has to wait for the disk here.
                call = (lambda fd: None) if name == "fsync" else getattr(os, name)
                patch.setattr(os, name, _wrapped(call, left, after=number % 2 == 1))
            try:
                work()
            except Crash:
                pass
            else:
                assert number > 10
                return
        yield


def _wrapped(call: Callable[..., Any], left: list[int], *, after: bool) -> Callable[..., Any]:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            return call(*args, **kwargs)
        if after and left[0] == -1:
            call(*args, **kwargs)
        raise Crash

    return wrapped
