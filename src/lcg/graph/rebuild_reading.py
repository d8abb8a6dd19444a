"""Reading a log into a fold, and counting what happens to its lines."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from lcg.graph.fold import Fold
from lcg.graph.known_rows import FoldRows
from lcg.graph.rebuild_scope import Scope
from lcg.graph.stage import OperationRefused
from lcg.model.operations import GroupClear, Record
from lcg.wal.reader import LogLine
from lcg.wal.reference.errors import Problem
from lcg.wal.reference.lines import understand_line
from lcg.wal.reference.translate import ReferenceTranslator, Translated
from lcg.wal.reference.work import Embedding

_SAMPLE_CHARS = 200


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
    _purged_last: int | None = None

    @property
    def skipped(self) -> int:
        """Lines that are in the log and not in the graph."""
        return self.unrecognised + self.failed + self.unparseable

    def note_failure(self, line: LogLine, problem: Problem, most_samples: int) -> None:
        """Count a line that is not taken in, and remember it, grouped by its error."""
        match problem.kind:
            case "unparseable":
                self.unparseable += 1
            case "unrecognised":
                self.unrecognised += 1
            case "failed":
                self.failed += 1
        place = f"{line.file.name}:{line.number}"
        self.failures.append((line.seq, f"{place}: {problem}"))
        known = self.samples.get(problem.reason)
        if known is not None:
            self.samples[problem.reason] = (known[0], known[1] + 1)
        elif len(self.samples) < most_samples:
            self.samples[problem.reason] = (f"{place} {problem.sample}".strip()[:_SAMPLE_CHARS], 1)
        else:
            self.categories_dropped += 1

    def note_taken(self, found: Translated, record: Record) -> None:
        """Count a line that is taken in."""
        self.last_seq = record.seq
        if found.legacy:
            self.legacy_skipped += 1
            return
        self.replayed += 1
        self.prefixed += found.prefixed_match
        if found.purges or is_purge(record):
            # Several lines in a row are one purge; a rebuild that wants what was before stops before the first.
            if self._purged_last != record.seq - 1:
                self.purges.append(record.seq)
            self._purged_last = record.seq


def read_into(
    fold: Fold,
    lines: Iterable[LogLine],
    scope: Scope,
    *,
    most_samples: int,
    step: Callable[[LineCounts, int], None],
    brought: Callable[[Sequence[Embedding]], None] = lambda embeddings: None,
) -> LineCounts:
    """Fold every line that the scope does not leave out; count those that the call takes in.

    `brought` is called with the vectors of each line that has some.
    `step` is called with the counts and the number of lines read, every now and then; it may raise to stop.
    """
    counts = LineCounts()
    translator = ReferenceTranslator(fold.group_id, FoldRows(fold))
    files: set[str] = set()
    for read, line in enumerate(lines, 1):
        if read % 1_000 == 0:
            step(counts, read)
        if line.torn or (line.seq is not None and scope.excluded.covers(line.seq)):
            continue
        files.add(line.file.name)
        counts.files = len(files)
        wanted = line.seq is not None and scope.takes_in(line.seq)
        found = understand_line(line, translator)
        if found.embeddings:
            brought(found.embeddings)
        problem = found.problem or _refusal(fold, found.record)
        if problem is not None:
            if wanted or line.seq is None:
                counts.note_failure(line, problem, most_samples)
        elif wanted and found.record is not None:
            counts.note_taken(found, found.record)
    return counts


def _refusal(fold: Fold, record: Record | None) -> Problem | None:
    """Fold a record, or return why that is not possible."""
    try:
        if record is not None:
            fold.take_in(record)
    except OperationRefused as refusal:
        return Problem("failed", str(refusal))
    return None


def is_purge(record: Record) -> bool:
    """Say whether a record empties its group."""
    return any(isinstance(operation, GroupClear) for operation in record.operations)
