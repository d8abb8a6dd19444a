"""Reading all rows of a vector file with their vectors, thousands at a time.

The file is read by a few statements that each put very much together, so that neither Python nor its lock has to do
with single rows: it takes a quarter of the time, and whoever opens the store meanwhile is not held up.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import orjson
from numpy.typing import NDArray

from lcg.search.protocol import VectorKind

_VECTORS_AT_ONCE = 2_048
_KEY_BYTES = 16

# Bytes are joined as text, and are bytes again, as they are.
_OWNERS = (
    "SELECT kind, json_group_array(uuid), json_group_array(gid), CAST(group_concat(hash, '') AS BLOB) FROM owner "
    f"WHERE length(hash) = {_KEY_BYTES} AND +gid IN (SELECT id FROM groups) GROUP BY kind"
)
# A vector of a wrong length counts as missing.
_VECTORS = (
    "SELECT max(id), CAST(group_concat(hash, '') AS BLOB), CAST(group_concat(vec, '') AS BLOB) "
    "FROM (SELECT id, hash, vec FROM vector WHERE id > ? AND +space = ? AND typeof(vec) = 'blob' AND length(vec) = ? "
    f"AND length(hash) = {_KEY_BYTES} ORDER BY id LIMIT ?)"
)

Table = tuple[VectorKind, str]
"""A kind and a group."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of one table, and their vectors side by side, shape (rows, dim)."""

    table: Table
    uuids: list[str]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Lacking:
    """A row that is to have a vector which the cache lacks; its text may be unknown."""

    kind: VectorKind
    uuid: str
    group_id: str
    text: str | None


class StoredRows:
    """All rows of the file. Each has a number, by which the arrays here are ordered."""

    def __init__(self, db: sqlite3.Connection) -> None:
        """Read which rows there are, without their vectors."""
        self._db = db
        self._uuids: list[str] = []
        self._tables: list[Table] = []
        groups = dict(db.execute("SELECT id, group_id FROM groups").fetchall())
        table_of: list[NDArray[np.intp]] = []
        keys: list[bytes] = []
        for kind, uuids, gids, hashes in db.execute(_OWNERS):
            numbers, places = np.unique(np.array(orjson.loads(gids), dtype=np.int64), return_inverse=True)
            table_of.append(places + len(self._tables))
            self._tables += [(VectorKind(kind), groups[number]) for number in numbers.tolist()]
            self._uuids += orjson.loads(uuids)
            keys += _keys(hashes)
        self._table_of = np.concatenate(table_of) if table_of else np.empty(0, dtype=np.intp)
        self._found = np.zeros(len(keys), dtype=np.bool_)
        self._last = dict(zip(keys, range(len(keys)), strict=True))
        """By the key of a text, the last row that has it; `_before` leads to the others."""
        self._before = np.full(len(keys), -1, dtype=np.intp)
        self._link(np.array([self._last[key] for key in keys], dtype=np.intp))

    def _link(self, last: NDArray[np.intp]) -> None:
        """Let each row lead to the row of the same text before it; `last` has the last one of that text."""
        latest: dict[int, int] = {}
        for row in np.flatnonzero(last != np.arange(len(last))).tolist():
            end = int(last[row])
            self._before[row] = latest.get(end, -1)
            self._before[end] = latest[end] = row

    def sizes(self) -> dict[Table, int]:
        """Return how many rows each table has, those included that lack their vector."""
        counts = np.bincount(self._table_of, minlength=len(self._tables))
        return dict(zip(self._tables, counts.tolist(), strict=True))

    def with_vectors(self, space: int, dim: int) -> Iterator[Block]:
        """Yield the rows that the space has a vector for."""
        if not dim:
            return
        last: int | None = -1
        while last is not None:
            last, keys, joined = self._db.execute(_VECTORS, (last, space, 4 * dim, _VECTORS_AT_ONCE)).fetchone()
            if joined is not None:
                vectors = np.frombuffer(joined, dtype=np.float32).reshape(-1, dim)
                yield from self._blocks([self._last.get(key, -1) for key in _keys(keys)], vectors)

    def lacking(self) -> Iterator[Lacking]:
        """Yield the rows that `with_vectors`, when it was through, had no vector for."""
        texts: dict[tuple[str, str], str] = {}
        numbers = np.flatnonzero(~self._found).tolist()
        if numbers:
            query = "SELECT kind, uuid, text FROM owner WHERE text IS NOT NULL"
            texts = {(kind, uuid): text for kind, uuid, text in self._db.execute(query)}
        for number in numbers:
            kind, group_id = self._tables[self._table_of[number]]
            uuid = self._uuids[number]
            yield Lacking(kind, uuid, group_id, texts.get((kind, uuid)))

    def _blocks(self, last: list[int], vectors: NDArray[np.float32]) -> Iterator[Block]:
        """Yield the rows that have these vectors, of which the last rows are given, by table."""
        rows, places = np.array(last, dtype=np.intp), np.arange(len(last))
        while True:
            there = rows >= 0
            rows, places = rows[there], places[there]
            if not len(rows):
                return
            self._found[rows] = True
            tables = self._table_of[rows]
            order = np.argsort(tables, kind="stable")
            for part in np.split(order, np.flatnonzero(np.diff(tables[order])) + 1):
                uuids = [self._uuids[row] for row in rows[part].tolist()]
                yield Block(self._tables[tables[part[0]]], uuids, vectors[places[part]])
            rows = self._before[rows]


def _keys(joined: bytes) -> list[bytes]:
    return [joined[start : start + _KEY_BYTES] for start in range(0, len(joined), _KEY_BYTES)]
