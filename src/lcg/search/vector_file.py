"""What the vector index keeps on disk: a cache of vectors by model and text, and which row has which text's vector.

The functions here are the SQL of it, one connection and one transaction at a time; `vectors.py` decides what happens.
"""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np

from lcg.model.names import text_hash
from lcg.search.protocol import Vector, VectorEntry, VectorKind

_KEYS_AT_ONCE = 500
SCHEMA_VERSION = 1
"""Raise it whenever the schema changes: files of another version are made anew."""

SCHEMA = (
    "CREATE TABLE space (id INTEGER PRIMARY KEY, model TEXT NOT NULL, dim INTEGER NOT NULL, "
    "current INTEGER NOT NULL DEFAULT 0, UNIQUE (model, dim))",
    "CREATE TABLE vector (id INTEGER PRIMARY KEY, space INTEGER NOT NULL, hash BLOB NOT NULL, vec BLOB NOT NULL, "
    "UNIQUE (space, hash))",
    "CREATE TABLE groups (id INTEGER PRIMARY KEY, group_id TEXT NOT NULL UNIQUE, position INTEGER)",
    # `text` is kept only while the text's vector is missing, for whoever makes it up later.
    "CREATE TABLE owner (kind TEXT NOT NULL, uuid TEXT NOT NULL, gid INTEGER NOT NULL, hash BLOB NOT NULL, text TEXT, "
    "PRIMARY KEY (kind, uuid)) WITHOUT ROWID",
    "CREATE INDEX owner_by_group ON owner (gid)",
)


def key_of(text: str) -> bytes:
    """Return what a text is found by in the cache."""
    return bytes.fromhex(text_hash(text))


@dataclass(frozen=True, slots=True)
class Owner:
    """A row that is to have a vector. `vector` is None while the cache lacks it; `text` may be unknown then, too."""

    kind: VectorKind
    uuid: str
    group_id: str
    vector: Vector | None
    text: str | None


def enter_space(db: sqlite3.Connection, model: str, dim: int) -> int:
    """Make (model, dim) the current space and return its number.

    When another one was current, no group counts as indexed any more: the texts of rows that the cache cannot serve
    have to come from the log again.
    """
    db.execute("INSERT OR IGNORE INTO space (model, dim) VALUES (?, ?)", (model, dim))
    number, current = db.execute("SELECT id, current FROM space WHERE model = ? AND dim = ?", (model, dim)).fetchone()
    if not current:
        if db.execute("SELECT 1 FROM space WHERE current").fetchone() is not None:
            db.execute("UPDATE groups SET position = NULL")
        db.execute("UPDATE space SET current = (id = ?)", (number,))
    return int(number)


def owners(db: sqlite3.Connection, space: int, dim: int) -> Iterator[Owner]:
    """Yield all rows, with the vectors that the current space has for them."""
    rows = db.execute(
        "SELECT o.kind, o.uuid, g.group_id, v.vec, o.text FROM owner o JOIN groups g ON g.id = o.gid "
        "LEFT JOIN vector v ON v.space = ? AND v.hash = o.hash",
        (space,),
    )
    kinds = {str(kind): kind for kind in VectorKind}
    for kind, uuid, group_id, blob, text in rows:
        yield Owner(kinds[kind], uuid, group_id, _vector(blob, dim), text)


def cached(db: sqlite3.Connection, space: int, dim: int, keys: Iterable[bytes]) -> dict[bytes, Vector]:
    """Return the vectors that the cache has, by key."""
    found: dict[bytes, Vector] = {}
    ordered = iter(keys)
    while part := list(islice(ordered, _KEYS_AT_ONCE)):
        query = f"SELECT hash, vec FROM vector WHERE space = ? AND hash IN ({', '.join('?' * len(part))})"
        for key, blob in db.execute(query, (space, *part)):
            vector = _vector(blob, dim)
            if vector is not None:
                found[key] = vector
    return found


def remember(db: sqlite3.Connection, space: int, vectors: Mapping[bytes, Vector]) -> None:
    """Put vectors into the cache. What it has already stays: rows in memory came from it."""
    db.executemany(
        "INSERT OR IGNORE INTO vector (space, hash, vec) VALUES (?, ?, ?)",
        [(space, key, vector.tobytes()) for key, vector in vectors.items()],
    )


def put_owners(db: sqlite3.Connection, entries: Iterable[tuple[VectorEntry, bytes]], there: Collection[bytes]) -> None:
    """Record that rows are to have the vector of their text, whose key comes with them; `there` are keys that have one.

    The text is kept for those that have none.
    """
    gids: dict[str, int] = {}
    rows = []
    for entry, key in entries:
        gid = gids.get(entry.group_id)
        if gid is None:
            gid = gids[entry.group_id] = _group_number(db, entry.group_id)
        rows.append((entry.kind, entry.uuid, gid, key, None if key in there else entry.text))
    db.executemany("REPLACE INTO owner (kind, uuid, gid, hash, text) VALUES (?, ?, ?, ?, ?)", rows)


def remove_owners(db: sqlite3.Connection, rows: Iterable[tuple[VectorKind, str]]) -> None:
    """Forget that rows are to have a vector."""
    db.executemany("DELETE FROM owner WHERE kind = ? AND uuid = ?", rows)


def set_position(db: sqlite3.Connection, group_id: str, seq: int) -> None:
    """Record the seq through which a group's log is indexed."""
    db.execute("UPDATE groups SET position = ? WHERE id = ?", (seq, _group_number(db, group_id)))


def positions(db: sqlite3.Connection) -> dict[str, int]:
    """Return the seq through which each group's log is indexed."""
    return dict(db.execute("SELECT group_id, position FROM groups WHERE position IS NOT NULL").fetchall())


def remove_group(db: sqlite3.Connection, group_id: str) -> None:
    """Forget a group's rows and its position."""
    db.execute("DELETE FROM owner WHERE gid = (SELECT id FROM groups WHERE group_id = ?)", (group_id,))
    db.execute("DELETE FROM groups WHERE group_id = ?", (group_id,))


def _group_number(db: sqlite3.Connection, group_id: str) -> int:
    row = db.execute("SELECT id FROM groups WHERE group_id = ?", (group_id,)).fetchone()
    if row is None:
        row = db.execute("INSERT INTO groups (group_id) VALUES (?) RETURNING id", (group_id,)).fetchone()
    return int(row[0])


def _vector(blob: bytes | None, dim: int) -> Vector | None:
    """Read a vector; one of a wrong length counts as missing."""
    if blob is None or len(blob) != 4 * dim:
        return None
    return np.frombuffer(blob, dtype=np.float32)
