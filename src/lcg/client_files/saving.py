"""Replaces a client's file: at once, with a copy of the old one beside it."""

import os
import secrets
from pathlib import Path
from typing import Final

from lcg.client_files.merging import Unmergeable

_NEW: Final = 0o666
"""Permissions of a new file, as far as the user lets new files have them."""


def read(path: Path) -> bytes | None:
    """Return what a file holds, None when it is not there. Raises OSError."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def save(path: Path, old: bytes | None, new: bytes) -> Path | None:
    """Replace a file that held `old`, and return the copy that was made of it. A link to a file stays a link.

    Raises:
        OSError: the disk refused; the file is as it was.
        Unmergeable: somebody else changed the file meanwhile.
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    backup = None
    if old is not None:
        backup = _kept(path, old)
    draft = path.with_name(f"{path.name}.tmp-{secrets.token_hex(4)}")
    try:
        _written(draft, new, _mode(path))
        if read(path) != old:
            raise Unmergeable("another program changed it at the same moment; try again")
        os.replace(draft, path)
    except BaseException:
        for file in (draft, backup):
            if file is not None:
                file.unlink(missing_ok=True)
        raise
    return backup


def _mode(path: Path) -> int | None:
    """Return the permissions of a file, None when it is not there."""
    try:
        return path.stat().st_mode & 0o777
    except FileNotFoundError:
        return None


def _kept(path: Path, data: bytes) -> Path:
    """Write a copy beside a file, under the first name that is free."""
    number = 1
    while True:
        backup = path.with_name(f"{path.name}.bak" if number == 1 else f"{path.name}.bak{number}")
        try:
            _written(backup, data, _mode(path))
        except FileExistsError:
            number += 1
        else:
            return backup


def _written(path: Path, data: bytes, mode: int | None) -> None:
    """Write a file that is not there yet, whole or not at all."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _NEW if mode is None else mode)
    try:
        with open(descriptor, "wb") as stream:
            if mode is not None:  # from which the system has taken what it takes from new files
                os.fchmod(descriptor, mode)
            stream.write(data)
            stream.flush()
            os.fsync(descriptor)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
