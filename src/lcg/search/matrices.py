"""Where the arrays of vectors are: small ones in memory, large ones in files that the system may put aside.

Such a file has no name, so it is gone with its array, or with the process however that ends.
"""

import logging
import mmap
import os
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_log = logging.getLogger(__name__)

LARGE_BYTES = 8 << 20
"""From here on an array has a file: each costs a file descriptor as long as it is there."""


class Matrices:
    """Makes arrays of single-precision rows. Safe from any thread."""

    def __init__(self, folder: Path | None = None) -> None:
        """Take the folder for the files of large arrays; without one all are in memory."""
        self._folder = folder

    def empty(self, rows: int, dim: int) -> NDArray[np.float32]:
        """Return an array of that many rows, whatever is in them."""
        size = rows * dim * np.dtype(np.float32).itemsize
        if self._folder is not None and size >= LARGE_BYTES and hasattr(os, "posix_fallocate"):
            try:
                return np.frombuffer(_mapped(self._folder, size), dtype=np.float32).reshape(rows, dim)
            except OSError as error:
                _log.info("%d MB of vectors are in memory instead of a file: %s", size >> 20, error)
        return np.empty((rows, dim), dtype=np.float32)


def _mapped(folder: Path, size: int) -> mmap.mmap:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as file:
        # All of it now: a disk that is full when a page is written would end the process.
        os.posix_fallocate(file.fileno(), 0, size)
        return mmap.mmap(file.fileno(), size)
