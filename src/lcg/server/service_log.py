"""What a service says that nobody watches: a file in place of stderr, kept small."""

import contextlib
import logging
import os
import threading
import time
from pathlib import Path
from typing import Final

_log = logging.getLogger(__name__)

MOST_BYTES: Final = 5 * 1024 * 1024
GENERATIONS: Final = 3
"""Older files that are kept, beside the one that is written."""

_LOOK_S: Final = 2.0
_TAIL_BYTES: Final = 16 * 1024
_TAIL_LINES: Final = 5
_LINE_CHARACTERS: Final = 400


def open_service_log(path: Path) -> int:
    """Return a descriptor that appends to the log, for this user only; a full log is put aside first.

    Raises:
        OSError: it cannot be had.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size >= MOST_BYTES:
            put_aside(path)
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)


def put_aside(path: Path) -> None:
    """Make `service.log` into `service.log.1`, that into `.2` and so on; the oldest goes."""
    for generation in range(GENERATIONS, 0, -1):
        newer = path if generation == 1 else _older(path, generation - 1)
        with contextlib.suppress(FileNotFoundError):
            newer.replace(_older(path, generation))


def _older(path: Path, generation: int) -> Path:
    return path.with_name(f"{path.name}.{generation}")


def keep_small(path: Path) -> None:
    """Look after the log for the rest of this process, whose stdout and stderr it is.

    The descriptors are exchanged, not a handler of Python's: what native code writes must land in the new file too.
    """

    def watch() -> None:
        while True:
            time.sleep(_LOOK_S)
            try:
                renew_if_due(path)
            except OSError as error:
                # The old file goes on growing; that is better than to say nothing any more.
                _log.warning("the log %s could not be renewed: %s", path, error.strerror)
                return

    threading.Thread(target=watch, name="service-log", daemon=True).start()


def renew_if_due(path: Path, descriptors: tuple[int, ...] = (1, 2)) -> None:
    """Point the descriptors to a new file when theirs is full, or was taken away.

    Raises:
        OSError: there can be no new one.
    """
    with contextlib.suppress(FileNotFoundError):
        found = path.stat()
        if found.st_size < MOST_BYTES and os.path.samestat(found, os.fstat(descriptors[-1])):
            return
    opened = open_service_log(path)
    for descriptor in descriptors:
        os.dup2(opened, descriptor)
    os.close(opened)


def last_lines(path: Path, since: int) -> str:
    """Return what a process said last, in few and short lines: what was written after `since` bytes, no telemetry."""
    try:
        with path.open("rb") as file:
            file.seek(max(since, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = file.read().decode(errors="replace").splitlines()
    except OSError:
        return ""
    said = [line.strip()[:_LINE_CHARACTERS] for line in lines if line.strip() and not line.startswith('{"')]
    return "\n".join(said[-_TAIL_LINES:])
