"""Which numbers the lines of a file have, short: a run for every stretch without a gap."""

from collections.abc import Iterable, Sequence

Run = tuple[int, int]
"""First and last seq, both included."""

Runs = tuple[Run, ...]
"""The numbers of a file's lines in the order of the lines. A number that comes twice is in two runs."""


class RunsBuilder:
    """Collects numbers into runs."""

    def __init__(self, runs: Iterable[Run] = ()) -> None:
        self._runs = list(runs)

    def add(self, first: int, last: int) -> None:
        """Take in the numbers of lines that follow one another without a gap."""
        if self._runs and self._runs[-1][1] + 1 == first:
            self._runs[-1] = (self._runs[-1][0], last)
        else:
            self._runs.append((first, last))

    def built(self) -> Runs:
        """Return the runs."""
        return tuple(self._runs)


def count_within(runs: Iterable[Run], ranges: Sequence[Run]) -> int:
    """Count the lines whose number lies in one of the ranges, which do not overlap."""
    return sum(
        max(0, min(last, high) - max(first, low) + 1) for first, last in runs for low, high in ranges if low <= last
    )
