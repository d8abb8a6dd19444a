"""Exact search of large tables goes over a rough copy first, and finds what a search without it finds."""

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.search import matrices, vector_table
from lcg.search.coarse import Coarse
from lcg.search.matrices import Matrices
from lcg.search.protocol import Hit, Vector
from lcg.search.vector_table import VectorTable, cosines_of, products

DIM = 24


def unit(raw: Vector) -> Vector:
    return raw / np.linalg.norm(raw)


def made(seed: int) -> Vector:
    """Return a vector, one of a kind that rounding treats badly now and then: few or very unequal numbers."""
    rng = np.random.default_rng(seed)
    raw = rng.standard_normal(DIM).astype(np.float32)
    if seed % 5 == 0:
        raw = np.where(rng.random(DIM) < 0.9, np.float32(0), raw)
    if seed % 7 == 0:
        raw = raw**3
    raw[seed % DIM] += np.float32(0.01)
    return unit(raw)


def scanned(rows: dict[str, Vector], query: Vector, limit: int) -> list[Hit]:
    scores = cosines_of(products(np.array(list(rows.values()), dtype=np.float32).reshape(-1, DIM), query))
    hits = [Hit(uuid, score) for uuid, score in zip(rows, scores, strict=True)]
    return sorted(hits, key=lambda hit: (-hit.score, hit.uuid))[:limit]


CHANGES = st.lists(st.tuples(st.integers(0, 150), st.none() | st.integers(0, 90)), min_size=50, max_size=300)
"""Rows that get a vector, of which many are equal, or are removed."""


@settings(max_examples=60, deadline=None)
@given(changes=CHANGES, asked=st.integers(0, 120), limit=st.integers(1, 40), at_once=st.sampled_from((3, 40)))
def test_a_table_with_a_rough_copy_finds_what_a_scan_finds(
    changes: list[tuple[int, int | None]], asked: int, limit: int, at_once: int
) -> None:
    rows: dict[str, Vector] = {}
    with patch.multiple(vector_table, _FEW=32, _ROUNDED_AT_ONCE=at_once):
        table = VectorTable(DIM)
        for number, seed in changes:
            if seed is None:
                table.remove(str(number))
                rows.pop(str(number), None)
            else:
                table.put(str(number), made(seed))
                rows[str(number)] = made(seed)
        assert table.nearest(made(asked), limit) == scanned(rows, made(asked), limit)


def test_a_query_without_direction_finds_all_rows_alike() -> None:
    with patch.multiple(vector_table, _FEW=8, _ROUNDED_AT_ONCE=4):
        table = VectorTable(DIM)
        for number in range(40):
            table.put(f"{number:02}", made(number))
        assert table.nearest(np.zeros(DIM, dtype=np.float32), 2) == [Hit("00", 0.0), Hit("01", 0.0)]


def test_the_rough_copy_leaves_few_rows_possible_and_all_that_it_does_not_know() -> None:
    rows = np.array([made(seed) for seed in range(1, 2_000) if seed % 5 and seed % 7])
    coarse = Coarse(len(rows), DIM)
    coarse.round(np.arange(len(rows)), rows)
    coarse.forget(3)
    possible = coarse.possible(rows[100], len(rows), 10)
    assert possible is not None
    best = np.argsort(-products(rows, rows[100]))[:10]
    assert {3, *best.tolist()} <= set(possible.tolist())
    assert len(possible) < len(rows) // 10


def test_a_large_array_has_a_file_without_a_name_and_a_small_one_is_in_memory(tmp_path: Path) -> None:
    rooms = Matrices(tmp_path)
    rows = matrices.LARGE_BYTES // (4 * DIM) + 1
    large, small = rooms.empty(rows, DIM), rooms.empty(10, DIM)
    large[rows - 1] = 1.0
    large[0] = 2.0
    assert large.shape == (rows, DIM) and small.shape == (10, DIM)
    assert (float(large[rows - 1].sum()), float(large[0].sum())) == (DIM, 2 * DIM)
    assert not large.flags.owndata and small.base is None
    assert list(tmp_path.iterdir()) == [], "nobody else sees the file"


def test_a_large_array_is_in_memory_where_no_file_can_be_made(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    with caplog.at_level("INFO"):
        large = Matrices(tmp_path / "file").empty(matrices.LARGE_BYTES // (4 * DIM) + 1, DIM)
    large[-1] = 1.0
    assert "in memory instead of a file" in caplog.text


def test_a_table_keeps_its_rows_when_they_move_to_a_file_and_back(tmp_path: Path) -> None:
    with patch.object(matrices, "LARGE_BYTES", 4 * DIM * 64):
        table = VectorTable(DIM, Matrices(tmp_path))
        for number in range(100):
            table.put(str(number), made(number))
        for number in range(20, 100):
            table.remove(str(number))
    rows = {str(number): made(number) for number in range(20)}
    assert table.nearest(made(3), 50) == scanned(rows, made(3), 50)
