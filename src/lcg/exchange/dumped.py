"""Getting the rows of the graph: the service dumps them, and a reader is made of the dump.

So it is the same whether a service runs or not, the rows are those of one moment, and they are held against their
digests before anybody sees them.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from lcg.exchange.graph_reader import GraphReader, open_rows, write_rows
from lcg.exchange.scratch import scratch_folder
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut
from lcg.model.rows import Row
from lcg.wal.log import Log


class Caller(Protocol):
    """What calls a method of the service by its name."""

    def call(self, method: str, params: Mapping[str, Any] | None = None, on_progress: Any = None) -> dict[str, Any]:
        """Return the result of a method."""
        ...


class BrokenDump(Exception):
    """What the service dumped cannot be read; the message says where."""


@contextmanager
def graph_rows(service: Caller, groups: Collection[str] | None, parent: Path) -> Iterator[GraphReader]:
    """Give the rows of these groups (None: of all) as they are now; `parent` is where they may lie meanwhile.

    Raises:
        ClientError: the service did not dump them.
        BrokenDump, OSError, sqlite3.Error: the dump could not be read or kept.
    """
    with scratch_folder(parent) as folder:
        target, rows = folder / "dump", folder / "rows.db"
        params: dict[str, Any] = {"target_dir": str(target)}
        if groups is not None and len(groups) == 1:
            params["group_id"] = next(iter(groups))
        # Of several groups all are dumped, so that their rows are of one moment. A call that asks for progress is
        # never given up as lost.
        service.call("knowledge_dump_wal", params, lambda frame: None)
        write_rows(rows, _rows(target, groups))
        with open_rows(rows) as file:
            yield GraphReader(file)


def _rows(target: Path, groups: Collection[str] | None) -> Iterator[Row]:
    log = Log(target)
    try:
        for group_id in log.groups():
            if groups is not None and group_id not in groups:
                continue
            for line in log.read(group_id):
                if line.record is None:
                    raise BrokenDump(f"{line.file}, line {line.number}: {line.error or 'the line is torn'}")
                for operation in line.record.operations:
                    assert isinstance(operation, EntityPut | EdgePut | EpisodePut | MentionPut)
                    yield operation.row
    finally:
        log.close()
