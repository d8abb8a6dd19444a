"""What the vector index keeps on disk: a cache of vectors by model and text, and which row has which text's vector.

The functions here are the SQL of it, one connection and one transaction at a time; `vectors.py` decides what happens,
and `vector_loading.py` reads all of it.
"""

import logging
import sqlite3
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from lcg.model.names import text_hash
from lcg.runtime.parts import parts
from lcg.search.protocol import Space, Vector, VectorEntry, VectorKind

_log = logging.getLogger(__name__)
_KEYS_AT_ONCE = 500
_MOST_LOOSE_BYTES = 256 * 1024 * 1024
"""Vectors of texts that no row has are kept up to so many bytes: what was deleted often comes again."""
SCHEMA_VERSION = 2
"""Raise it whenever the schema changes: files of another version are made anew."""

SCHEMA = (
    # `former` marks the space that rows had vectors in before the model changed, until all have one again.
    "CREATE TABLE space (id INTEGER PRIMARY KEY, model TEXT NOT NULL, dim INTEGER NOT NULL, "
    "current INTEGER NOT NULL DEFAULT 0, former INTEGER NOT NULL DEFAULT 0, UNIQUE (model, dim))",
    # `used` is the day on which the vector was made or asked for last.
    "CREATE TABLE vector (id INTEGER PRIMARY KEY, space INTEGER NOT NULL, hash BLOB NOT NULL, used INTEGER NOT NULL, "
    "vec BLOB NOT NULL, UNIQUE (space, hash))",
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
class Entered:
    """The current space and its number (0: none yet), and the space that rows had vectors in before, if any."""

    number: int
    space: Space
    former: Space | None


def today() -> int:
    """Return the number of the present day, counted since 1970."""
    return int(time.time() // 86_400)


def enter_space(db: sqlite3.Connection, space: Space) -> Entered:
    """Make a space the current one; an unknown space (dimension 0) stands for the one that is current already.

    When another one was current, no group counts as indexed any more: the texts of rows that the cache cannot serve
    have to come from the log again.
    """
    before = _marked(db, "current")
    if not space.dim:
        number, space = before or (0, space)
        former = _marked(db, "former")
        return Entered(number, space, former[1] if former else None)
    db.execute("INSERT OR IGNORE INTO space (model, dim) VALUES (?, ?)", (space.model, space.dim))
    query = "SELECT id FROM space WHERE model = ? AND dim = ?"
    number = int(db.execute(query, (space.model, space.dim)).fetchone()[0])
    if before is None or before[0] != number:
        if before is not None:
            db.execute("UPDATE groups SET position = NULL")
            if _serves_rows(db, before[0]):
                db.execute("UPDATE space SET former = (id = ?)", (before[0],))
        db.execute("UPDATE space SET current = (id = ?), former = former AND id <> ?", (number, number))
    former = _marked(db, "former")
    return Entered(number, space, former[1] if former else None)


def forget_former(db: sqlite3.Connection) -> None:
    """Note that no row waits for a vector since the model changed."""
    db.execute("UPDATE space SET former = 0")


def cached(
    db: sqlite3.Connection, space: int, dim: int, keys: Iterable[bytes], stale: set[bytes] | None = None
) -> dict[bytes, Vector]:
    """Return the vectors that the cache has, by key; add to `stale` those that were not used today."""
    found: dict[bytes, Vector] = {}
    day = today()
    for part in parts(keys, _KEYS_AT_ONCE):
        query = f"SELECT hash, vec, used FROM vector WHERE space = ? AND hash IN ({', '.join('?' * len(part))})"
        for key, blob, used in db.execute(query, (space, *part)):
            vector = _vector(blob, dim)
            if vector is not None:
                found[key] = vector
                if stale is not None and used != day:
                    stale.add(key)
    return found


def remember(db: sqlite3.Connection, space: int, vectors: Mapping[bytes, Vector]) -> bool:
    """Put vectors into the cache; say whether it had none of them.

    What it has already stays: rows in memory came from it.
    """
    added = db.executemany(
        "INSERT OR IGNORE INTO vector (space, hash, used, vec) VALUES (?, ?, ?, ?)",
        [(space, key, today(), vector.tobytes()) for key, vector in vectors.items()],
    )
    return added.rowcount == len(vectors)


def note_use(db: sqlite3.Connection, space: int, keys: Iterable[bytes]) -> None:
    """Note that vectors were asked for today."""
    db.executemany("UPDATE vector SET used = ? WHERE space = ? AND hash = ?", [(today(), space, key) for key in keys])


def evict(db: sqlite3.Connection, space: int, least_bytes: int) -> None:
    """Forget the vectors of texts that no row has and that were not used longest, while they exceed the bound.

    The bound is `least_bytes` where that is more. When it is exceeded a tenth more goes, so that this happens seldom.
    Vectors of other spaces count as those that no row has.
    """
    most_bytes = max(_MOST_LOOSE_BYTES, least_bytes)
    (file_bytes,) = db.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()
    if file_bytes <= most_bytes:
        return
    loose = "SELECT id, length(vec) FROM vector WHERE space <> ? OR hash NOT IN (SELECT hash FROM owner)"
    sizes: list[tuple[int, int]] = db.execute(f"{loose} ORDER BY used, id", (space,)).fetchall()
    excess = sum(size for _, size in sizes) - most_bytes
    if excess <= 0:
        return
    excess += most_bytes // 10
    gone: list[tuple[int]] = []
    for number, size in sizes:
        if excess <= 0:
            break
        gone.append((number,))
        excess -= size
    db.executemany("DELETE FROM vector WHERE id = ?", gone)
    _log.info("forgetting %d vectors of texts that no row has and that were not used for long", len(gone))


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


def _marked(db: sqlite3.Connection, mark: str) -> tuple[int, Space] | None:
    row = db.execute(f"SELECT id, model, dim FROM space WHERE {mark}").fetchone()
    return None if row is None else (int(row[0]), Space(row[1], row[2]))


def _serves_rows(db: sqlite3.Connection, space: int) -> bool:
    query = "SELECT 1 FROM owner o JOIN vector v ON v.space = ? AND v.hash = o.hash LIMIT 1"
    return db.execute(query, (space,)).fetchone() is not None


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
