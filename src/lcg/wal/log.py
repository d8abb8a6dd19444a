"""The log of the whole workspace, as the gateway uses it: operations in, numbered and durable records out."""

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lcg.model import times
from lcg.model.operations import Operation, Record
from lcg.wal import codec
from lcg.wal.directory import colliding_group, group_directory, list_groups
from lcg.wal.errors import (
    AppendFailed,
    GroupRefused,
    LineError,
    LogUncertain,
    RecordRefused,
    RecordTooLarge,
)
from lcg.wal.excluded import Excluded, save_excluded
from lcg.wal.fileops import FileOps, SystemFileOps, fsync_directory, make_directory
from lcg.wal.identity import mint_identity
from lcg.wal.marks import Mark, create_mark, delete_mark, list_marks
from lcg.wal.reader import LogLine, read_after, read_log
from lcg.wal.stream import Stream, StreamView
from lcg.wal.writer import MAX_BYTES, MAX_EVENTS, CutTail, GroupLog, Rotation

_MAX_OPEN_FILES = 64


@dataclass(frozen=True, slots=True)
class Payload:
    """What one caller wants logged as one transaction. `origin` names what asked for it."""

    origin: str
    operations: tuple[Operation, ...]


class _Group:
    """One group's parts, and the lock that guards them."""

    def __init__(self, group_id: str, writer: GroupLog) -> None:
        self.lock = threading.Lock()
        self.writer = writer
        self.view = StreamView(group_id, writer.census)

    def look(self) -> Stream:
        self.writer.refresh()
        return self.view.look()


class Log:
    """All logs under one root. Thread-safe; appends to different groups do not wait for each other."""

    def __init__(
        self,
        root: Path,
        *,
        ops: FileOps | None = None,
        max_events: int = MAX_EVENTS,
        max_bytes: int = MAX_BYTES,
        rotated: Callable[[Rotation], None] | None = None,
    ) -> None:
        """Open nothing yet. `rotated` hears of every file that was full, and must not raise."""
        self.root = root
        self._ops = ops or SystemFileOps()
        self._max_events = max_events
        self._max_bytes = max_bytes
        self._rotated = rotated or (lambda rotation: None)
        self._lock = threading.Lock()
        self._groups: dict[str, _Group] = {}
        self._open: dict[str, _Group] = {}

    @property
    def uncertain_groups(self) -> list[str]:
        """The groups whose log takes no more lines because a failed append could not be undone."""
        with self._lock:
            return sorted(group_id for group_id, group in self._groups.items() if group.writer.uncertain)

    @property
    def cut_tails(self) -> list[CutTail]:
        """The torn line ends that were cut off since this object was made."""
        with self._lock:
            return [tail for group in self._groups.values() for tail in group.writer.cut_tails]

    def is_uncertain(self, group_id: str) -> bool:
        """Say whether a group's log takes no more lines because a failed append could not be undone."""
        with self._lock:
            group = self._groups.get(group_id)
        return group is not None and group.writer.uncertain

    def groups(self) -> list[str]:
        """Return the ids of all groups that have a log directory, sorted."""
        return list_groups(self.root)

    def stream(self, group_id: str) -> Stream:
        """Describe a group's log as it is on disk now; one that has none is described too.

        Raises:
            GroupRefused: the id cannot have a log.
            OSError: the log cannot be read.
        """
        group = self._group(group_id)
        with group.lock:
            return group.look()

    def append(
        self,
        group_id: str,
        payloads: Sequence[Payload],
        *,
        admit: Callable[[Stream], None] | None = None,
        begin: Callable[[str], None] | None = None,
    ) -> list[Record]:
        """Append one record per payload, with the next numbers, in one write and one fsync: all of them or none.

        The group's directory and the identity of its stream are made when they are missing. `admit` is called with the
        log as it is, which stays so until the append is done; when it raises, nothing was written.
        `begin` is called with the stream's identity before any line is written; when it raises OSError none is.

        Raises:
            GroupRefused: the id cannot have a log, or another one differs from it by letter case only.
            RecordRefused: a payload cannot be a line (`index` says which one), `RecordTooLarge` when only for its size.
            AppendFailed, LogUncertain: the disk refused.
        """
        group = self._group(group_id)
        with group.lock:
            try:
                stream = group.look()
            except OSError as error:
                raise AppendFailed(f"the log of group {group_id!r} cannot be read: {error}") from error
            if admit is not None:
                admit(stream)
            records = _number(group_id, payloads, (stream.max_seq or 0) + 1)
            lines = [_encode(index, record) for index, record in enumerate(records)]
            if group.writer.uncertain:
                raise LogUncertain(f"group {group_id!r}: an earlier append failed and could not be undone")
            if lines:
                self._prepare(group_id, stream, begin)
                group.writer.append(lines)
        self._note_open(group_id, group)
        return records

    def colliding(self, group_id: str) -> str | None:
        """Return the group that keeps this one from having a log, because only letter case tells them apart, or None.

        Raises:
            GroupRefused: the id cannot have a log at all.
            OSError: the root cannot be read.
        """
        return None if group_directory(self.root, group_id).is_dir() else colliding_group(self.root, group_id)

    def check(self, group_id: str, payload: Payload) -> None:
        """Find out whether a payload can be a line at all, and do nothing else.

        Raises:
            RecordRefused: it cannot (`index` is 0), `RecordTooLarge` when only for its size.
        """
        _encode(0, Record(group_id, codec.MAX_SEQ, times.now(), payload.origin, payload.operations))

    def read(self, group_id: str, *, plainly: bool = False) -> Generator[LogLine, None, None]:
        """Yield every line that is in a group's log now, with records or `plainly`, as `reader.read_log` does.

        Raises:
            GroupRefused: the id cannot have a log.
            OSError: the log cannot be read.
        """
        group = self._group(group_id)
        with group.lock:
            group.writer.refresh()
            files = group.writer.census.files
        return read_log(files, group_id, plainly=plainly)

    def read_after(self, group_id: str, seq: int) -> Iterator[LogLine]:
        """Yield the lines after number `seq`, as `reader.read_after` does. Errors as in `read`."""
        group = self._group(group_id)
        with group.lock:
            group.writer.refresh()
            files = group.writer.census.files
        return read_after(files, group_id, seq)

    def save_excluded(self, group_id: str, excluded: Excluded) -> None:
        """Record durably what is left out of a group's log, in place of what was recorded before.

        Raises:
            GroupRefused: the id cannot have a log.
            OSError: the disk refused.
        """
        group = self._group(group_id)
        with group.lock:
            save_excluded(group.writer.census.directory, excluded, self._ops)

    def create_mark(self, group_id: str, mark: Mark) -> None:
        """Name a position of a group's log. The directory is made when it is missing.

        Raises:
            MarkExists: the name is taken.
            GroupRefused: the id cannot have a log, or another one differs from it by letter case only.
            OSError: the disk refused.
        """
        group = self._group(group_id)
        with group.lock:
            directory = group_directory(self.root, group_id)
            if not directory.is_dir():
                self._make_directory(group_id, directory)
            create_mark(directory, mark, self._ops)

    def delete_mark(self, group_id: str, name: str) -> None:
        """Take a mark away. Raises NoSuchMark, OSError."""
        group = self._group(group_id)
        with group.lock:
            delete_mark(group_directory(self.root, group_id), name, times.now(), self._ops)

    def marks(self, group_id: str) -> list[Mark]:
        """Return a group's marks by name. Raises OSError."""
        group = self._group(group_id)
        with group.lock:
            return list_marks(group_directory(self.root, group_id))

    def rotate(self) -> tuple[int, int]:
        """Close the current file of every group that was written to; the next append begins a new one.

        Returns:
            How many files were closed, and how many log files there are in all.

        Raises:
            OSError: a log cannot be read.
        """
        closed = total = 0
        for group_id in self.groups():
            group = self._group(group_id)
            with group.lock:
                total += group.look().file_count
                closed += group.writer.rotate()
        return closed, total

    def move_aside(self, target: Path) -> None:
        """Rename the root, with all logs in it, and begin anew with none. Nobody may append meanwhile.

        Raises:
            OSError: the disk refused; the logs are where they were.
        """
        self.close()
        with self._lock:
            if self.root.exists():
                self.root.rename(target)
                fsync_directory(self._ops, self.root.parent)
            self._groups.clear()
            self._open.clear()

    def close(self) -> None:
        """Close all files. What was appended is on disk already."""
        with self._lock:
            groups = list(self._groups.values())
        for group in groups:
            with group.lock:
                group.writer.release()

    def _group(self, group_id: str) -> _Group:
        with self._lock:
            group = self._groups.get(group_id)
            if group is None:
                directory = group_directory(self.root, group_id)
                writer = GroupLog(
                    directory,
                    ops=self._ops,
                    max_events=self._max_events,
                    max_bytes=self._max_bytes,
                    rotated=self._rotated,
                )
                group = self._groups[group_id] = _Group(group_id, writer)
            return group

    def _prepare(self, group_id: str, stream: Stream, begin: Callable[[str], None] | None) -> None:
        directory = group_directory(self.root, group_id)
        try:
            if not stream.exists:
                self._make_directory(group_id, directory)
            generation = stream.generation or mint_identity(directory, self._ops)
            if begin is not None:
                begin(generation)
        except OSError as error:
            raise AppendFailed(f"the directory of group {group_id!r} cannot be prepared: {error}") from error

    def _make_directory(self, group_id: str, directory: Path) -> None:
        # Two ids of one spelling must not pass this check side by side.
        with self._lock:
            other = colliding_group(self.root, group_id)
            if other is not None:
                raise collision(group_id, other)
            make_directory(self._ops, directory)

    def _note_open(self, group_id: str, group: _Group) -> None:
        """Keep the number of open files small: close that of the group that was written to the longest ago."""
        with self._lock:
            self._open.pop(group_id, None)
            self._open[group_id] = group
            oldest = self._open.pop(next(iter(self._open))) if len(self._open) > _MAX_OPEN_FILES else None
        if oldest is not None:
            with oldest.lock:
                oldest.writer.release()


def collision(group_id: str, other: str) -> GroupRefused:
    """Return why a group cannot have a log beside one that is there."""
    return GroupRefused(group_id, f"group {other!r} differs from it by letter case only", other)


def _number(group_id: str, payloads: Sequence[Payload], first: int) -> list[Record]:
    now = times.now()
    return [Record(group_id, seq, now, p.origin, p.operations) for seq, p in enumerate(payloads, first)]


def _encode(index: int, record: Record) -> bytes:
    try:
        line = codec.encode(record)
    except LineError as error:
        raise RecordRefused(index, error.reason) from error
    if len(line) > codec.MAX_LINE_BYTES:
        raise RecordTooLarge(index, len(line), codec.MAX_LINE_BYTES)
    return line
