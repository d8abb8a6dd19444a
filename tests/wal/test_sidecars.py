import itertools
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.wal.errors import DamagedFile
from lcg.wal.excluded import Excluded, load_excluded, normalise, save_excluded
from lcg.wal.fileops import make_directory, replace_file
from lcg.wal.identity import Identity, mint_identity, read_identity
from tests.wal.samples import FaultyOps

ranges = st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), max_size=6)


def members(spans: tuple[tuple[int, int], ...] | list[tuple[int, int]]) -> set[int]:
    return {seq for first, last in spans for seq in range(first, last + 1)}


def test_a_minted_identity_is_read_back(tmp_path: Path) -> None:
    assert read_identity(tmp_path) == Identity("unknown")
    generation = mint_identity(tmp_path)
    assert read_identity(tmp_path) == Identity("known", generation)
    assert mint_identity(tmp_path) != generation
    assert [path.name for path in tmp_path.iterdir()] == [".wal-generation.json"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"{}", b'{"generation":7}', b'{"generation":""}', b'{"generation":"  "}', b"\xff",
     b'{"generation":"x"}' + b" " * 70_000],
)  # fmt: skip
def test_an_identity_file_without_a_text_is_damaged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".wal-generation.json").write_bytes(content)
    assert read_identity(tmp_path) == Identity("damaged")


def test_an_identity_that_cannot_be_read_is_not_taken_for_missing(tmp_path: Path) -> None:
    (tmp_path / ".wal-generation.json").mkdir()
    with pytest.raises(OSError, match="directory"):
        read_identity(tmp_path)


def test_a_file_is_replaced_in_the_order_that_survives_a_crash(tmp_path: Path) -> None:
    ops = FaultyOps()
    replace_file(ops, tmp_path / "f", b"new")
    assert ops.calls == ["write", "fsync", "fsync"]


def test_every_directory_that_is_made_is_durable_in_its_parent(tmp_path: Path) -> None:
    ops = FaultyOps()
    make_directory(ops, tmp_path / "a" / "b" / "c")
    assert ops.calls == ["fsync"] * 3
    make_directory(ops, tmp_path / "a" / "b" / "c")
    assert ops.calls == ["fsync"] * 3


@pytest.mark.parametrize("kind", ["fail_writes", "fail_fsyncs"])
def test_a_file_that_could_not_be_replaced_is_as_it_was(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"old")
    ops = FaultyOps()
    setattr(ops, kind, 1)
    with pytest.raises(OSError, match="space"):
        replace_file(ops, path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["f"]


@given(ranges)
def test_normal_ranges_are_sorted_apart_and_cover_the_same(spans: list[tuple[int, int]]) -> None:
    normal = normalise(spans)
    assert members(normal) == members(spans)
    assert all(first <= last for first, last in normal)
    assert all(before[1] + 1 < after[0] for before, after in itertools.pairwise(normal))
    assert normalise(normal) == normal


def test_ranges_that_touch_or_overlap_become_one() -> None:
    assert normalise([(4, 5), (1, 3), (9, 9), (5, 7), (8, 6)]) == ((1, 7), (9, 9))


@given(ranges.map(normalise), st.integers(1, 40), st.integers(1, 40))
def test_leaving_out_and_taking_in_are_set_arithmetic(spans: tuple[tuple[int, int], ...], a: int, b: int) -> None:
    excluded = Excluded("g", spans, ((7, 7),))
    span = set(range(a, b + 1))
    assert members(excluded.leaving_out(a, b).ranges) == members(spans) | span
    assert members(excluded.taking_in(a, b).ranges) == members(spans) - span
    assert excluded.taking_in(1, 40).everything == ((7, 7),)
    assert members(excluded.remainder(a, b)) == span - members(spans) - {7}
    assert excluded.remainder(a, b) == normalise(excluded.remainder(a, b))
    assert {seq for seq in range(1, 41) if excluded.covers(seq)} == members(excluded.everything)
    assert members(excluded.skipping_purge(9, 9).skipped_purges) == {7, 9}


def test_what_is_left_out_is_saved_and_loaded_for_its_generation(tmp_path: Path) -> None:
    assert load_excluded(tmp_path, "g") == Excluded("g")
    excluded = Excluded("g", ((1, 3), (9, 9)), ((5, 5),))
    save_excluded(tmp_path, excluded)
    assert load_excluded(tmp_path, "g") == excluded
    assert load_excluded(tmp_path, "h") == Excluded("h")
    assert load_excluded(tmp_path, None) == Excluded(None)
    save_excluded(tmp_path, Excluded(None, ((2, 2),)))
    assert load_excluded(tmp_path, None) == Excluded(None, ((2, 2),))


@pytest.mark.parametrize(
    "content",
    ["", "[]", "7", "{}", '{"generation":"g"}', '{"generation":"g","ranges":5}', '{"generation":"g","ranges":[[1]]}',
     '{"generation":"g","ranges":[[2,1]]}', '{"generation":"g","ranges":[["a","b"]]}',
     '{"generation":"g","ranges":[7]}',
     '{"generation":"g","ranges":[],"skipped_purges":{}}'],
)  # fmt: skip
def test_a_list_that_makes_no_sense_is_damaged_never_empty(tmp_path: Path, content: str) -> None:
    (tmp_path / ".wal-excluded.json").write_text(content)
    with pytest.raises(DamagedFile):
        load_excluded(tmp_path, "g")
