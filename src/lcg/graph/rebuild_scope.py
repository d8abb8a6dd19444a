"""What a rebuild takes in, and what it leaves out, of a group's log."""

from dataclasses import dataclass, replace

from lcg.wal.excluded import Excluded, Range, normalise
from lcg.wal.stream import Stream


@dataclass(frozen=True, slots=True)
class RebuildRequest:
    """A call. `from_seq` 0 is a full rebuild, from 1 on a resume; `to_seq` None is the end of the log."""

    group_id: str
    from_seq: int = 0
    to_seq: int | None = None
    dry_run: bool = False
    force_clear: bool = False

    @property
    def is_full(self) -> bool:
        """Whether it begins at the beginning."""
        return self.from_seq == 0

    @property
    def is_unbounded(self) -> bool:
        """Whether it goes to the end."""
        return self.to_seq is None

    def as_reset(self) -> "RebuildRequest":
        """Return what takes its place when the stream turns out to be another one: all of it, over everything."""
        return replace(self, from_seq=0, to_seq=None, force_clear=True)


@dataclass(frozen=True, slots=True)
class Scope:
    """The lines that a rebuild takes in: those of first..last, and what is left out of the log afterwards.

    The group's rows then are the fold of every line that `excluded` does not cover.
    """

    first: int
    last: int
    excluded: Excluded

    def takes_in(self, seq: int) -> bool:
        """Say whether a line is one that this call takes in."""
        return self.first <= seq <= self.last and not self.excluded.covers(seq)


def scope_of(request: RebuildRequest, stream: Stream, applied_seq: int, trailing_purge: Range | None) -> Scope:
    """Work out a rebuild's scope. `applied_seq` is -1 when nothing is applied.

    `trailing_purge` are the numbers of a purge that ends the log; a full, unbounded rebuild steps over it.
    """
    end = -1 if stream.max_seq is None else stream.max_seq
    last = end if request.to_seq is None else min(request.to_seq, end)
    if request.is_full:
        kept = Excluded(stream.generation, (), stream.excluded.skipped_purges)
        if request.is_unbounded and trailing_purge is not None:
            kept = kept.skipping_purge(*trailing_purge)
        return Scope(0, last, _without_the_rest(kept, last, end))
    jumped = (applied_seq + 1, request.from_seq - 1)
    kept = stream.excluded.taking_in(request.from_seq, last)
    kept = replace(kept, ranges=normalise((*kept.ranges, jumped)))
    # What a bounded resume does not reach stays out, except what was applied before.
    return Scope(request.from_seq, last, _without_the_rest(kept, max(last, applied_seq), end))


def _without_the_rest(kept: Excluded, last: int, end: int) -> Excluded:
    return kept.leaving_out(last + 1, end) if last < end else kept
