"""Which files a group's log has, and which numbers are in them. Kept in memory and brought up to date by `stat`.

A file is scanned once; after that only what was added to it. Numbers are taken from every line that has one, readable
or not, so that none is given away twice.
"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from lcg.wal import codec
from lcg.wal.numbers import Runs, RunsBuilder

SUFFIX = ".jsonl"
_BUFFER = 1 << 20

Stamp = tuple[int, int, int]
"""What tells that a file changed: inode, size, time of modification in nanoseconds."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """One file of a log.

    `whole` is the length up to and including the last line feed. What follows it, if anything, is `torn` (the start of
    a line that a crash cut off) or one more line whose line feed is missing. `lines` counts no blank and no torn one.
    `runs` are the numbers of its lines.
    """

    path: Path
    stamp: Stamp
    first_seq: int | None
    max_seq: int | None
    lines: int
    whole: int
    torn: bool
    ends_unnumbered: bool
    runs: Runs

    @property
    def size(self) -> int:
        """Length in bytes."""
        return self.stamp[1]


class Census:
    """The files of one group directory. Not thread-safe: its owner holds a lock."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.exists = False
        self.sidecars: dict[str, Stamp] = {}
        self._files: dict[str, LogFile] = {}

    @property
    def files(self) -> list[LogFile]:
        """The files by their first number; those without any number last, the oldest first."""
        return sorted(self._files.values(), key=_order)

    @property
    def max_seq(self) -> int | None:
        """The highest number on disk, or None without any."""
        return max((f.max_seq for f in self._files.values() if f.max_seq is not None), default=None)

    @property
    def first_seq(self) -> int | None:
        """The lowest number that a file begins with, or None without any."""
        return min((f.first_seq for f in self._files.values() if f.first_seq is not None), default=None)

    @property
    def byte_size(self) -> int:
        """The length of all files."""
        return sum(f.size for f in self._files.values())

    @property
    def file_count(self) -> int:
        """How many files there are."""
        return len(self._files)

    @property
    def numbers(self) -> tuple[Runs, ...]:
        """The numbers of the lines, file by file."""
        return tuple(file.runs for file in self._files.values())

    def get(self, name: str) -> LogFile | None:
        """Return a file by name, as last seen."""
        return self._files.get(name)

    def refresh(self) -> bool:
        """Look at the directory and say whether any log file differs from what was known.

        Raises:
            OSError: the directory or a file cannot be read.
        """
        stamps: dict[str, Stamp] = {}
        self.sidecars = {}
        try:
            with os.scandir(self.directory) as entries:
                for entry in entries:
                    self._note(entry, stamps)
            self.exists = True
        except FileNotFoundError:
            self.exists = False
        changed = False
        for name in self._files.keys() - stamps.keys():
            del self._files[name]
            changed = True
        for name, stamp in stamps.items():
            known = self._files.get(name)
            if known is None or known.stamp != stamp:
                self._files[name] = scan_file(self.directory / name, stamp, known)
                changed = True
        return changed

    def appended(self, path: Path, status: os.stat_result, first_seq: int, last_seq: int) -> None:
        """Note what the owner itself wrote at the end of a file, so that it need not be read again."""
        known = self._files.get(path.name)
        first = known.first_seq if known and known.first_seq is not None else first_seq
        lines = (known.lines if known else 0) + last_seq - first_seq + 1
        runs = RunsBuilder(known.runs if known else ())
        runs.add(first_seq, last_seq)
        size, numbers = status.st_size, runs.built()
        self._files[path.name] = LogFile(path, stamp_of(status), first, last_seq, lines, size, False, False, numbers)

    def forget(self, path: Path) -> None:
        """Drop what is known of a file, so that the next refresh scans it."""
        self._files.pop(path.name, None)

    def _note(self, entry: os.DirEntry[str], stamps: dict[str, Stamp]) -> None:
        name = entry.name
        # Names with a dot in front are not ours to read: what file systems and copying tools leave beside a file.
        target = self.sidecars if name.startswith(".wal-") else stamps if _is_log_name(name) else None
        if target is None:
            return
        try:
            status = entry.stat()
        except FileNotFoundError:
            return
        if stat.S_ISREG(status.st_mode):
            target[name] = stamp_of(status)


def stamp_of(status: os.stat_result) -> Stamp:
    """Return what a file is compared by."""
    return status.st_ino, status.st_size, status.st_mtime_ns


def read_line(file: BinaryIO, limit: int) -> tuple[bytes, bool, int]:
    """Read one line of a file, with its line feed, and never more than the longest legal line into memory.

    Returns the line, whether it was too long (then the line is only its beginning), and how many bytes it takes in the
    file. `limit` is how many bytes may be read at all; at the end the line is empty.
    """
    line = file.readline(min(codec.MAX_LINE_BYTES + 1, limit))
    size = len(line)
    if size <= codec.MAX_LINE_BYTES or line.endswith(b"\n"):
        return line, False, size
    piece = line
    while size < limit and piece and not piece.endswith(b"\n"):
        piece = file.readline(min(_BUFFER, limit - size))
        size += len(piece)
    return (line[:-1] + b"\n" if piece.endswith(b"\n") else line), True, size


def scan_file(path: Path, stamp: Stamp, known: LogFile | None = None) -> LogFile:
    """Read the numbers of a file, or only of what was added when `known` is the same file and shorter."""
    first = highest = None
    start = count = 0
    unnumbered = False
    runs = RunsBuilder()
    if known and known.stamp[0] == stamp[0] and known.size < stamp[1] and known.whole == known.size:
        start, count, unnumbered = known.whole, known.lines, known.ends_unnumbered
        first, highest = known.first_seq, known.max_seq
        runs = RunsBuilder(known.runs)
    whole = start
    torn = False
    with path.open("rb", buffering=_BUFFER) as file:
        file.seek(start)
        for line, too_long, size in _lines(file, stamp[1] - start):
            ended = line.endswith(b"\n")
            if not ended and (too_long or not codec.is_whole(line)):
                torn = True
                break
            whole += size if ended else 0
            if line.isspace():
                continue
            count += 1
            seq = None if too_long else codec.seq_of(line)
            unnumbered = seq is None
            if seq is not None:
                first = seq if first is None else first
                highest = seq if highest is None else max(seq, highest)
                runs.add(seq, seq)
    return LogFile(path, stamp, first, highest, count, whole, torn, unnumbered, runs.built())


def _lines(file: BinaryIO, limit: int) -> Iterator[tuple[bytes, bool, int]]:
    while limit > 0:
        line, too_long, size = read_line(file, limit)
        if not line:
            return
        limit -= size
        yield line, too_long, size


def _is_log_name(name: str) -> bool:
    return name.endswith(SUFFIX) and not name.startswith(".")


def _order(file: LogFile) -> tuple[bool, int, int, str]:
    return file.first_seq is None, file.first_seq or 0, file.stamp[2], file.path.name
