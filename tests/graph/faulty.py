"""A workspace in which any step of a write can be made to fail, or the process to die."""

import errno
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lcg.model.operations import Record
from lcg.search.fts import SqliteTextIndex
from lcg.search.index_file import SearchIndexError
from lcg.search.protocol import TextEntry, TextKind, VectorEntry, VectorKind
from lcg.search.vectors import SqliteVectorIndex
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Batch, Position, Store, StoreError
from lcg.wal.errors import AppendFailed
from lcg.wal.fileops import SystemFileOps
from lcg.wal.log import Log
from tests.graph.harness import Workspace

BEFORE_LOG = ("before append", "write", "torn write", "fsync")
"""Steps whose failure is undone: nothing was changed."""
UNDOING = ("truncate", "fsync of the cut")
"""Steps of undoing; the write or its fsync failed before."""
DEATHS_BEFORE = ("before append", "write", "torn write")
"""Steps at which a death leaves nothing of the write."""
DEATHS_AFTER = (
    "after append",
    "before apply",
    "mid-apply",
    "after apply",
    "before text",
    "after text",
    "before vectors",
    "after vectors",
)
"""Steps at which the write has happened already."""
VIEWS = ("before apply", "mid-apply", "after apply", "before text", "after text", "before vectors", "after vectors")
"""Steps after the write has happened."""


@dataclass
class Faults:
    """Which step fails, how often, and after how many times that it goes well; or at which one the process dies.

    A death is a copy of the directory as it is at that moment, which is what the next process finds.
    """

    step: str | None = None
    times: int = 0
    after: int = 0
    dies: bool = False
    directory: Path = Path()
    copies: list[Path] = field(default_factory=list)

    def arm(self, step: str, times: int = 1, *, after: int = 0, dies: bool = False) -> None:
        """Have a step fail, or the process die there."""
        self.step, self.times, self.after, self.dies = step, times, after, dies

    def disarm(self) -> None:
        """Have nothing fail from now on."""
        self.step, self.times = None, 0

    def due(self, step: str) -> bool:
        """Say whether this step fails now; note the state of the files when the process dies instead."""
        if step != self.step or self.times == 0:
            return False
        if self.after:
            self.after -= 1
            return False
        self.times -= 1
        if not self.dies:
            return True
        copy = self.directory.with_name(f"{self.directory.name}-died-{len(self.copies)}")
        shutil.copytree(self.directory, copy)
        self.copies.append(copy)
        return False

    def at(self, step: str, error: Callable[[str], Exception]) -> None:
        """Raise an error if this step fails now."""
        if self.due(step):
            raise error(f"failed on purpose: {step}")


def _disk_error(text: str) -> OSError:
    return OSError(errno.EIO, text)


class _FaultyFiles(SystemFileOps):
    """File calls for the log. The steps of undoing fail only after a write that failed."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._tearing = False
        self._cutting = False

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Write, or fail at once or after half of the data."""
        self._faults.at("write", _disk_error)
        if self._tearing:
            self._tearing = False
            raise _disk_error("the rest of a line")
        half = data[: max(1, len(data) // 2)]
        if self._faults.step in UNDOING and self._faults.times:
            if self._faults.after:
                self._faults.after -= 1
                return super().write(fd, data)
            self._tearing = True
            return super().write(fd, half)
        if self._faults.step == "torn write" and self._faults.dies:
            written = super().write(fd, half)
            self._faults.due("torn write")
            return written
        if self._faults.due("torn write"):
            self._tearing = True
            return super().write(fd, half)
        return super().write(fd, data)

    def fsync(self, fd: int) -> None:
        """Sync, or fail."""
        if self._cutting:
            self._cutting = False
            self._faults.at("fsync of the cut", _disk_error)
        else:
            self._faults.at("fsync", _disk_error)
        super().fsync(fd)

    def truncate(self, fd: int, length: int) -> None:
        """Cut, or fail."""
        self._faults.at("truncate", _disk_error)
        self._cutting = True
        super().truncate(fd, length)


class _FaultyLog(Log):
    faults: Faults

    def append(self, *args: Any, **kwargs: Any) -> list[Record]:
        self.faults.at("before append", AppendFailed)
        records = super().append(*args, **kwargs)
        self.faults.due("after append")
        return records


class _BreakingList(list[Position]):
    """The last part of a batch that a store looks at: an engine that gives up after most statements."""

    def __iter__(self) -> Iterator[Position]:
        raise StoreError("failed on purpose: mid-apply")


def faulty_store(kind: type[Any], faults: Faults, *arguments: Any) -> Store:
    """Return a store whose `apply` can fail before, in and after its transaction."""

    class Faulty(kind):  # type: ignore[misc]
        def apply(self, batch: Batch) -> None:
            faults.at("before apply", StoreError)
            if faults.due("mid-apply"):
                batch.positions = _BreakingList(batch.positions)
            super().apply(batch)
            faults.at("after apply", StoreError)

    made: Store = Faulty(*arguments)
    return made


class _FaultyText(SqliteTextIndex):
    faults: Faults

    def update(
        self, put: Sequence[TextEntry], remove: Sequence[tuple[TextKind, str]], positions: Mapping[str, int]
    ) -> None:
        self.faults.at("before text", SearchIndexError)
        super().update(put, remove, positions)
        self.faults.at("after text", SearchIndexError)


class _FaultyVectors(SqliteVectorIndex):
    faults: Faults

    def update(
        self, put: Sequence[VectorEntry], remove: Sequence[tuple[VectorKind, str]], positions: Mapping[str, int]
    ) -> list[VectorEntry]:
        self.faults.at("before vectors", SearchIndexError)
        missing = super().update(put, remove, positions)
        self.faults.at("after vectors", SearchIndexError)
        return missing


class FaultyWorkspace(Workspace):
    """A workspace whose `faults` say what fails. `make` makes its store, in memory when left out."""

    def __init__(self, directory: Path, make: Callable[[Faults, Path], Store] | None = None) -> None:
        directory.mkdir(exist_ok=True)
        self.faults = Faults(directory=directory)
        maker = make or (lambda faults, _: faulty_store(MemoryStore, faults))
        super().__init__(directory, lambda: maker(self.faults, directory))

    def make_log(self, root: Path) -> Log:
        """Open logs that can fail."""
        log = _FaultyLog(root, ops=_FaultyFiles(self.faults))
        log.faults = self.faults
        return log

    def make_text(self, path: Path) -> SqliteTextIndex:
        """Open a text index that can fail."""
        index = _FaultyText(path)
        index.faults = self.faults
        return index

    def make_vectors(self, path: Path) -> SqliteVectorIndex:
        """Open a vector index that can fail."""
        index = _FaultyVectors(path, self.embedder.model, self.embedder.dim)
        index.faults = self.faults
        return index
