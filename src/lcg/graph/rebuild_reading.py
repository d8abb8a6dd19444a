"""Reading a log into a fold, and counting what happens to its lines."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from lcg.graph.fold import Fold
from lcg.graph.rebuild_scope import Scope
from lcg.graph.stage import OperationRefused
from lcg.model.operations import GroupClear, Record
from lcg.wal.reader import LogLine

_SAMPLE_CHARS = 200


@dataclass(frozen=True, slots=True)
class Sample:
    """Lines that failed for one reason: the beginning of the first, and how many there are."""

    sample: str
    error: str
    count: int


@dataclass(slots=True)
class LineCounts:
    """What became of the lines of a call. `unparseable` is no record at all, `failed` contradicts what is there."""

    replayed: int = 0
    prefixed: int = 0
    unrecognised: int = 0
    failed: int = 0
    unparseable: int = 0
    legacy_skipped: int = 0
    files: int = 0
    last_seq: int | None = None
    purges: list[int] = field(default_factory=list)
    failures: list[tuple[int | None, str]] = field(default_factory=list)
    samples: dict[str, tuple[str, int]] = field(default_factory=dict)
    categories_dropped: int = 0

    @property
    def skipped(self) -> int:
        """Lines that are in the log and not in the graph."""
        return self.unrecognised + self.failed + self.unparseable

    def note_failure(self, line: LogLine, error: str, most_samples: int) -> None:
        """Remember a line that is not taken in, grouped by its error."""
        self.failures.append((line.seq, f"{line.file.name}:{line.number}: {error}"))
        known = self.samples.get(error)
        if known is not None:
            self.samples[error] = (known[0], known[1] + 1)
        elif len(self.samples) < most_samples:
            self.samples[error] = (f"{line.file.name}:{line.number}"[:_SAMPLE_CHARS], 1)
        else:
            self.categories_dropped += 1


def read_into(
    fold: Fold,
    lines: Iterable[LogLine],
    scope: Scope,
    *,
    most_samples: int,
    step: Callable[[LineCounts, int], None],
) -> LineCounts:
    """Fold every line that the scope does not leave out; count those that the call takes in.

    `step` is called with the counts and the number of lines read, every now and then; it may raise to stop.
    """
    counts = LineCounts()
    files: set[str] = set()
    for read, line in enumerate(lines, 1):
        if read % 1_000 == 0:
            step(counts, read)
        if line.torn or (line.seq is not None and scope.excluded.covers(line.seq)):
            continue
        files.add(line.file.name)
        counts.files = len(files)
        wanted = line.seq is not None and scope.takes_in(line.seq)
        if line.record is None:
            if wanted or line.seq is None:
                counts.unparseable += 1
                counts.note_failure(line, line.error or "no record", most_samples)
            continue
        try:
            fold.take_in(line.record)
        except OperationRefused as refusal:
            if wanted:
                counts.failed += 1
                counts.note_failure(line, str(refusal), most_samples)
            continue
        if wanted:
            counts.replayed += 1
            counts.last_seq = line.record.seq
            if is_purge(line.record):
                counts.purges.append(line.record.seq)
    return counts


def is_purge(record: Record) -> bool:
    """Say whether a record empties its group."""
    return any(isinstance(operation, GroupClear) for operation in record.operations)
