"""Searches and looks at neighbours, as our service answers them and as the bare engines do."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import kuzu
import numpy as np
from numpy.typing import NDArray

from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.search.fts import TABLES
from lcg.search.protocol import TextKind, VectorKind
from lcg.search.text import any_terms
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE

WANTED: Final = 10
_DEPTH: Final = 30
_MENTIONED_BY: Final = "MATCH (p:Episodic)-[:MENTIONS]->(:Entity {uuid: $uuid}) RETURN p.uuid, p.source_description"
_SOURCE: Final = "MATCH (p:Episodic {uuid: $uuid}) RETURN p.uuid, p.source_description"
_NEIGHBOURS: Final = tuple(
    f"MATCH (:Entity {{uuid: $uuid}}){one}(n:RelatesToNode_){one}(o:Entity) RETURN {EDGE.returned}, "
    + ", ".join(f"o.{column.name}" for column in ENTITY.columns)
    for one in ("-[:RELATES_TO]->", "<-[:RELATES_TO]-")
)
_END_OF_EDGE: Final = len(EDGE.columns)


@dataclass(frozen=True, slots=True)
class Kind:
    """A search: our method, where its full text is, which vectors count, and the table of its rows."""

    name: str
    method: str
    text: TextKind
    vectors: tuple[VectorKind, ...]
    table: Any


KINDS: Final = (
    Kind(
        "nodes",
        "knowledge_find_entities",
        TextKind.ENTITY,
        (VectorKind.ENTITY_NAME, VectorKind.ENTITY_SUMMARY),
        ENTITY,
    ),
    Kind("facts", "knowledge_find_relationships", TextKind.EDGE, (VectorKind.EDGE_FACT,), EDGE),
    Kind(
        "passages",
        "knowledge_search_passages",
        TextKind.EPISODE,
        (VectorKind.EPISODE_CONTENT,),
        EPISODE,
    ),
)


class Bare:
    """The bare engines over the files of a workspace that nobody else has open.

    Full text is SQLite's own table, without a bound; vectors are whole matrices in memory; rows come by key from the
    engine, and where they came from by the same engine. The best of every list are taken, unfused.
    """

    def __init__(self, folder: Path) -> None:
        """Open the files, and read the matrices."""
        self._text = sqlite3.connect(folder / ".lcg" / "search" / "text.db", isolation_level=None)
        self._database = kuzu.Database(str(folder / ".lcg" / "db" / "liminis.db"), max_db_size=1 << 34)
        self._connection = kuzu.Connection(self._database)
        self._connection.set_max_threads_for_exec(1)
        self._prepared: dict[str, Any] = {}
        self._embedder = BuiltinEmbedder()
        self._embedder.load()
        with closing(sqlite3.connect(folder / ".lcg" / "search" / "vectors.db")) as vectors:
            self._matrices = {kind: _matrix(vectors, kind) for kind in VectorKind}

    def search(self, kind: Kind, query: str) -> list[Any]:
        """Return rows of the best of every list, with where they came from."""
        table = TABLES[kind.text]
        match = " OR ".join(term.as_match() for term in any_terms(query))
        found = self._text.execute(
            f"SELECT e.uuid FROM (SELECT rowid AS id FROM {table} WHERE {table} MATCH ? ORDER BY rank "
            f"LIMIT {_DEPTH}) m JOIN entry e ON e.id = m.id",
            (match,),
        )
        lists = [[uuid for (uuid,) in found]]
        vector = self._embedder.embed([query])[0]
        for of_vectors in kind.vectors:
            uuids, matrix = self._matrices[of_vectors]
            # One product; with several threads it would wait for them on a machine that does other things too.
            scores = np.einsum("ij,j->i", matrix, vector)
            first = np.argpartition(scores, -_DEPTH)[-_DEPTH:] if len(scores) > _DEPTH else np.arange(len(scores))
            lists.append([uuids[place] for place in first[np.argsort(-scores[first])]])
        best = list(dict.fromkeys(uuid for some in zip(*lists, strict=False) for uuid in some))[:WANTED]
        rows = [row for uuid in best for row in self._rows(kind.table.get, uuid=uuid)]
        return [(kind.table.read(row), self._sources(kind.table, row)) for row in rows]

    def neighbours(self, uuid: str) -> list[Any]:
        """Return the relationships of an entity and the entities at their other ends, with where they came from."""
        found: list[Any] = []
        for statement in _NEIGHBOURS:
            for row in self._rows(statement, uuid=uuid):
                edge, other = row[:_END_OF_EDGE], row[_END_OF_EDGE:]
                found.append((EDGE.read(edge), self._sources(EDGE, edge)))
                found.append((ENTITY.read(other), self._sources(ENTITY, other)))
        return found

    def close(self) -> None:
        """Close the files."""
        self._text.close()
        self._connection.close()
        self._database.close()

    def _sources(self, table: Any, row: Sequence[Any]) -> list[Any]:
        if table is ENTITY:
            return self._rows(_MENTIONED_BY, uuid=row[0])
        if table is EDGE:
            return [source for uuid in EDGE.read(row).episodes for source in self._rows(_SOURCE, uuid=uuid)]
        return []

    def _rows(self, statement: str, **values: Any) -> list[Any]:
        prepared = self._prepared.get(statement)
        if prepared is None:
            prepared = self._prepared[statement] = self._connection.prepare(statement)
        result: Any = self._connection.execute(prepared, values)
        rows = []
        while result.has_next():
            rows.append(result.get_next())
        result.close()
        return rows


def _matrix(vectors: sqlite3.Connection, kind: VectorKind) -> tuple[list[str], NDArray[np.float32]]:
    rows = vectors.execute(
        "SELECT o.uuid, v.vec FROM owner o JOIN vector v ON v.hash = o.hash AND v.space = "
        "(SELECT id FROM space WHERE current) WHERE o.kind = ?",
        (str(kind),),
    ).fetchall()
    blob = b"".join(blob for _, blob in rows)
    return [uuid for uuid, _ in rows], np.frombuffer(blob, dtype=np.float32).reshape(len(rows), -1)
