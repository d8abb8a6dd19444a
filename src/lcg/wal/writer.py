"""Appending to one group's log: a write, an fsync, and either all lines are in it or none.

This program appends only to files that it made in this very directory; their names carry a mark that is derived from
the directory's inode, so a copied log is not taken for one of ours, and publishing it anew overwrites no line that was
written here. Files of other programs are left as they are, but for the torn end of the newest one, which is cut off
(and kept beside it).
"""

import hashlib
import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lcg.wal import codec
from lcg.wal.census import SUFFIX, Census, LogFile, stamp_of
from lcg.wal.errors import AppendFailed, LogUncertain
from lcg.wal.fileops import FileOps, SystemFileOps, fsync_directory, write_all

MAX_EVENTS = 10_000
MAX_BYTES = 5_242_880
_COPY_BYTES = 1 << 20
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CutTail:
    """The start of a line that a crash had left at the end of a file: cut off there, kept in another file."""

    file: Path
    offset: int
    length: int
    kept_in: Path


@dataclass(frozen=True, slots=True)
class Rotation:
    """A file was full and the next one was begun: the numbers in their names, and what the full one holds."""

    closed: Path
    begun: Path
    closed_bytes: int
    closed_events: int

    @property
    def from_number(self) -> int:
        """The number in the name of the full file."""
        return _number(self.closed)

    @property
    def to_number(self) -> int:
        """The number in the name of the next one."""
        return _number(self.begun)


def _ignore(rotation: Rotation) -> None:
    """Tell nobody."""


@dataclass(slots=True)
class _Current:
    """The file that is being appended to. `size` is its last good length; `fd` is None while it is closed."""

    path: Path
    inode: int
    size: int = 0
    events: int = 0
    fd: int | None = None


class GroupLog:
    """The log of one group, for appending. Not thread-safe: its owner holds a lock."""

    def __init__(
        self,
        directory: Path,
        *,
        ops: FileOps | None = None,
        max_events: int = MAX_EVENTS,
        max_bytes: int = MAX_BYTES,
        rotated: Callable[[Rotation], None] = _ignore,
    ) -> None:
        self.census = Census(directory)
        self.uncertain = False
        self.cut_tails: list[CutTail] = []
        self._directory = directory
        self._ops = ops or SystemFileOps()
        self._max_events = max_events
        self._max_bytes = max_bytes
        self._rotated = rotated
        self._settled = False
        self._mended = False
        self._current: _Current | None = None

    @property
    def max_seq(self) -> int:
        """The highest number in the log as last looked at; 0 when there is none."""
        return self.census.max_seq or 0

    def refresh(self) -> int:
        """Look for what other programs did to the log, and return its highest number (0 when there is none).

        Raises:
            OSError: the log cannot be read.
        """
        self.census.refresh()
        if not self._settled:
            self._settled = True
            self._settle()
        if self._current is not None:
            seen = self.census.get(self._current.path.name)
            if seen is None or (seen.stamp[0], seen.size) != (self._current.inode, self._current.size):
                self._leave_current()
        return self.max_seq

    def append(self, lines: Sequence[bytes]) -> None:
        """Append lines (without line feeds) with the numbers that come next, durably. Call `refresh` before.

        The first number is greater than all in the log; it need not be the very next one.

        Raises:
            AppendFailed: the disk refused; the log is as it was before.
            LogUncertain: that, and what was written could not be cut off again; so does every later call.
            ValueError: the numbers do not continue the log.
        """
        if self.uncertain:
            raise LogUncertain("an earlier append failed and could not be undone; the log must be reopened")
        if not lines:
            return
        first = self._check_numbers(lines)
        data = b"\n".join(lines) + b"\n"
        self._mend()
        try:
            current, fd = self._file_for(len(lines), len(data))
        except OSError as error:
            raise AppendFailed(f"no file to append to: {error}") from error
        try:
            write_all(self._ops, fd, data)
            self._ops.fsync(fd)
        except OSError as error:
            self._cut_back(current, fd, error)
        self._note(current, fd, first, len(lines), len(data))

    def rotate(self) -> bool:
        """Close the current file for good: the next append begins a new one. Say whether there was one."""
        had_one = self._current is not None
        self._mended = True
        self._leave_current()
        return had_one

    def release(self) -> None:
        """Give the open file back to the system; the next append opens it again."""
        if self._current is not None and self._current.fd is not None:
            fd, self._current.fd = self._current.fd, None
            try:
                os.close(fd)
            except OSError as error:
                # What was acknowledged was synced before, so a late error loses nothing.
                _logger.warning("closing %s: %s", self._current.path.name, error)

    def _check_numbers(self, lines: Sequence[bytes]) -> int:
        first = self.max_seq + 1
        for expected, line in enumerate(lines, first):
            if codec.seq_of(line) != expected or b"\n" in line:
                raise ValueError(f"line {expected} of the log was to be written, got {line[:40]!r}")
        return first

    def _file_for(self, events: int, size: int) -> tuple[_Current, int]:
        current = self._current
        left: _Current | None = None
        if current is not None and current.size > 0:
            full = current.events + events > self._max_events or current.size + size > self._max_bytes
            if full:
                self._leave_current()
                current, left = None, current
        if current is None:
            current = self._current = self._make_file()
        if left is not None:
            self._rotated(Rotation(left.path, current.path, left.size, left.events))
        if current.fd is None:
            current.fd = os.open(current.path, os.O_WRONLY | os.O_APPEND)
        return current, current.fd

    def _make_file(self) -> _Current:
        stamp = datetime.now(UTC).strftime("%Y%m%d_%H%M%S")
        mark = _place_mark(self._directory)
        number = 1 + max((_own_number(file.path, mark) for file in self.census.files), default=-1)
        path = self._directory / f"{stamp}_{mark}_{number:04}{SUFFIX}"
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o644)
        try:
            fsync_directory(self._ops, self._directory)
            return _Current(path, os.fstat(fd).st_ino, fd=fd)
        except OSError:
            os.close(fd)
            path.unlink(missing_ok=True)
            raise

    def _note(self, current: _Current, fd: int, first: int, count: int, size: int) -> None:
        """Take over what was written. It is durable, so nothing that fails here may be told as a failed append."""
        current.size += size
        current.events += count
        try:
            status = os.fstat(fd)
            self.census.appended(current.path, status, first, first + count - 1)
            if status.st_size != current.size:
                # Somebody else wrote into this file at the same moment: read it again, and go on in another one.
                self.census.forget(current.path)
                self.refresh()
        except OSError as error:
            _logger.warning("%s could not be looked at after an append: %s", current.path.name, error)
            self.census.forget(current.path)

    def _cut_back(self, current: _Current, fd: int, error: OSError) -> None:
        try:
            self._ops.truncate(fd, current.size)
            # Without this the cut itself could be lost in a crash, and lines that were refused would be back.
            self._ops.fsync(fd)
        except OSError as second:
            self.uncertain = True
            self._leave_current()
            raise LogUncertain(f"append failed ({error}) and could not be undone ({second})") from error
        raise AppendFailed(f"append failed: {error}") from error

    def _leave_current(self) -> None:
        self.release()
        self._current = None

    def _settle(self) -> None:
        """Make durable what an earlier run wrote and may not have synced: it counts as logged from now on."""
        for file in self.census.files[-1:]:
            try:
                fd = os.open(file.path, os.O_RDONLY)
                try:
                    self._ops.fsync(fd)
                finally:
                    os.close(fd)
                fsync_directory(self._ops, self._directory)
            except OSError as error:
                _logger.warning("%s could not be synced: %s", file.path.name, error)

    def _mend(self) -> None:
        """Before the first append: cut the torn end of the newest file, and go on in that file if it is ours."""
        if self._mended:
            return
        self._mended = True
        newest = next(iter(self.census.files[-1:]), None)
        if newest is not None and newest.torn:
            self._report_cut(newest)
            newest = self.census.get(newest.path.name)
        if newest is None or newest.whole != newest.size or self._current is not None:
            return
        try:
            mark = _place_mark(self._directory)
        except OSError:
            return
        if _own_number(newest.path, mark) >= 0:
            self._current = _Current(newest.path, newest.stamp[0], newest.size, newest.lines)

    def _report_cut(self, file: LogFile) -> None:
        """Cut a torn end off. It hinders nobody, so a failure is no reason not to append."""
        try:
            tail = self._cut_tail(file)
            self.census.refresh()
        except OSError as error:
            _logger.warning("the torn end of %s could not be cut off: %s", file.path.name, error)
            return
        if tail is not None:
            self.cut_tails.append(tail)
            _logger.warning(
                "a torn line of %d bytes, never acknowledged, was cut off %s and kept in %s",
                tail.length,
                tail.file.name,
                tail.kept_in.name,
            )

    def _cut_tail(self, file: LogFile) -> CutTail | None:
        fd = os.open(file.path, os.O_RDWR)
        try:
            if stamp_of(os.fstat(fd)) != file.stamp:
                return None
            kept_in = file.path.with_name(f"{file.path.stem}.torn-{file.whole}")
            copy = os.open(kept_in, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            try:
                for offset in range(file.whole, file.size, _COPY_BYTES):
                    write_all(self._ops, copy, os.pread(fd, min(_COPY_BYTES, file.size - offset), offset))
                self._ops.fsync(copy)
            finally:
                os.close(copy)
            self._ops.truncate(fd, file.whole)
            self._ops.fsync(fd)
        finally:
            os.close(fd)
        return CutTail(file.path, file.whole, file.size - file.whole, kept_in)


def _place_mark(directory: Path) -> str:
    return hashlib.blake2b(str(directory.stat().st_ino).encode(), digest_size=3).hexdigest()


def _own_number(path: Path, mark: str) -> int:
    """Return the last part of the name of a file that was made in this directory; of other files, -1."""
    return _number(path) if path.stem.split("_")[2:3] == [mark] else -1


def _number(path: Path) -> int:
    parts = path.stem.split("_")
    return int(parts[3]) if len(parts) == 4 and parts[3].isdecimal() else -1
