"""Reading a group's log in the order of its numbers, one line in memory at a time.

Files are ordered by their first number, never by name. Where the numbers of files overlap (a publisher and this
program both wrote), their lines are merged. Within one file lines come as they stand: a number that is repeated or
falls back follows its predecessor. Nothing that a line holds raises an exception; it becomes the line's `error`.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lcg.model.operations import Record
from lcg.model.quickly_made import quickly_made
from lcg.wal import codec, fields
from lcg.wal.census import LogFile, read_line
from lcg.wal.errors import LineError
from lcg.wal.reference.translate import is_reference_line

_BUFFER = 256 * 1024
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


def read_log(files: Sequence[LogFile], group_id: str, *, plainly: bool = False) -> Iterator[LogLine]:
    """Yield all lines of a log, as far as `files` (from a census) knows them.

    `plainly` makes no rows of what they hold, which is for those who read much and look at few.

    Raises:
        OSError: a file cannot be read.
    """
    return _merge([(_start(file), _read_file(file, group_id, -1, plainly)) for file in files])


def read_after(files: Sequence[LogFile], group_id: str, seq: int) -> Iterator[LogLine]:
    """Yield the lines with a number above `seq`, and those without one that stand after line `seq`.

    Raises:
        OSError: a file cannot be read.
    """
    return _merge([(_start(file), _read_file(file, group_id, seq, False)) for file in files if _matters(file, seq)])


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


def _read_file(file: LogFile, group_id: str, after: int, plainly: bool) -> Iterator[_Placed]:
    """Yield lines with their place: the highest number so far in this file."""
    place = -1 if file.first_seq is not None else _WITHOUT_NUMBER
    for raw in _raw_lines(file):
        if raw.torn:
            yield place, LogLine(file.path, raw.number, None, torn=True)
            return
        if raw.seq is not None:
            place = max(place, raw.seq)
        if (place if raw.seq is None else raw.seq - 1) >= after:
            yield place, _judge(file, raw, group_id, plainly)


@dataclass(slots=True)
class _RawLine:
    number: int
    seq: int | None
    content: bytes
    too_long: bool
    torn: bool


def _raw_lines(file: LogFile) -> Iterator[_RawLine]:
    number = 0
    left = file.size
    with file.path.open("rb", buffering=_BUFFER) as stream:
        while left > 0:
            line, too_long, size = read_line(stream, left)
            if not line:
                return
            left -= size
            number += 1
            if line.isspace():
                continue
            torn = not line.endswith(b"\n") and (too_long or not codec.is_whole(line))
            seq = None if too_long or torn else codec.seq_of(line)
            yield _RawLine(number, seq, line, too_long, torn)


def _judge(file: LogFile, raw: _RawLine, group_id: str, plainly: bool) -> LogLine:
    if raw.too_long:
        return LogLine(file.path, raw.number, None, error=f"longer than {codec.MAX_LINE_BYTES} bytes")
    try:
        content = fields.parse(raw.content)
        if is_reference_line(content):
            return LogLine(file.path, raw.number, raw.seq, reference=content)
        if plainly:
            return LogLine(file.path, raw.number, raw.seq, plain=codec.plain_record_of(content, group_id))
        return LogLine(file.path, raw.number, raw.seq, record=codec.record_of(content, group_id))
    except LineError as error:
        return LogLine(file.path, raw.number, raw.seq, error=error.reason)
