"""Writing rows as fresh logs: one directory per group, numbers from 1, several rows a record."""

from dataclasses import dataclass, field
from pathlib import Path

import orjson

from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut
from lcg.wal.fileops import FileOps
from lcg.wal.log import Log, Payload

RECORD_OPERATIONS = 1_000
RECORD_BYTES = 8 << 20
"""Of a record with several rows; a longer row has a record to itself."""

Put = EntityPut | EdgePut | EpisodePut | MentionPut


@dataclass(frozen=True, slots=True)
class DumpedGroup:
    """The log that was made of a group."""

    group_id: str
    max_seq: int
    generation: str
    files: int


@dataclass(slots=True)
class _Record:
    """A record in the making. `size` is about what its line will take, in bytes."""

    operations: list[Put] = field(default_factory=list)
    size: int = 0


class LogDump:
    """Fresh logs under a root that has none yet. `origin` stands in their records."""

    def __init__(self, root: Path, origin: str, ops: FileOps | None = None) -> None:
        self._log = Log(root, ops=ops)
        self._origin = origin
        self._records: dict[str, _Record] = {}

    def put(self, operation: Put) -> None:
        """Add a row to the log of its group. Rows that others refer to come first.

        Raises:
            GroupRefused, RecordRefused, AppendFailed, LogUncertain: as `Log.append`.
        """
        group_id = operation.row.group_id
        record = self._records.setdefault(group_id, _Record())
        size = len(orjson.dumps(operation.row))
        if record.operations and record.size + size > RECORD_BYTES:
            self._write(group_id)
            record = self._records[group_id]
        record.operations.append(operation)
        record.size += size
        if len(record.operations) == RECORD_OPERATIONS:
            self._write(group_id)

    def finish(self) -> list[DumpedGroup]:
        """Write what is left, and return the logs by group id. Errors as in `put`."""
        groups = []
        for group_id in sorted(self._records):
            if self._records[group_id].operations:
                self._write(group_id)
            stream = self._log.stream(group_id)
            assert stream.max_seq is not None and stream.generation is not None
            groups.append(DumpedGroup(group_id, stream.max_seq, stream.generation, stream.file_count))
        return groups

    def close(self) -> None:
        """Close all files."""
        self._log.close()

    def _write(self, group_id: str) -> None:
        operations = tuple(self._records[group_id].operations)
        self._records[group_id] = _Record()
        self._log.append(group_id, [Payload(self._origin, operations)])
