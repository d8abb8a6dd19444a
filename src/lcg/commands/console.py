"""What writes to a terminal; imported only where people are shown something, for it takes a moment."""

import os
import sys

from rich.console import Console

_UNBOUNDED = 100_000
"""Columns where no terminal bounds a line."""


class Screen(Console):
    """stdout, with colours only on a terminal and where NO_COLOR is not set."""

    def __init__(self) -> None:
        watched = sys.stdout.isatty()
        super().__init__(
            file=sys.stdout,
            highlight=False,
            markup=False,
            emoji=False,
            force_terminal=watched,
            color_system="auto" if watched and not os.environ.get("NO_COLOR") else None,
            width=None if watched else _UNBOUNDED,
            soft_wrap=not watched,
        )

    def on_broken_pipe(self) -> None:
        """Leave it to the sub-command that a reader has gone away; by itself the console would end the process."""
        raise BrokenPipeError
