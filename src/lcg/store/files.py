"""The store's files: its own, the engine's, ours beside them, and how they are set aside or put in place."""

import os
import shutil
import time
from collections.abc import Iterable
from pathlib import Path

CORRUPT = "corrupt"
_STAMP = "%Y%m%d-%H%M%S"


class StoreFiles:
    """Where everything that belongs to one store is, relative to its path."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self.engine_log = _beside(store, ".wal")
        """What the engine has committed since its last checkpoint."""
        self.engine_files = (
            self.engine_log,
            # What an engine is about to write at a checkpoint.
            _beside(store, ".shadow"),
            # These Ladybug has during a checkpoint: its log until then, and who makes it.
            _beside(store, ".wal.checkpoint"),
            _beside(store, ".checkpoint.intent.lock"),
            _beside(store, ".checkpoint.apply.lock"),
        )
        """All that an engine keeps beside the store; what of it is left belongs to that store and to no other."""
        self.unfinished = _beside(store, ".unfinished")
        """Marks a new store that is being made: it holds nothing yet that would be worth keeping."""
        self.opening = _beside(store, ".opening")
        """Marks a store that somebody began to read: it may have ended that process."""
        self.sums = _beside(store, ".sums")
        """What the files of store and search indexes held at a clean end (`lcg.server.sums`)."""
        self.streams = _beside(store, ".streams")
        """Which logs the graph follows (`lcg.graph.followed`)."""
        self.clear_note = store.with_name("clearing.json")
        """A clear of the whole graph that began and has not ended (`lcg.services.clearing`)."""

    @property
    def has_store(self) -> bool:
        """Whether there is a store that was once whole."""
        return self.store.exists() and not self.unfinished.exists()

    @property
    def was_killed(self) -> bool:
        """Whether the engine did not come to fold its own log into the store."""
        return any(path.exists() and path.stat().st_size > 0 for path in self.engine_files)

    def newest_backup(self) -> Path | None:
        """Return the newest backup beside the store, or None."""
        backups = [path for path in self.store.parent.glob("*.pre-*-backup") if path.is_file()]
        return max(backups, key=lambda path: (path.stat().st_mtime_ns, path.name), default=None)

    def set_engine_log_aside(self) -> list[str]:
        """Rename what the engine keeps beside the store, and return the new names.

        Raises:
            OSError: the disk refused.
        """
        return _set_aside(self.engine_files)

    def set_store_aside(self, why: str = CORRUPT) -> list[str]:
        """Rename the store and what the engine keeps beside it, and return the new names, which say why.

        Raises:
            OSError: the disk refused.
        """
        # The engine's log first: the store that is left if the second step fails opens at its last checkpoint.
        names = _set_aside((*self.engine_files, self.store), why)
        self.unfinished.unlink(missing_ok=True)
        return names

    def remove_unfinished(self) -> None:
        """Delete a store whose making was cut short."""
        if self.unfinished.exists():
            for leftover in (self.store, *self.engine_files):
                leftover.unlink(missing_ok=True)

    def copy_backup(self, backup: Path) -> Path:
        """Copy a backup beside the store, where it can be tried before it is put in place.

        Raises:
            OSError: the disk refused; nothing is left of the copy.
        """
        copy = _beside(self.store, ".restoring")
        try:
            shutil.copyfile(backup, copy)
            _sync(copy)
        except OSError:
            copy.unlink(missing_ok=True)
            raise
        return copy

    def put_in_place(self, copy: Path) -> None:
        """Make a copy the store; there must be none. Raises OSError."""
        copy.replace(self.store)
        _sync(self.store.parent)


def _set_aside(paths: Iterable[Path], why: str = CORRUPT) -> list[str]:
    """Rename files under one time stamp; nothing that was set aside before is overwritten."""
    there = [path for path in paths if path.exists()]
    moment = time.time()
    while any(_aside(path, why, moment).exists() for path in there):
        moment += 1
    for path in there:
        path.rename(_aside(path, why, moment))
    return [_aside(path, why, moment).name for path in there]


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _aside(path: Path, why: str, moment: float) -> Path:
    return _beside(path, f".{why}-{time.strftime(_STAMP, time.gmtime(moment))}")


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
