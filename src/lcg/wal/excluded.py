"""Lines of a log that were left out on purpose, and stay out across restarts and lost stores.

The list belongs to one generation of the stream: when the log is replaced, nothing of the new one is excluded. A purge
that a rebuild stepped over is kept apart from the other ranges, because it never comes back in.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import orjson

from lcg.plain_files import open_plain
from lcg.wal.errors import DamagedFile
from lcg.wal.fileops import FileOps, SystemFileOps, replace_file

FILE_NAME = ".wal-excluded.json"

Range = tuple[int, int]
"""First and last seq, both included."""


def normalise(ranges: Iterable[Range]) -> tuple[Range, ...]:
    """Sort ranges and join those that overlap or touch; an empty one (last before first) vanishes."""
    merged: list[Range] = []
    for first, last in sorted(r for r in ranges if r[0] <= r[1]):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


@dataclass(frozen=True, slots=True)
class Excluded:
    """What is left out of the stream of one generation (null: a stream without identity). Ranges are normalised."""

    generation: str | None
    ranges: tuple[Range, ...] = ()
    skipped_purges: tuple[Range, ...] = ()

    @property
    def everything(self) -> tuple[Range, ...]:
        """All that is left out, for whatever reason."""
        return normalise((*self.ranges, *self.skipped_purges))

    def covers(self, seq: int) -> bool:
        """Say whether a line is left out."""
        return any(first <= seq <= last for first, last in (*self.ranges, *self.skipped_purges))

    def remainder(self, first: int, last: int) -> tuple[Range, ...]:
        """Return what of a range is not left out."""
        return _without(((first, last),), self.everything)

    def leaving_out(self, first: int, last: int) -> "Excluded":
        """Return this with a range more."""
        return Excluded(self.generation, normalise((*self.ranges, (first, last))), self.skipped_purges)

    def skipping_purge(self, first: int, last: int) -> "Excluded":
        """Return this with a skipped purge more, which may have several lines."""
        return Excluded(self.generation, self.ranges, normalise((*self.skipped_purges, (first, last))))

    def taking_in(self, first: int, last: int) -> "Excluded":
        """Return this without a range. Skipped purges stay out."""
        return Excluded(self.generation, _without(self.ranges, ((first, last),)), self.skipped_purges)


def load_excluded(directory: Path, generation: str | None) -> Excluded:
    """Read what is left out of this generation; without a file, or with one of another generation, nothing is.

    Raises:
        DamagedFile: the file is there and makes no sense. Taking it for empty would bring excluded lines back.
        OSError: it cannot be read.
    """
    path = directory / FILE_NAME
    try:
        with open_plain(path) as file:
            content = file.read()
    except FileNotFoundError:
        return Excluded(generation)
    try:
        value = orjson.loads(content)
        found = Excluded(value["generation"], _ranges(value["ranges"]), _ranges(value.get("skipped_purges", [])))
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError, ValueError) as error:
        raise DamagedFile(path, "it must hold `generation` and `ranges`, a list of [first, last]") from error
    return found if found.generation == generation else Excluded(generation)


def save_excluded(directory: Path, excluded: Excluded, ops: FileOps | None = None) -> None:
    """Write the list in place of the old one; it is durable on return.

    Raises:
        OSError: the disk refused.
    """
    value = {
        "generation": excluded.generation,
        "ranges": excluded.ranges,
        "skipped_purges": excluded.skipped_purges,
    }
    replace_file(ops or SystemFileOps(), directory / FILE_NAME, orjson.dumps(value) + b"\n")


def _without(ranges: Iterable[Range], holes: Iterable[Range]) -> tuple[Range, ...]:
    left = list(ranges)
    for first, last in holes:
        pieces = [((low, min(high, first - 1)), (max(low, last + 1), high)) for low, high in left]
        left = [(low, high) for pair in pieces for low, high in pair if low <= high]
    return normalise(left)


def _ranges(value: object) -> tuple[Range, ...]:
    if not isinstance(value, list):
        raise ValueError("no list")
    ranges = []
    for item in value:
        first, last = item
        if type(first) is not int or type(last) is not int or first > last:
            raise ValueError("no range")
        ranges.append((first, last))
    return normalise(ranges)
