"""What the files of the search indexes hold, read from outside to be compared with the rows."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from lcg.search.fts import TABLES
from lcg.search.index_file import SearchIndexError
from lcg.search.protocol import TextKind

Key = tuple[str, str]
"""Kind and uuid."""


@dataclass(frozen=True, slots=True)
class TextContents:
    """Full text: of each entry its group, name key and both columns (None: a part is missing); the positions.

    `strays` are the texts that belong to no entry.
    """

    entries: dict[Key, tuple[str | None, ...]]
    strays: int
    positions: dict[str, int]


@dataclass(frozen=True, slots=True)
class VectorContents:
    """Vectors: of each row that is to have one its group, its text's hash and whether there is one; the positions."""

    owners: dict[Key, tuple[str, bytes, bool]]
    positions: dict[str, int]


def read_text(path: Path) -> TextContents:
    """Read a full-text file; one that is missing is empty.

    Raises:
        SearchIndexError: it cannot be read.
    """
    if not path.exists():
        return TextContents({}, 0, {})
    try:
        with closing(sqlite3.connect(path)) as db:
            entries: dict[Key, tuple[str | None, ...]] = {}
            strays = 0
            for kind, table in TABLES.items():
                entries.update(_entries(db, kind, table))
                query = f"SELECT count(*) FROM {table} WHERE rowid NOT IN (SELECT id FROM entry WHERE kind = ?)"
                strays += db.execute(query, (kind,)).fetchone()[0]
            return TextContents(entries, strays, _positions(db))
    except sqlite3.Error as error:
        raise SearchIndexError(f"{path.name} cannot be read: {error}") from error


def read_vectors(path: Path) -> VectorContents:
    """Read a vector file; one that is missing is empty. Errors as in `read_text`."""
    if not path.exists():
        return VectorContents({}, {})
    query = (
        "SELECT o.kind, o.uuid, g.group_id, o.hash, v.id IS NOT NULL FROM owner o JOIN groups g ON g.id = o.gid "
        "LEFT JOIN vector v ON v.hash = o.hash AND v.space = (SELECT id FROM space WHERE current)"
    )
    try:
        with closing(sqlite3.connect(path)) as db:
            owners = {(kind, uuid): (group, key, bool(there)) for kind, uuid, group, key, there in db.execute(query)}
            return VectorContents(owners, _positions(db))
    except sqlite3.Error as error:
        raise SearchIndexError(f"{path.name} cannot be read: {error}") from error


def _entries(db: sqlite3.Connection, kind: TextKind, table: str) -> dict[Key, tuple[str | None, ...]]:
    query = (
        f"SELECT e.uuid, g.group_id, e.name_key, t.head, t.body, t.gid = 'g' || e.gid FROM entry e "
        f"JOIN groups g ON g.id = e.gid LEFT JOIN {table} t ON t.rowid = e.id WHERE e.kind = ?"
    )
    return {
        (str(kind), uuid): (group, key, head if same_group else None, body)
        for uuid, group, key, head, body, same_group in db.execute(query, (kind,))
    }


def _positions(db: sqlite3.Connection) -> dict[str, int]:
    return dict(db.execute("SELECT group_id, position FROM groups WHERE position IS NOT NULL").fetchall())
