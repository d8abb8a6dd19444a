"""A vector index with a low switch-over, beside an exact table that it has to agree with."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from lcg.runtime.groups import ALL_GROUPS
from lcg.search.protocol import VectorEntry, VectorKind
from lcg.search.vector_table import VectorTable
from lcg.search.vectors import INDEX_FOLDER, SqliteVectorIndex
from tests.search.brute_force import NAME

DIM = 8
SWITCH_OVER = 20
LAST_BITS = 2e-6
"""What two ways of computing one float32 product may differ by, once rounded."""
PATIENCE = 30.0
"""Seconds after which a build that does not end fails the test."""

SPREAD = np.random.default_rng(7).normal(size=(400, DIM)).astype(np.float32)
SPREAD /= np.linalg.norm(SPREAD, axis=1, keepdims=True)
QUERIES = SPREAD[300:320]


def entry(number: int, text: int | None = None, group: str = "g", kind: VectorKind = NAME) -> VectorEntry:
    return VectorEntry(kind, f"u{number:03}", group, str(number if text is None else text))


class Opened:
    """An index in a folder, and the rows that it should have, in an exact table."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rows: dict[str, int] = {}
        self.index = self._open()

    def _open(self) -> SqliteVectorIndex:
        index = SqliteVectorIndex(self.folder / "vectors.db", "model", DIM, switch_over=SWITCH_OVER)
        index.learn({str(number): vector for number, vector in enumerate(SPREAD)})
        return index

    def reopen(self, meanwhile: Callable[[], object] = lambda: None) -> None:
        self.index.close()
        meanwhile()
        self.index = self._open()

    def put(self, *entries: VectorEntry) -> None:
        assert self.index.update(entries, [], {}) == []
        self.rows |= {entry.uuid: int(entry.text) for entry in entries}

    def remove(self, *numbers: int) -> None:
        uuids = [entry(number).uuid for number in numbers]
        self.index.update([], [(NAME, uuid) for uuid in uuids], {})
        for uuid in uuids:
            self.rows.pop(uuid, None)

    def nearest(self, count: int) -> list[int]:
        """Return the rows nearest to the first query, as numbers."""
        return [int(hit.uuid[1:]) for hit in self.index.search(NAME, QUERIES[0], ALL_GROUPS, count)]

    def build(self) -> None:
        assert self.index.wait_until_built(PATIENCE)

    def agrees(self) -> bool:
        exact = VectorTable(DIM)
        for uuid, text in self.rows.items():
            exact.put(uuid, SPREAD[text])
        for query in QUERIES:
            for limit in (1, 5, len(self.rows) + 1):
                hits, best = self.index.search(NAME, query, ALL_GROUPS, limit), exact.nearest(query, limit)
                # Not the rows one by one: of two with one text, the last bits may decide which comes first.
                assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in best], abs=LAST_BITS)
                scores = {hit.uuid: hit.score for hit in hits}
                assert len(scores) == len(hits)
                assert scores == pytest.approx(exact.similarities(query, scores), abs=LAST_BITS)
            told = self.index.similarities(NAME, query, self.rows)
            assert told == pytest.approx(exact.similarities(query, self.rows), abs=LAST_BITS)
        return True

    @property
    def files(self) -> set[str]:
        folder = self.folder / INDEX_FOLDER
        return {path.name for path in folder.iterdir()} if folder.exists() else set()

    @property
    def descriptions(self) -> list[dict[str, Any]]:
        return [orjson.loads(path.read_bytes()) for path in (self.folder / INDEX_FOLDER).glob("*.json")]

    @property
    def index_file(self) -> Path:
        (path,) = (self.folder / INDEX_FOLDER).glob("*.bin")
        return path
