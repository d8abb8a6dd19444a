"""What takes part in a replay besides the graph: who hears where it begins, and who wants the vectors of the lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from lcg.wal.reference.work import Embedding


class LineVectors(Protocol):
    """Takes the vectors that the lines of one log bring."""

    def take(self, brought: Sequence[Embedding]) -> None:
        """Note those of a line."""
        ...

    def flush(self) -> None:
        """Make what was noted of use."""
        ...


class NoVectors:
    """Wants none."""

    def take(self, brought: Sequence[Embedding]) -> None:
        """Do nothing."""

    def flush(self) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class ReplayHooks:
    """Called by a replay. `begins` gets the group, the first number that is read, and why that one.

    `vectors` is asked for one taker per log.
    """

    begins: Callable[[str, int, str], None] = lambda group_id, from_seq, reason: None
    vectors: Callable[[], LineVectors] = NoVectors
