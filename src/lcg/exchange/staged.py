"""The rows of a file that is imported, checked one by one and kept in a file of their own until all are known.

The command makes it, and the service reads it: so however long the imported file is, neither holds it in memory, and
nothing is written before everything has been looked at.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from lcg.exchange.lines import KINDS, line_of, row_of
from lcg.model.rows import Edge, Entity, Episode, Mention, Row

_KIND_OF: Final[dict[type, int]] = {Entity: 0, Edge: 1, Episode: 2, Mention: 3}
_SCHEMA: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE row (key TEXT PRIMARY KEY, kind INTEGER NOT NULL, grp TEXT NOT NULL, number INTEGER NOT NULL,
                  elsewhere INTEGER NOT NULL, line BLOB NOT NULL);
"""
_INDEX: Final = "CREATE INDEX place ON row (grp, kind, number, key);"


class Duplicate(Exception):
    """A row that was staged before. `number` is the line of the first."""

    def __init__(self, number: int, kind: str) -> None:
        super().__init__(number)
        self.number = number
        self.kind = kind


@dataclass(frozen=True, slots=True)
class StagedRow:
    """A row, the line that it came from, and whether an end of it may be missing (edges)."""

    row: Row
    number: int
    elsewhere: bool = False

    @property
    def key(self) -> str:
        """What it is called among the staged rows."""
        return key_of(self.row)


def key_of(row: Row) -> str:
    """Return what a row is called: its uuid, or both ends of a mention."""
    return f"{row.episode_uuid} {row.entity_uuid}" if isinstance(row, Mention) else row.uuid


class Staged:
    """The staged rows. For one thread at a time; close it.

    Raises:
        sqlite3.Error: from every method, when the disk refuses.
    """

    def __init__(self, path: Path, *, new: bool = False) -> None:
        self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        if new:
            self._file.executescript(_SCHEMA)
            self._file.execute("BEGIN")

    def add(self, staged: StagedRow) -> None:
        """Take in a row.

        Raises:
            Duplicate: there is one of that uuid already.
        """
        row = staged.row
        values = (staged.key, _KIND_OF[type(row)], row.group_id, staged.number, staged.elsewhere, line_of(row))
        try:
            self._file.execute("INSERT INTO row VALUES (?, ?, ?, ?, ?, ?)", values)
        except sqlite3.IntegrityError:
            number, kind = self._file.execute("SELECT number, kind FROM row WHERE key = ?", (staged.key,)).fetchone()
            raise Duplicate(number, KINDS[kind]) from None

    def finish(self) -> None:
        """Make the file ready for its reader."""
        self._file.execute("COMMIT")
        self._file.execute(_INDEX)

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        self._file.close()

    def groups(self) -> list[str]:
        """Return the groups that the rows belong to, sorted."""
        return [group for (group,) in self._file.execute("SELECT DISTINCT grp FROM row ORDER BY grp")]

    def counts(self) -> dict[str, int]:
        """Return how many rows there are of each kind."""
        found = dict(self._file.execute("SELECT kind, count(*) FROM row GROUP BY kind"))
        return {kind: found.get(number, 0) for number, kind in enumerate(KINDS)}

    def rows(self, group_id: str) -> Iterator[StagedRow]:
        """Yield the rows of a group, those first that others refer to."""
        query = "SELECT line, number, elsewhere FROM row WHERE grp = ? ORDER BY kind, number, key"
        for line, number, elsewhere in self._file.execute(query, (group_id,)):
            yield StagedRow(row_of(orjson.loads(line)), number, bool(elsewhere))

    def has(self, uuid: str) -> bool:
        """Say whether a row of that uuid is staged."""
        return self._file.execute("SELECT 1 FROM row WHERE key = ?", (uuid,)).fetchone() is not None

    def group_of(self, uuid: str, kind: str) -> str | None:
        """Return the group of a row of that kind, or None when none is staged."""
        query = "SELECT grp FROM row WHERE key = ? AND kind = ?"
        found = self._file.execute(query, (uuid, KINDS.index(kind))).fetchone()
        return None if found is None else str(found[0])
