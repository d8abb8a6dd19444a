"""Reading a log into a fold, and counting what happens to its lines."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lcg.graph.fold import Fold
from lcg.graph.known_rows import FoldRows
from lcg.graph.rebuild_scope import Scope
from lcg.graph.stage import OperationRefused
from lcg.model.operations import GroupClear, Record
from lcg.wal.operations import GROUP_CLEAR, PlainOperation, plain_operation
from lcg.wal.reader import LogLine
from lcg.wal.reference.errors import Problem
from lcg.wal.reference.lines import understand_line
from lcg.wal.reference.translate import ReferenceTranslator, Translated
from lcg.wal.reference.work import Embedding

_SAMPLE_CHARS = 200
_CLEAR: PlainOperation = (GROUP_CLEAR, ())


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

    def note_taken(self, seq: int, *, purges: bool) -> None:
        """Count a line that is taken in."""
        self.last_seq = seq
        self.replayed += 1
        if purges:
            # Several lines in a row are one purge; a rebuild that wants what was before stops before the first.
            if self._purged_last != seq - 1:
                self.purges.append(seq)
            self._purged_last = seq

    def note_translated(self, record: Record, found: Translated) -> None:
        """Count a line of the reference's log that is taken in."""
        if found.legacy:
            self.last_seq = record.seq
            self.legacy_skipped += 1
            return
        self.note_taken(record.seq, purges=found.purges or is_purge(record))
        self.prefixed += found.prefixed_match


def read_into(
    fold: Fold,
    lines: Iterable[LogLine],
    scope: Scope,
    *,
    most_samples: int,
    step: Callable[[LineCounts, int], None],
    brought: Callable[[Sequence[Embedding]], None] = lambda embeddings: None,
) -> LineCounts:
    """Fold every line, read plainly, that the scope does not leave out; count those that the call takes in.

    `brought` is called with the vectors of each line that has some.
    `step` is called with the counts and the number of lines read, every now and then; it may raise to stop.
    """
    counts = LineCounts()
    translator = ReferenceTranslator(fold.group_id, FoldRows(fold))
    files: set[str] = set()
    file: Path | None = None
    leaves_out = bool(scope.excluded.everything)
    for read, line in enumerate(lines, 1):
        if read % 1_000 == 0:
            step(counts, read)
        if line.torn or (leaves_out and line.seq is not None and scope.excluded.covers(line.seq)):
            continue
        if line.file is not file:
            file = line.file
            files.add(file.name)
            counts.files = len(files)
        wanted = line.seq is not None and scope.takes_in(line.seq)
        if line.plain is not None:
            problem = _refusal(fold, line.plain.operations)
            if problem is None and wanted:
                counts.note_taken(line.plain.seq, purges=_CLEAR in line.plain.operations)
        else:
            found = understand_line(line, translator)
            if found.embeddings:
                brought(found.embeddings)
            record = found.record
            problem = found.problem or _refusal(fold, map(plain_operation, record.operations if record else ()))
            if problem is None and wanted and record is not None:
                counts.note_translated(record, found)
        if problem is not None and (wanted or line.seq is None):
            counts.note_failure(line, problem, most_samples)
    return counts


def _refusal(fold: Fold, operations: Iterable[PlainOperation]) -> Problem | None:
    """Fold the operations of a record, or return why that is not possible."""
    try:
        fold.take_in(operations)
    except OperationRefused as refusal:
        return Problem("failed", str(refusal))
    return None


def is_purge(record: Record) -> bool:
    """Say whether a record empties its group."""
    return any(isinstance(operation, GroupClear) for operation in record.operations)
