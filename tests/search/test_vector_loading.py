"""What a vector file has is in memory after it was read, however many rows share a text, and however they are read."""

import sqlite3
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.runtime.groups import ALL_GROUPS
from lcg.search import vector_loading, vector_table
from lcg.search.protocol import Vector, VectorEntry, VectorKind
from lcg.search.vectors import SqliteVectorIndex

DIM = 8
KINDS = (VectorKind.ENTITY_NAME, VectorKind.EDGE_FACT)
GROUPS = ("a", "b\n", 'c"')

ROWS = st.dictionaries(
    st.tuples(st.sampled_from(KINDS), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=3)),
    st.tuples(st.sampled_from(GROUPS), st.integers(0, 12)),
    max_size=40,
)
"""By kind and uuid, a group and a text."""


def vector_of(text: int) -> Vector:
    raw = np.random.default_rng(text).standard_normal(DIM).astype(np.float32)
    return raw / np.linalg.norm(raw)


def shown(index: SqliteVectorIndex) -> dict[tuple[VectorKind, str], float]:
    query = vector_of(1_000)
    return {(kind, hit.uuid): hit.score for kind in KINDS for hit in index.search(kind, query, ALL_GROUPS, 1_000)}


def opened(path: Path) -> SqliteVectorIndex:
    return SqliteVectorIndex(path, "model", DIM)


@settings(max_examples=40, deadline=None)
@given(rows=ROWS, learned=st.sets(st.integers(0, 15)), at_once=st.integers(1, 20))
def test_an_index_that_was_opened_again_has_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory,
    rows: dict[tuple[VectorKind, str], tuple[str, int]],
    learned: set[int],
    at_once: int,
) -> None:
    path = tmp_path_factory.mktemp("index") / "vectors.db"
    entries = [VectorEntry(kind, uuid, group, f"text {text}") for (kind, uuid), (group, text) in rows.items()]
    with patch.object(vector_loading, "_VECTORS_AT_ONCE", at_once), patch.object(vector_table, "_FEW", 8):
        index = opened(path)
        index.learn({f"text {text}": vector_of(text) for text in learned})
        index.update(entries, (), {"a": 1})
        before, missing = shown(index), {(e.kind, e.uuid, e.group_id, e.text) for e in index.missing_entries()}
        index.close()
        again = opened(path)
        assert shown(again) == before
        assert before.keys() == {row for row, (_, text) in rows.items() if text in learned}
        assert {(e.kind, e.uuid, e.group_id, e.text) for e in again.missing_entries()} == missing
        for (kind, uuid), (_, text) in rows.items():
            found = again.similarities(kind, vector_of(text), [uuid])
            assert found == ({uuid: 1.0} if text in learned else {})
        again.update((), list(rows), {})
        assert shown(again) == {} and again.missing() == 0, "what was read many at a time can be removed one by one"
        again.close()


def test_a_vector_of_a_wrong_length_counts_as_missing(tmp_path: Path) -> None:
    path = tmp_path / "vectors.db"
    index = opened(path)
    index.learn({"short": vector_of(1), "long": vector_of(2), "whole": vector_of(3)})
    entries = [VectorEntry(KINDS[0], uuid, "a", uuid) for uuid in ("short", "long", "whole")]
    index.update(entries, (), {"a": 1})
    index.close()
    with sqlite3.connect(path) as db:
        sizes = [number for (number,) in db.execute("SELECT id FROM vector ORDER BY id")]
        db.execute("UPDATE vector SET vec = substr(vec, 1, 28) WHERE id = ?", (sizes[0],))
        db.execute("UPDATE vector SET vec = CAST(vec || vec AS BLOB) WHERE id = ?", (sizes[1],))
    db.close()
    again = opened(path)
    assert [uuid for _, uuid in shown(again)] == ["whole"]
    assert again.missing() == 2
    again.close()


def test_rows_added_where_others_were_removed_are_found_by_their_own_vectors() -> None:
    with patch.multiple(vector_table, _FEW=16, _ROUNDED_AT_ONCE=4):
        table = vector_table.VectorTable(DIM)
        for number in range(40):
            table.put(str(number), vector_of(number))
        for number in range(20, 40):
            table.remove(str(number))
        table.extend([f"new {n}" for n in range(20)], np.array([vector_of(100 + n) for n in range(20)]))
        for n in range(20):
            assert [hit.uuid for hit in table.nearest(vector_of(100 + n), 1)] == [f"new {n}"]
