"""Room on the disk for what follows a write: the views must be able to take in what the log already promised.

A log that takes the last bytes of a disk leaves none for the store and the search indexes, and then nothing can be
read either. So writes are refused a little earlier, while reads go on.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind

RESERVE_BYTES = 32 << 20
"""What has to stay free, besides room for folding the engine's own log into the store."""


@dataclass(frozen=True, slots=True)
class Shortage:
    """A directory on a disk with too little room, in bytes."""

    directory: Path
    free: int
    needed: int


class DiskSpace:
    """Looks at the disks of the store and of the search indexes before each write; a look takes microseconds."""

    def __init__(self, store: Path, search: Path) -> None:
        self._engine_log = store.with_name(f"{store.name}.wal")
        self._directories = (store.parent, search)

    def shortage(self) -> Shortage | None:
        """Return the first directory that is short of room, or None."""
        needed = RESERVE_BYTES + self._size_of_engine_log()
        for directory in self._directories:
            free = _free_bytes(directory)
            if free is not None and free < needed:
                return Shortage(directory, free, needed)
        return None

    def refuse_if_short(self, group_id: str | None = None) -> None:
        """Refuse a write that the views might find no room for.

        Raises:
            OperationFailed: of kind io; nothing was changed.
        """
        short = self.shortage()
        if short is not None:
            raise OperationFailed(
                ErrorKind.IO,
                f"Only {short.free >> 20} MB are left on the disk of {short.directory}, but {short.needed >> 20} MB "
                "have to stay free, so nothing was changed. Make room, then try again; reads go on.",
                **({} if group_id is None else {"group_id": group_id}),
                free_bytes=short.free,
                needed_bytes=short.needed,
            )

    def _size_of_engine_log(self) -> int:
        try:
            return self._engine_log.stat().st_size
        except OSError:
            return 0


def _free_bytes(directory: Path) -> int | None:
    try:
        found = os.statvfs(directory)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize
