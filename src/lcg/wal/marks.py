"""Named positions of one group's log, in files beside it: `.checkpoints/<name>/g<N>.create.json` makes a mark.

A `g<N>.delete.json` of the same number takes it away, and the name may be used again with the next number. No file is
ever rewritten: each is made by whoever comes first. Callers hold a lock, so that nobody sees one half written.
The reference implementation keeps its marks in the same way, so its marks are seen here, and ours there.
"""

import logging
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import orjson

from lcg.model.times import Micros
from lcg.plain_files import read_plain
from lcg.wal import fields
from lcg.wal.errors import LineError
from lcg.wal.fileops import FileOps, SystemFileOps, fsync_directory, make_directory, write_all

FOLDER = ".checkpoints"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,200}", re.ASCII)
_FILE = re.compile(r"g(\d{1,18})\.(create|delete)\.json", re.ASCII)
_LAST_MS = 253_402_300_799_999
_log = logging.getLogger(__name__)


class MarkExists(Exception):
    """A mark of that name is there already."""


class NoSuchMark(Exception):
    """There is no mark of that name."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a log: after line `seq`, or (None) before the first line of a log of whatever identity."""

    name: str
    seq: int | None
    generation: str | None
    created_at: Micros


def create_mark(directory: Path, mark: Mark, ops: FileOps | None = None) -> None:
    """Put a mark beside the log in `directory`, which must exist. It is on disk when this returns.

    Raises:
        MarkExists: the name is taken, or somebody else took it at this moment.
        OSError: the disk refused; there is no mark.
    """
    ops = ops or SystemFileOps()
    home = directory / FOLDER / mark.name
    make_directory(ops, home)
    records = _records(home)
    if _current(home, records) is not None:
        raise MarkExists(mark.name)
    number = 1 + max((number for number, _ in records), default=0)
    value: dict[str, object] = {
        "name": mark.name,
        "seq": mark.seq,
        "created_at_ms": mark.created_at // 1000,
        "wal_generation": mark.generation,
    }
    try:
        _write(ops, home / f"g{number}.create.json", value)
    except FileExistsError:
        raise MarkExists(mark.name) from None


def delete_mark(directory: Path, name: str, now: Micros, ops: FileOps | None = None) -> None:
    """Take a mark away, durably.

    Raises:
        NoSuchMark: there is none of that name, or somebody else deleted it at this moment.
        OSError: the disk refused; the mark is still there.
    """
    home = directory / FOLDER / name
    found = _current(home, _records(home))
    if found is None:
        raise NoSuchMark(name)
    value: dict[str, object] = {"name": name, "deleted_at_ms": now // 1000}
    try:
        _write(ops or SystemFileOps(), home / f"g{found[0]}.delete.json", value)
    except FileExistsError:
        raise NoSuchMark(name) from None


def list_marks(directory: Path) -> list[Mark]:
    """Return a log's marks by name. Those that make no sense are passed over and said so.

    Raises:
        OSError: they cannot be read.
    """
    homes = sorted(_homes(directory / FOLDER), key=lambda home: home.name)
    return [found[1] for home in homes if (found := _current(home, _records(home))) is not None]


def _homes(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            yield from (folder / entry.name for entry in entries if _NAME.fullmatch(entry.name) and entry.is_dir())
    except FileNotFoundError:
        return


_Records = set[tuple[int, Literal["create", "delete"]]]


def _records(home: Path) -> _Records:
    """Return which records of a name there are."""
    try:
        names = os.listdir(home)
    except FileNotFoundError:
        return set()
    matches = (_FILE.fullmatch(name) for name in names)
    return {(int(match[1]), "create" if match[2] == "create" else "delete") for match in matches if match}


def _current(home: Path, records: _Records) -> tuple[int, Mark] | None:
    """Return the mark that holds, with its number: the newest one that was not deleted and makes sense."""
    for number in sorted((number for number, verb in records if verb == "create"), reverse=True):
        if (number, "delete") in records:
            continue
        path = home / f"g{number}.create.json"
        try:
            return number, _read(path)
        except LineError as error:
            _log.warning("the mark in %s is passed over: %s", path, error.reason)
    return None


def _read(path: Path) -> Mark:
    raw = fields.parse(read_plain(path))
    seq = fields.optional_number(raw, "seq")
    created_ms = fields.number(raw, "created_at_ms", 0)
    if created_ms > _LAST_MS:
        raise LineError("created_at_ms lies beyond the year 9999")
    # Its directory names a mark: the field could say something else.
    return Mark(path.parent.name, seq, fields.optional_text(raw, "wal_generation"), created_ms * 1000)


def _write(ops: FileOps, path: Path, value: dict[str, object]) -> None:
    """Make a file that is not there yet; one that cannot be written whole is removed again."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        try:
            write_all(ops, fd, orjson.dumps(value) + b"\n")
            ops.fsync(fd)
        finally:
            os.close(fd)
        fsync_directory(ops, path.parent)
    except OSError:
        path.unlink(missing_ok=True)
        raise
