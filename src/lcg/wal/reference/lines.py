"""One way to read a log whose lines are of this program's format, of the reference implementation's, or of both."""

from lcg.wal.reader import LogLine
from lcg.wal.reference.errors import Problem
from lcg.wal.reference.translate import ReferenceTranslator, Translated


def understand_line(line: LogLine, translator: ReferenceTranslator) -> Translated:
    """Return what a line means: its record, or why there is none. The line is not a torn one."""
    if line.reference is not None:
        return translator.translate(line.reference)
    if line.record is not None:
        return Translated(line.record)
    return Translated(problem=Problem("unparseable", line.error or "no record"))
