"""Reading a group's log in the order of its numbers, one line in memory at a time.

Files are ordered by their first number, never by name. Where the numbers of files overlap (a publisher and this
program both wrote), their lines are merged. Within one file lines come as they stand: a number that is repeated or
falls back follows its predecessor. Nothing that a line holds raises an exception; it becomes the line's `error`.
"""

import heapq
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lcg.model.operations import Record
from lcg.model.quickly_made import quickly_made
from lcg.wal import codec
from lcg.wal.ahead import PiecesAhead
from lcg.wal.census import LogFile
from lcg.wal.pieces import Found, Piece, ReadPiece, judged, pieces_of, raw_lines

_WITHOUT_NUMBER = codec.MAX_SEQ + 1

_Placed = tuple[int, "LogLine"]


@quickly_made
@dataclass(frozen=True, slots=True)
class LogLine:
    """One line as found: its `record`, or the `error` that says why it is none, or neither when it is `torn`.

    Who reads with `plainly` gets a `plain` record in place of a `record`.

    A line of the reference implementation's log has neither too, but `reference`, the object that it holds: what it
    means depends on the rows before it, so it is translated where these are known.

    A torn line is the end of a file that a crash cut off; it was never acknowledged. `number` counts from 1 within the
    file. `seq` is there for damaged lines too if it can be made out.
    """

    file: Path
    number: int
    seq: int | None
    record: Record | None = None
    error: str | None = None
    torn: bool = False
    reference: dict[str, Any] | None = None
    plain: codec.PlainRecord | None = None


def read_log(files: Sequence[LogFile], group_id: str, *, plainly: bool = False) -> Generator[LogLine, None, None]:
    """Yield all lines of a log, as far as `files` (from a census) knows them.

    `plainly` makes no rows of what they hold, and reads ahead on another processor: that is for those who read much and
    look at little of it. Who may stop early closes it, which ends what reads ahead.

    Raises:
        OSError: a file cannot be read.
    """
    if not plainly:
        yield from _merge([(_start(file), _read_file(file, group_id, -1)) for file in files])
        return
    pieces = [pieces_of(file.path, file.size) for file in files]
    ahead = PiecesAhead([piece for of_file in pieces for piece in of_file], group_id)
    try:
        sources, first = [], 0
        for file, of_file in zip(files, pieces, strict=True):
            places = range(first, first := first + len(of_file))
            sources.append((_start(file), _read_plainly(file, map(ahead.take, places))))
        yield from _merge(sources)
    finally:
        ahead.close()


def read_after(files: Sequence[LogFile], group_id: str, seq: int) -> Iterator[LogLine]:
    """Yield the lines with a number above `seq`, and those without one that stand after line `seq`.

    Raises:
        OSError: a file cannot be read.
    """
    return _merge([(_start(file), _read_file(file, group_id, seq)) for file in files if _matters(file, seq)])


def _matters(file: LogFile, seq: int) -> bool:
    highest = -1 if file.max_seq is None else file.max_seq
    return highest > seq or file.torn or file.first_seq is None or (highest == seq and file.ends_unnumbered)


def _start(file: LogFile) -> int:
    return _WITHOUT_NUMBER if file.first_seq is None else file.first_seq


def _merge(sources: list[tuple[int, Iterator[_Placed]]]) -> Iterator[LogLine]:
    """Merge files by place. A file is opened only when its first number is due, so few are open at once."""
    heap = [(start, index) for index, (start, _) in enumerate(sources)]
    heapq.heapify(heap)
    waiting: dict[int, LogLine] = {}
    while heap:
        _, index = heapq.heappop(heap)
        if index in waiting:
            yield waiting.pop(index)
        for place, line in sources[index][1]:
            if heap and (place, index) > heap[0]:
                waiting[index] = line
                heapq.heappush(heap, (place, index))
                break
            yield line


def _read_file(file: LogFile, group_id: str, after: int) -> Iterator[_Placed]:
    """Yield lines with their place: the highest number so far in this file."""
    place = _before(file)
    for raw in raw_lines(Piece(str(file.path), 0, file.size, file.size)):
        if not raw.content:
            continue
        if raw.seq is not None:
            place = max(place, raw.seq)
        if raw.torn or (place if raw.seq is None else raw.seq - 1) >= after:
            line = _line(file, 0, judged(raw, group_id))
            yield place, line if line.plain is None else _with_rows(line, line.plain, group_id)


def _read_plainly(file: LogFile, pieces: Iterable[ReadPiece]) -> Iterator[_Placed]:
    """As `_read_file`, from pieces that are read already."""
    place, before = _before(file), 0
    for lines, found in pieces:
        for one in found:
            seq = one[1]
            if seq is not None and seq > place:
                place = seq
            yield place, _line(file, before, one)
        before += lines


def _before(file: LogFile) -> int:
    """Return the place of lines that stand before the first number of a file."""
    return -1 if file.first_seq is not None else _WITHOUT_NUMBER


def _line(file: LogFile, before: int, found: Found) -> LogLine:
    """Make the line of what it was found to be; `before` are those before its piece."""
    number, seq, values, error, reference = found
    if values is not None:
        return LogLine(file.path, before + number, seq, plain=codec.PlainRecord(*values))
    return LogLine(file.path, before + number, seq, None, error, error is None and reference is None, reference)


def _with_rows(line: LogLine, plain: codec.PlainRecord, group_id: str) -> LogLine:
    return LogLine(line.file, line.number, line.seq, record=codec.record_of_plain(plain, group_id))
