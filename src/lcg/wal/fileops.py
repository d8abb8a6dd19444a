"""The few calls that change files, in one object, so that a test can make any of them fail."""

import os
import secrets
from pathlib import Path
from typing import Protocol


class FileOps(Protocol):
    """What the log does to open files. Each raises OSError as the system call does."""

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Write some of the data, and return how many bytes."""
        ...

    def fsync(self, fd: int) -> None:
        """Return when the file, or directory, is on disk."""
        ...

    def truncate(self, fd: int, length: int) -> None:
        """Cut the file to a length."""
        ...


class SystemFileOps:
    """The real calls."""

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Write some of the data, and return how many bytes."""
        return os.write(fd, data)

    def fsync(self, fd: int) -> None:
        """Return when the file, or directory, is on disk."""
        os.fsync(fd)

    def truncate(self, fd: int, length: int) -> None:
        """Cut the file to a length."""
        os.ftruncate(fd, length)


def write_all(ops: FileOps, fd: int, data: bytes) -> None:
    """Write everything, however little a single call takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[ops.write(fd, rest) :]


def fsync_directory(ops: FileOps, directory: Path) -> None:
    """Make the entries of a directory durable: files that were made, renamed or removed in it."""
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        ops.fsync(fd)
    finally:
        os.close(fd)


def replace_file(ops: FileOps, path: Path, data: bytes) -> None:
    """Put a file in place at once: after a crash there is the old one or the new one, whole.

    Raises:
        OSError: the disk refused; the old file is as it was (or, if only the last fsync failed, the new one is there).
    """
    draft = path.with_name(f"{path.name}.tmp-{secrets.token_hex(4)}")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        try:
            write_all(ops, fd, data)
            ops.fsync(fd)
        finally:
            os.close(fd)
        os.replace(draft, path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    fsync_directory(ops, path.parent)


def make_directory(ops: FileOps, directory: Path) -> None:
    """Create a directory and its parents, durably. One that exists is fine."""
    missing = [directory, *directory.parents]
    missing = missing[: next((i for i, path in enumerate(missing) if path.is_dir()), len(missing))]
    for path in reversed(missing):
        path.mkdir(exist_ok=True)
        fsync_directory(ops, path.parent)
