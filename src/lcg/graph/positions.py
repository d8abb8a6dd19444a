"""How far a graph is behind its log, from what is recorded and what is on disk."""

from lcg.store.protocol import Position
from lcg.wal.stream import Stream


def pending(stream: Stream, position: Position | None) -> int:
    """Return how many lines are neither applied nor left out on purpose; all of them after a change of generation."""
    if stream.max_seq is None:
        return 0
    applied = position.applied_seq if position is not None and same_stream(stream, position) else 0
    left_out = sum(
        max(0, min(last, stream.max_seq) - max(first, applied + 1) + 1) for first, last in stream.excluded.everything
    )
    return max(0, stream.max_seq - applied - left_out)


def same_stream(stream: Stream, position: Position) -> bool:
    """Say whether a recorded position belongs to the stream that is on disk."""
    return position.generation == stream.generation


def hydration_status(stream: Stream, waiting: int | None) -> str:
    """Return `hydrated`, `wal_ahead`, or `not_applicable` without a log. `waiting` None: the store is not open."""
    if stream.max_seq is None:
        return "not_applicable"
    return "hydrated" if waiting == 0 and not stream.excluded.ranges else "wal_ahead"
