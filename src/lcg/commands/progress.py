"""Progress on stderr: a bar with rate and time left on a terminal, a line now and then elsewhere."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

from lcg.commands.common import say

_EVERY_S: Final = 10.0


class Advance(Protocol):
    """Is called for each unit of work that is done, or for some at once."""

    def __call__(self, units: int = 1, /) -> None:
        """Note that so many more are done."""


@contextmanager
def progress(total: int, units: str) -> Iterator[Advance]:
    """Show how far some work has come while the block runs."""
    if total and sys.stderr.isatty():
        with _bar(total, units) as advance:
            yield advance
    else:
        yield _Lines(total, units).advance


@contextmanager
def _bar(total: int, units: str) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Units a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed:,.1f}/s")

    console = Console(stderr=True, color_system=None if os.environ.get("NO_COLOR") else "auto")
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(units), Rate(), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("", total=total)
        yield lambda units=1: shown.advance(task, units)


class _Lines:
    """Says how far it has come at most every ten seconds."""

    def __init__(self, total: int, units: str) -> None:
        self._total, self._units = total, units
        self._done = 0
        self._began = self._told = time.monotonic()

    def advance(self, units: int = 1, /) -> None:
        self._done += units
        now = time.monotonic()
        if now - self._told >= _EVERY_S:
            self._told = now
            rate = self._done / (now - self._began)
            left = (self._total - self._done) / rate
            say(f"{self._done:,} of {self._total:,} {self._units}, {rate:,.1f}/s, {left:,.0f} s left")
