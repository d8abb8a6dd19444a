"""The purge that a log ends with, if it does: one line of this program, or the last lines of the reference's log."""

from lcg.graph.fold import Fold
from lcg.graph.known_rows import FoldRows
from lcg.graph.rebuild_reading import is_purge
from lcg.wal.excluded import Range
from lcg.wal.log import Log
from lcg.wal.reader import LogLine
from lcg.wal.reference.lines import understand_line
from lcg.wal.reference.translate import ReferenceTranslator

_LOOK_BACK = 8
"""So many lines are read first: the reference empties a group with three."""


def trailing_purge(log: Log, group_id: str, max_seq: int | None) -> Range | None:
    """Return the first and last number of the purge that ends a log, or None.

    Raises:
        OSError: the log cannot be read.
    """
    if max_seq is None:
        return None
    span = _LOOK_BACK
    while True:
        after = max_seq - span
        found, is_whole = _at_the_end(list(log.read_after(group_id, after)), group_id)
        if is_whole or after < 0:
            return found
        # Whatever was read is one purge, which may have begun before.
        span *= 8


def _at_the_end(lines: list[LogLine], group_id: str) -> tuple[Range | None, bool]:
    """Return the purge at the end of these lines, and whether a line before it was seen too."""
    # What a purge means depends on no row, so none has to be known here.
    translator = ReferenceTranslator(group_id, FoldRows(Fold(group_id, lambda uuid: False)))
    first: int | None = None
    last = -1
    for line in reversed(lines):
        if line.seq is None or (line.record is None and line.reference is None):
            continue
        is_native = line.record is not None and is_purge(line.record)
        if is_native and first is None:
            return (line.seq, line.seq), True
        if is_native or not understand_line(line, translator).purges:
            return (None if first is None else (first, last)), True
        first, last = line.seq, max(last, line.seq)
    return (None if first is None else (first, last)), False
