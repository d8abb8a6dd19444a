"""The vector index: nearest rows, the cache of vectors, and what is missing."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from lcg.runtime.groups import ALL_GROUPS, GroupFilter
from lcg.search import vectors
from lcg.search.index_file import SearchIndexError, SearchIndexReset
from lcg.search.protocol import Space, Vector, VectorKind
from lcg.search.vectors import SqliteVectorIndex
from tests.search.brute_force import DIM, NAME, AgainstBruteForce, entry, vector

FACT = VectorKind.EDGE_FACT


EAST, NORTH, UP = vector(1, 0, 0, 0), vector(0, 1, 0, 0), vector(0, 0, 1, 0)
NORTH_EAST = vector(1, 1, 0, 0)
LEARNED = {"east": EAST, "north": NORTH, "up": UP, "north-east": NORTH_EAST}


@pytest.fixture
def index(reopen: Callable[..., SqliteVectorIndex]) -> SqliteVectorIndex:
    index = reopen()
    index.learn(LEARNED)
    return index


def found(
    index: SqliteVectorIndex,
    query: Vector = EAST,
    groups: GroupFilter = ALL_GROUPS,
    limit: int = 50,
    kind: VectorKind = NAME,
) -> list[str]:
    return [hit.uuid for hit in index.search(kind, query, groups, limit)]


def test_the_nearest_rows_come_first_with_their_cosine(index: SqliteVectorIndex) -> None:
    index.update([entry("n", "north"), entry("e", "east"), entry("ne", "north-east")], [], {})
    hits = index.search(NAME, EAST, ALL_GROUPS, 2)
    assert [(hit.uuid, hit.score) for hit in hits] == [("e", 1.0), ("ne", pytest.approx(0.7071, abs=1e-4))]
    assert found(index, limit=0) == []
    assert found(index, limit=100) == ["e", "ne", "n"]


def test_rows_that_tie_come_by_uuid_also_at_the_cut(index: SqliteVectorIndex) -> None:
    index.update([entry(uuid, "east", group) for uuid, group in zip("fadceb", "ghghgh", strict=True)], [], {})
    assert found(index) == list("abcdef")
    assert found(index, limit=2) == ["a", "b"]
    assert found(index, groups=GroupFilter(("g",)), limit=2) == ["d", "e"]


def test_groups_are_filtered_before_the_cut(index: SqliteVectorIndex) -> None:
    index.update([entry(f"b{n}", "east", "big") for n in range(20)] + [entry("s", "north", "small")], [], {})
    assert found(index, groups=GroupFilter(("small",)), limit=1) == ["s"]
    assert found(index, groups=GroupFilter(("small", "unheard of", "small"))) == ["s"]
    assert found(index, groups=GroupFilter(())) == []


def test_kinds_do_not_mix(index: SqliteVectorIndex) -> None:
    index.update([entry("x", "east"), entry("x", "north", kind=FACT), entry("y", "east", kind=FACT)], [], {})
    assert (found(index), found(index, kind=FACT)) == (["x"], ["y", "x"])
    index.update([], [(NAME, "x")], {})
    assert (found(index), found(index, kind=FACT)) == ([], ["y", "x"])


def test_similarities_are_told_of_rows_that_have_a_vector(index: SqliteVectorIndex) -> None:
    index.update([entry("e", "east"), entry("n", "north", "other"), entry("m", "unknown text")], [], {})
    assert index.similarities(NAME, EAST, ["e", "n", "m", "unheard of"]) == {"e": 1.0, "n": 0.0}
    assert index.similarities(NAME, EAST, []) == {}


def test_a_row_put_again_has_the_vector_of_its_new_text_only(index: SqliteVectorIndex) -> None:
    index.update([entry("x", "east")], [], {})
    index.update([entry("x", "north"), entry("x", "up")], [], {})
    assert index.similarities(NAME, UP, ["x"]) == {"x": 1.0}
    assert found(index) == ["x"]


def test_a_row_can_move_to_another_group(index: SqliteVectorIndex) -> None:
    index.update([entry("x", "east", "a")], [], {})
    index.update([entry("x", "east", "b")], [], {})
    assert found(index, groups=GroupFilter(("a",))) == []
    assert found(index) == ["x"]


def test_a_text_without_vector_is_reported_until_it_is_learned_and_put_again(
    index: SqliteVectorIndex, reopen: Callable[..., SqliteVectorIndex]
) -> None:
    lacking = entry("x", "south")
    index.update([entry("x", "east")], [], {})
    assert index.update([lacking, entry("y", "north")], [], {}) == [lacking]
    assert (index.missing(), index.missing_entries(), found(index)) == (1, [lacking], ["y"])
    index = reopen()
    assert (index.missing(), index.missing_entries()) == (1, [lacking])
    index.learn({"south": -NORTH})
    assert index.update(index.missing_entries(), [], {}) == []
    assert (index.missing(), index.missing_entries(), found(index, -NORTH)) == (0, [], ["x", "y"])


def test_a_missing_row_that_goes_is_missing_no_more(index: SqliteVectorIndex) -> None:
    index.update([entry("x", "?"), entry("y", "?", "h"), entry("z", "?")], [], {})
    index.update([entry("z", "east")], [(NAME, "x")], {})
    index.clear_group("h")
    assert index.missing() == 0


def test_what_was_learned_is_known_before_and_after_it_is_saved(
    index: SqliteVectorIndex, reopen: Callable[..., SqliteVectorIndex]
) -> None:
    assert index.known(["east", "west"]).keys() == {"east"}
    index = reopen()
    known = index.known(["east", "up", "west"])
    assert known.keys() == {"east", "up"}
    assert np.array_equal(known["east"], EAST)


def test_many_learned_vectors_are_saved_without_an_update(
    index: SqliteVectorIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "_MOST_UNSAVED", 3)
    index.learn({"a": EAST, "b": NORTH})
    beside = SqliteVectorIndex(tmp_path / "vectors.sqlite", "model", DIM)
    assert beside.known(["east", "b"]).keys() == {"east", "b"}
    beside.close()


@pytest.mark.parametrize("wrong", [np.ones(3, np.float32), np.array([1, 0, 0, np.nan], np.float32), np.ones((1, DIM))])
def test_a_vector_that_is_not_of_the_space_is_refused(index: SqliteVectorIndex, wrong: Vector) -> None:
    with pytest.raises(ValueError, match="expected 4 finite numbers"):
        index.learn({"x": wrong})
    with pytest.raises(ValueError, match="expected 4 finite numbers"):
        index.search(NAME, wrong, ALL_GROUPS, 1)
    assert index.known(["x"]) == {}


def test_rows_and_positions_survive_a_reopening(
    index: SqliteVectorIndex, reopen: Callable[..., SqliteVectorIndex]
) -> None:
    index.update([entry("e", "east"), entry("n", "north", "h")], [], {"g": 4, "h": 2})
    index = reopen()
    assert index.reset_reason is None
    assert (found(index), index.positions()) == (["e", "n"], {"g": 4, "h": 2})


def test_clearing_a_group_forgets_its_rows_and_position_but_not_the_cache(
    index: SqliteVectorIndex, reopen: Callable[..., SqliteVectorIndex]
) -> None:
    index.update([entry("e", "east"), entry("n", "north", "h"), entry("f", "up", kind=FACT)], [], {"g": 4, "h": 2})
    index.clear_group("g")
    index.clear_group("unheard of")
    for _ in range(2):
        assert (found(index), found(index, kind=FACT), index.positions()) == (["n"], [], {"h": 2})
        assert index.known(["east"]).keys() == {"east"}
        index = reopen()


def test_another_model_sees_no_vector_of_the_first_and_asks_for_all_rows_again(
    index: SqliteVectorIndex, reopen: Callable[..., SqliteVectorIndex]
) -> None:
    index.update([entry("e", "east"), entry("n", "north")], [], {"g": 4})
    other = reopen("another model", 2)
    assert (other.missing(), other.missing_entries(), other.positions()) == (2, [], {})
    assert found(other, np.array([1, 0], np.float32)) == []
    assert other.known(["east"]) == {}
    other.learn({"east": np.array([1, 0], np.float32)})
    assert other.update([entry("e", "east"), entry("n", "north")], [], {"g": 4}) == [entry("n", "north")]
    assert found(other, np.array([1, 0], np.float32)) == ["e"]
    other = reopen("another model", 2)
    assert (other.missing_entries(), other.positions()) == ([entry("n", "north")], {"g": 4})
    back = reopen()
    assert (found(back), back.missing(), back.positions()) == (["e", "n"], 0, {})


def test_going_over_to_another_model_in_the_open_is_like_opening_with_it(index: SqliteVectorIndex) -> None:
    index.update([entry("e", "east"), entry("n", "north")], [], {"g": 4})
    other = Space("another model", 2)
    index.enter(other)
    assert (index.space, index.missing(), index.positions(), index.known(["east"])) == (other, 2, {}, {})
    index.learn({"east": np.array([0, 1], np.float32)})
    assert index.update([entry("e", "east")], [], {}) == []
    assert found(index, np.array([0, 1], np.float32)) == ["e"]
    with pytest.raises(ValueError, match="expected 2 finite numbers"):
        index.search(NAME, EAST, ALL_GROUPS, 1)
    index.enter(Space("model", DIM))
    assert (found(index), index.missing()) == (["e", "n"], 0)


def test_the_model_of_before_is_told_until_every_row_has_a_vector_again(
    index: SqliteVectorIndex, reopen: Callable[..., SqliteVectorIndex]
) -> None:
    east, rows = np.array([1, 0], np.float32), [entry("e", "east"), entry("n", "north")]
    index.update(rows, [], {"g": 4})
    assert index.former is None
    for _ in range(2):
        index = reopen("another model", 2)
        assert index.former == Space("model", DIM)
        index.learn({"east": east})
        index.update(rows, [], {"g": 4})
        assert index.former == Space("model", DIM)
    index.learn({"north": -east})
    index.update(rows, [], {"g": 4})
    assert index.former is None
    index = reopen("another model", 2)
    assert (index.former, index.missing()) == (None, 0)
    index.update([entry("s", "south")], [], {"g": 5})
    assert index.former is None, "a row without a vector alone is no change of the model"


def test_going_back_to_a_model_whose_vectors_are_all_kept_is_no_change(
    index: SqliteVectorIndex, reopen: Callable[..., SqliteVectorIndex]
) -> None:
    index.update([entry("e", "east")], [], {"g": 4})
    assert reopen("another model", 2).former == Space("model", DIM)
    back = reopen()
    assert (back.former, back.missing(), found(back)) == (None, 0, ["e"])


def test_a_model_without_rows_leaves_no_trace(
    index: SqliteVectorIndex, reopen: Callable[..., SqliteVectorIndex]
) -> None:
    assert reopen("another model", 2).former is None


def test_while_the_model_is_unknown_the_file_keeps_its_own(
    index: SqliteVectorIndex, reopen: Callable[..., SqliteVectorIndex]
) -> None:
    index.update([entry("e", "east")], [], {"g": 4})
    index = reopen("?", 0)
    assert (index.space, index.former, index.positions()) == (Space("model", DIM), None, {"g": 4})
    index.enter(Space("model", DIM))
    assert (found(index), index.positions()) == (["e"], {"g": 4})


def test_an_empty_index_of_an_unknown_model_takes_rows_and_gives_them_vectors_once_it_is_known(
    reopen: Callable[..., SqliteVectorIndex],
) -> None:
    index = reopen("?", 0)
    assert index.update([entry("e", "east")], [], {"g": 1}) == [entry("e", "east")]
    assert (index.space, index.missing(), index.known(["east"])) == (Space("?", 0), 1, {})
    index.enter(Space("model", DIM))
    assert (index.former, index.positions(), index.missing_entries()) == (None, {"g": 1}, [entry("e", "east")])
    index.learn({"east": EAST})
    assert index.fill(index.missing_entries()) == 1
    assert found(index) == ["e"]


def test_a_file_that_vanishes_before_another_model_comes_is_made_anew(index: SqliteVectorIndex, tmp_path: Path) -> None:
    index.update([entry("e", "east")], [], {"g": 1})
    for path in tmp_path.iterdir():
        path.unlink()
    assert index.known(["east"]) == {}
    index.enter(Space("another model", 2))
    assert (index.space, index.missing()) == (Space("another model", 2), 0)
    with pytest.raises(SearchIndexReset, match="made anew"):
        index.update([entry("e", "east")], [], {"g": 1})
    assert index.update([entry("e", "east")], [], {"g": 1}) == [entry("e", "east")]


def test_rows_are_filled_only_while_they_lack_the_vector_of_that_text(index: SqliteVectorIndex) -> None:
    rows = [entry("a", "west"), entry("b", "south"), entry("c", "down"), entry("d", "west", "other")]
    index.update(rows, [], {})
    index.update([entry("b", "north")], [(NAME, "c")], {})
    index.learn({"west": -EAST, "south": -NORTH, "down": -UP})
    assert index.fill(rows) == 2
    assert index.similarities(NAME, EAST, "abcd") == {"a": -1.0, "b": 0.0, "d": -1.0}
    assert index.fill(rows) == 0


def test_a_failed_update_changes_nothing(index: SqliteVectorIndex) -> None:
    index.update([entry("e", "east")], [], {"g": 1})
    with pytest.raises(SearchIndexError, match="did not take a write"):
        index.update([entry("n", "north")], [(NAME, "e")], {"g": object()})  # type: ignore[dict-item]
    assert (found(index), index.positions()) == (["e"], {"g": 1})


def test_a_damaged_file_is_made_anew_when_it_is_opened(
    index: SqliteVectorIndex, tmp_path: Path, reopen: Callable[..., SqliteVectorIndex]
) -> None:
    path = tmp_path / "vectors.sqlite"
    index.update([entry(f"u{n}", "east") for n in range(300)], [], {"g": 1})
    index.close()
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    index = reopen()
    assert index.reset_reason
    assert (found(index), index.positions(), index.missing()) == ([], {}, 0)
    index.learn(LEARNED)
    index.update([entry("e", "east")], [], {"g": 1})
    index = reopen()
    assert (found(index), index.positions()) == (["e"], {"g": 1})


def test_a_file_that_vanishes_is_made_anew_and_the_next_update_says_so_once(
    index: SqliteVectorIndex, tmp_path: Path
) -> None:
    index.update([entry("e", "east")], [], {"g": 1})
    for path in tmp_path.iterdir():
        path.unlink()
    assert index.known(["east"]) == {}
    with pytest.raises(SearchIndexReset, match="made anew"):
        index.update([entry("n", "north")], [], {"g": 2})
    assert (found(index), index.positions()) == ([], {})
    index.learn(LEARNED)
    assert index.update([entry("n", "north")], [], {"g": 2}) == []
    assert (found(index), index.positions()) == (["n"], {"g": 2})


def test_searches_beside_a_writer_see_whole_updates(index: SqliteVectorIndex) -> None:
    pair = ("a", "b")
    index.update([entry(uuid, "east") for uuid in pair], [], {})
    seen: list[tuple[float, ...]] = []
    done = threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.append(tuple(hit.score for hit in index.search(NAME, EAST, ALL_GROUPS, 5)))

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    for n in range(100):
        text = "north" if n % 2 == 0 else "east"
        index.update([entry(uuid, text) for uuid in pair], [], {})
        index.update([], [(NAME, uuid) for uuid in pair], {})
    done.set()
    for reader in readers:
        reader.join()
    assert set(seen) <= {(), (0.0, 0.0), (1.0, 1.0)}


def test_any_history_answers_as_a_plain_scan_does(tmp_path_factory: pytest.TempPathFactory) -> None:
    AgainstBruteForce.base = tmp_path_factory
    run_state_machine_as_test(
        AgainstBruteForce, settings=settings(max_examples=40, stateful_step_count=12, deadline=None)
    )
