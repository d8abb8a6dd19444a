"""From one flat log to one directory per group: log files that lie directly under the root are split by group.

The lines go, byte for byte and with their numbers, into files of the same names in a hidden directory. Once all of it
is on disk and has been read back, a note says so. From then on the directories are renamed into place and the old files
deleted; up to then the old files count and whatever is in the hidden directory is thrown away. A start that finds the
note goes on from there.
"""

import errno
import hashlib
import logging
import shutil
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from lcg.migrations.line_groups import LineGroups
from lcg.migrations.moving import copy, remove
from lcg.model.names import DEFAULT_GROUP
from lcg.wal.census import Census, stamp_of
from lcg.wal.codec import MAX_LINE_BYTES
from lcg.wal.directory import group_directory
from lcg.wal.errors import GroupRefused
from lcg.wal.fileops import SystemFileOps, fsync_directory, replace_file
from lcg.wal.identity import FILE_NAME as IDENTITY
from lcg.wal.identity import mint_identity, read_identity
from lcg.wal.marks import FOLDER as MARKS

_STAGE = ".splitting"
_READY = "ready.json"
_CACHE = ".wal-bounds.json"
_MAX_OPEN = 64
_OPS = SystemFileOps()
_log = logging.getLogger(__name__)


def split_flat_log(root: Path) -> None:
    """Split what lies directly under the root of the logs. Idle when there is nothing.

    Where a group has a log of its own already, nothing is guessed: everything stays as it is, and an error is logged.

    Raises:
        OSError: the disk refused. Nothing is lost; the next call tries again.
    """
    stage = root / _STAGE
    if (stage / _READY).exists():
        _publish(root, stage)
    remove(stage)
    census = Census(root)
    census.refresh()
    if not census.files:
        return
    _log.warning("splitting the flat log in %s by group", root)
    sources = {file.path.name: file.stamp for file in census.files}
    with closing(_Written(stage)) as written:
        for file in census.files:
            _split_file(file.path, written)
        written.finish()
    groups = sorted(path.name for path in stage.iterdir())
    taken = [name for name in groups if _has_log(root / name)]
    if taken:
        _log.error("%s holds log files beside the log of %s; they are left alone", root, root / taken[0])
        remove(stage)
        return
    for name in groups:
        _identify(root, stage / name, alone=len(groups) == 1)
    fsync_directory(_OPS, stage)
    replace_file(_OPS, stage / _READY, orjson.dumps({"sources": sources}))
    _publish(root, stage)


@dataclass(slots=True)
class _File:
    """A file in the making, and the hash of what went into it."""

    path: Path
    hash: Any
    stream: BinaryIO | None = None


class _Written:
    """The files under the hidden directory, at most so many of them open."""

    def __init__(self, stage: Path) -> None:
        self._stage = stage
        self._groups = LineGroups()
        self._files: dict[tuple[str, str], _File] = {}
        self._open: dict[tuple[str, str], _File] = {}
        stage.mkdir()

    def directories_of(self, line: bytes, before: list[str]) -> list[str]:
        """Return the directories that a line goes to. One that cannot be read goes where the line before it went."""
        groups = self._groups.of(line)
        if groups is None:
            return before
        return list(dict.fromkeys(map(self._directory_of, groups))) or [DEFAULT_GROUP]

    def _directory_of(self, group_id: str) -> str:
        try:
            return group_directory(self._stage, group_id.strip()).name
        except GroupRefused:
            return DEFAULT_GROUP

    def add(self, directory: str, name: str, piece: bytes) -> None:
        """Append to a file."""
        file = self._files.get((directory, name))
        if file is None:
            path = self._stage / directory / name
            path.parent.mkdir(exist_ok=True)
            file = self._files[directory, name] = _File(path, hashlib.blake2b())
        if file.stream is None:
            file.stream = file.path.open("ab")
            self._open[directory, name] = file
            if len(self._open) > _MAX_OPEN:
                self._close(next(iter(self._open)))
        file.stream.write(piece)
        file.hash.update(piece)

    def _close(self, key: tuple[str, str]) -> None:
        file = self._open[key]
        assert file.stream is not None
        file.stream.flush()
        _OPS.fsync(file.stream.fileno())
        file.stream.close()
        file.stream = None
        del self._open[key]

    def finish(self) -> None:
        """Make everything durable and read it back.

        Raises:
            OSError: the disk refused, or holds something else than was written.
        """
        for key in list(self._open):
            self._close(key)
        for file in self._files.values():
            with file.path.open("rb") as stream:
                if hashlib.file_digest(stream, hashlib.blake2b).digest() != file.hash.digest():
                    raise OSError(errno.EIO, "the copy differs from what was copied", str(file.path))

    def close(self) -> None:
        """Give up the files that are open still, after a failure."""
        for file in self._open.values():
            if file.stream is not None:
                with suppress(OSError):
                    file.stream.close()


def _split_file(source: Path, written: _Written) -> None:
    directories = [DEFAULT_GROUP]
    is_start = True
    with source.open("rb") as stream:
        # A line that is longer than any that can be read comes in several pieces.
        while piece := stream.readline(MAX_LINE_BYTES + 1):
            if is_start and not piece.isspace():
                directories = written.directories_of(piece, directories)
            for directory in directories:
                written.add(directory, source.name, piece)
            is_start = piece.endswith(b"\n")


def _identify(root: Path, directory: Path, *, alone: bool) -> None:
    """Give a group its identity and its marks. A log that was one group's stays what it was."""
    if alone and read_identity(root).generation is not None:
        copy(root / IDENTITY, directory / IDENTITY)
    else:
        mint_identity(directory)
    if (root / MARKS).is_dir():
        copy(root / MARKS, directory / MARKS)
    fsync_directory(_OPS, directory)


def _publish(root: Path, stage: Path) -> None:
    sources = orjson.loads((stage / _READY).read_bytes())["sources"]
    for group in sorted(path for path in stage.iterdir() if path.is_dir()):
        target = root / group.name
        if not target.exists():
            group.rename(target)
            continue
        for path in sorted(group.iterdir()):
            # An identity without a log is one of lines that are gone.
            if path.name == IDENTITY or not (target / path.name).exists():
                path.replace(target / path.name)
        fsync_directory(_OPS, target)
    fsync_directory(_OPS, root)
    for name, stamp in sources.items():
        path = root / name
        if path.exists() and stamp_of(path.stat()) == tuple(stamp):
            path.unlink()
        elif path.exists():
            _log.error("%s changed while its lines were split by group; it is left alone", path)
    for leftover in (IDENTITY, _CACHE, MARKS):
        remove(root / leftover)
    fsync_directory(_OPS, root)
    shutil.rmtree(stage)


def _has_log(directory: Path) -> bool:
    census = Census(directory)
    census.refresh()
    return bool(census.files)
