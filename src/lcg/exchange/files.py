"""Putting files in place whole: after a crash there is the old one or the new one, and never a half."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

from lcg.wal.fileops import SystemFileOps, fsync_directory

_MOST_NAME_BYTES: Final = 100


@contextmanager
def put(path: Path, *, durable: bool = True) -> Iterator[BinaryIO]:
    """Give what a file is written to; it takes its place at the end of the block, or not at all.

    A link is followed, and a file that is replaced hands on who may read it. One that is not `durable` is whole after
    a crash of the program, but not surely after one of the machine; for files that are many.

    Raises:
        OSError: the disk refused; what was there is as it was.
    """
    path = path.resolve()
    draft = path.with_name(f".{_shortened(path.name)}.{secrets.token_hex(4)}.tmp")
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with open(fd, "wb") as out:
            if path.exists():
                os.fchmod(fd, stat.S_IMODE(path.stat().st_mode))
            yield out
            out.flush()
            if durable:
                os.fsync(fd)
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    if durable:
        fsync_directory(SystemFileOps(), path.parent)


def _shortened(name: str) -> str:
    """Return the beginning of a name: file systems count its bytes, and a draft needs some of them for its end."""
    return os.fsencode(name)[:_MOST_NAME_BYTES].decode("utf-8", "ignore")
