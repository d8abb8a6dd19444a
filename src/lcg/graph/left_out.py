"""Which lines of their logs a store's rows are made without, so that a store that is older than that is noticed.

A rebuild may leave lines out, and writes that down beside the log. A store that goes back to an earlier moment, when
the engine's own log is dropped or a backup takes its place, knows nothing of it: its rows have what was left out, and
its position says that nothing is missing. So the store keeps its own note, which goes back with the rows.
"""

import orjson

from lcg.graph.followed import FollowedStreams
from lcg.graph.positions import lost_lines, same_stream
from lcg.store.protocol import Position, Store
from lcg.wal.excluded import Range
from lcg.wal.stream import Stream

_LEFT_OUT = "left_out"
"""Setting of the store: by group, the ranges of lines that its rows are made without."""


class LeftOut:
    """A store's note. Only the thread that writes to the store uses it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        noted = orjson.loads(store.meta(_LEFT_OUT) or "{}")
        self._noted = {group_id: _ranges(ranges) for group_id, ranges in noted.items()}

    def note(self, group_id: str, ranges: tuple[Range, ...]) -> None:
        """Keep which lines a group is made without."""
        if self._noted.get(group_id, ()) != ranges:
            self._noted[group_id] = ranges
            self._store.set_meta(_LEFT_OUT, orjson.dumps(self._noted).decode())

    def is_outdated(self, stream: Stream, position: Position | None, followed: FollowedStreams) -> bool:
        """Say whether the store's rows of a group are older than the last rebuild that replaced them.

        They are when they were made without other lines than the log says, as far as they reach, or of a log that the
        graph has left for the present one.
        """
        if position is None or stream.excluded_error is not None or lost_lines(stream, position):
            return False
        if not same_stream(stream, position):
            return followed.includes(stream)
        noted, reach = self._noted.get(stream.group_id, ()), position.applied_seq
        return _up_to(reach, noted) != _up_to(reach, stream.excluded.everything)


def _up_to(last: int, ranges: tuple[Range, ...]) -> list[Range]:
    return [(first, min(end, last)) for first, end in ranges if first <= last]


def _ranges(value: list[list[int]]) -> tuple[Range, ...]:
    return tuple((first, last) for first, last in value)
