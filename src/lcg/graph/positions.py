"""How far a graph is behind its log, from what is recorded and what is on disk."""

from lcg.store.protocol import Position
from lcg.wal.numbers import count_within
from lcg.wal.stream import Stream

NOTHING = -1
"""The `applied_seq` of a group of which nothing is applied. Other programs number from 0, so 0 is a line."""


def pending(stream: Stream, position: Position | None) -> int:
    """Return how many lines are neither applied nor left out on purpose; all of them after a change of generation."""
    applied = position.applied_seq if position is not None and same_stream(stream, position) else NOTHING
    if stream.max_seq is None or stream.max_seq <= applied:
        return 0
    wanted = stream.excluded.remainder(applied + 1, stream.max_seq)
    return sum(count_within(runs, wanted) for runs in stream.numbers)


def log_end(stream: Stream) -> int:
    """Return the last number of a log, or `NOTHING`."""
    return NOTHING if stream.max_seq is None else stream.max_seq


def shown(position: Position | None) -> int:
    """Return `applied_seq` as clients see it: 0 for "nothing" and for "through line 0"; `pending` tells which."""
    return max(position.applied_seq, 0) if position else 0


def next_unapplied(stream: Stream, position: Position | None) -> int:
    """Return the number from which a resume takes in what is missing."""
    applied = position.applied_seq if position is not None and same_stream(stream, position) else NOTHING
    return applied + 1 if applied > NOTHING else min(stream.first_seq or 0, 1)


def same_stream(stream: Stream, position: Position) -> bool:
    """Say whether a recorded position belongs to the stream that is on disk."""
    return position.generation == stream.generation


def lost_lines(stream: Stream, position: Position | None) -> bool:
    """Say whether applied lines are gone from the log: it is the same one and ends earlier, or it is not there."""
    if position is None or position.applied_seq <= log_end(stream):
        return False
    return stream.max_seq is None or same_stream(stream, position)


def hydration_status(stream: Stream, waiting: int | None) -> str:
    """Return `hydrated`, `wal_ahead`, or `not_applicable` without a log. `waiting` None: the store is not open."""
    if stream.max_seq is None:
        return "not_applicable"
    return "hydrated" if waiting == 0 and not stream.excluded.ranges else "wal_ahead"
