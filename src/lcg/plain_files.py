"""Reading files that people, or a pull, put in place: never waiting for a pipe, never more than there may be."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

MOST_BYTES = 4 * 1024 * 1024
"""What a file that people keep by hand may have. YAML takes seconds for a megabyte, and what asks for it waits."""


def open_plain(path: Path) -> BinaryIO:
    """Open a regular file, or a link to one, to be read.

    Raises:
        OSError: there is none, or it is something else: a pipe would be waited for, a device never ends.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    mode = os.stat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "it is a directory", str(path))
    raise OSError(errno.EINVAL, "it is no regular file", str(path))


def read_plain(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """Return what a regular file holds.

    Raises:
        OSError: there is none, it is something else, or it has more bytes than that.
    """
    with open_plain(path) as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it has more than {most_bytes:,} bytes", str(path))
    return content
