"""Approximate search: an index takes over from the exact table, and nobody can tell but by the time it takes."""

import threading
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import rule, run_state_machine_as_test
from numpy.typing import NDArray

from lcg.runtime.groups import ALL_GROUPS, GroupFilter
from lcg.search import hnsw
from lcg.search.approximate import ApproximateTable, Dissolution, Sizes
from lcg.search.hnsw import HnswVectors, digest_of
from lcg.search.protocol import Hit, VectorKind
from tests.search.brute_force import NAME, AgainstBruteForce
from tests.search.opened_index import DIM, PATIENCE, QUERIES, SPREAD, SWITCH_OVER, Opened, entry


def test_a_group_gets_an_index_when_it_has_more_rows_than_the_switch_over(opened: Opened) -> None:
    opened.put(*(entry(number) for number in range(SWITCH_OVER)))
    opened.build()
    assert opened.files == set()
    opened.put(entry(SWITCH_OVER))
    opened.build()
    assert [(said["kind"], said["group_id"]) for said in opened.descriptions] == [("entity_name", "g")]
    assert opened.agrees()


def test_the_index_takes_up_all_but_a_few_late_rows(built: Opened) -> None:
    (said,) = built.descriptions
    assert 60 - Sizes(SWITCH_OVER).late <= said["count"] <= 60
    assert built.agrees()


def test_each_kind_and_group_has_an_index_of_its_own(built: Opened) -> None:
    other = [entry(number, group="h") for number in range(100, 140)]
    facts = [entry(number, kind=VectorKind.EDGE_FACT) for number in range(200, 240)]
    few = [entry(number, group="few") for number in range(150, 155)]
    built.put(*other, *few)
    assert built.index.update(facts, [], {}) == []
    built.build()
    assert {(said["kind"], said["group_id"]) for said in built.descriptions} == {
        ("entity_name", "g"),
        ("entity_name", "h"),
        ("edge_fact", "g"),
    }
    assert built.agrees()
    assert {hit.uuid for hit in built.index.search(NAME, QUERIES[0], GroupFilter(("h",)), 100)} == {
        row.uuid for row in other
    }
    assert len(built.index.search(NAME, QUERIES[0], GroupFilter(("h", "few")), 100)) == 45
    assert len(built.index.search(VectorKind.EDGE_FACT, QUERIES[0], ALL_GROUPS, 100)) == 40


def test_a_removed_row_is_found_no_more_and_a_changed_one_by_its_new_vector_only(built: Opened) -> None:
    built.remove(3, 4, 5)
    built.put(entry(10, text=200), entry(11, text=201))
    assert built.agrees()
    built.put(entry(3), entry(10))
    assert built.agrees()
    built.build()
    assert built.agrees()


def test_removed_rows_take_no_place_among_the_nearest(built: Opened) -> None:
    built.remove(*built.nearest(12))
    assert built.agrees()
    built.put(*(entry(number) for number in range(200, 210)))
    built.build()
    assert built.agrees()


@pytest.mark.parametrize("first", [1, -1])
def test_rows_that_tie_at_the_cut_come_by_uuid(first: int) -> None:
    """Two vectors as far to either side of a query; whichever the index meets first, the lower uuid wins."""
    query, aside = np.eye(DIM, dtype=np.float32)[:2]
    sides = [0.8 * query + 0.6 * first * aside, 0.8 * query - 0.6 * first * aside]
    rows = np.array([*(row for row in SPREAD if row @ query < 0.5), *sides], dtype=np.float32)
    index = HnswVectors(DIM, len(rows))
    index.reserve(len(rows))
    index.add([digest_of(row) for row in rows], rows, 1)
    table = ApproximateTable(DIM, Sizes(SWITCH_OVER), index, lambda: None)
    for number, row in enumerate(rows[::-1]):
        table.put(f"u{number:03}", row)
    assert table.indexed == len(rows)
    assert [hit.uuid for hit in table.nearest(query, 1)] == ["u000"]


def test_rows_of_one_text_share_a_vector_and_come_by_uuid(built: Opened) -> None:
    built.put(*(entry(number, text=7) for number in range(100, 150)))
    built.build()
    (said,) = built.descriptions
    assert said["count"] <= 60
    hits = built.index.search(NAME, SPREAD[7], ALL_GROUPS, 20)
    assert [hit.uuid for hit in hits] == ["u007", *(f"u{number}" for number in range(100, 119))]
    built.remove(7, 100, 149)
    assert built.agrees()
    built.remove(*range(101, 149))
    assert built.agrees()


def test_an_index_that_hides_too_much_is_built_again(built: Opened) -> None:
    built.put(*(entry(number, text=100 + number) for number in range(60)))
    built.build()
    (said,) = built.descriptions
    assert said["count"] <= 60
    assert built.agrees()


def test_an_index_that_has_outgrown_its_beginning_is_built_again(built: Opened) -> None:
    built.put(*(entry(number) for number in range(60, 110)))
    built.build()
    assert [said["planned"] for said in built.descriptions] == [60]
    built.put(*(entry(number) for number in range(110, 200)))
    built.build()
    (said,) = built.descriptions
    assert said["planned"] > 120
    assert built.agrees()


def test_a_group_that_became_small_is_searched_exactly_again(built: Opened) -> None:
    built.remove(*range(5, 60))
    built.build()
    assert built.files == set()
    assert built.agrees()
    built.put(*(entry(number) for number in range(60)))
    built.build()
    assert len(built.files) == 2
    assert built.agrees()


def test_a_cleared_group_leaves_no_file(built: Opened) -> None:
    built.index.clear_group("g")
    built.rows.clear()
    assert built.files == set()
    assert built.agrees()


def test_a_build_that_fails_leaves_exact_search(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("not now")

    monkeypatch.setattr(HnswVectors, "add", fail)
    opened.put(*(entry(number) for number in range(60)))
    opened.build()
    opened.put(entry(70))
    opened.build()
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "building an index of vectors failed; exact search serves instead"
    ]
    assert opened.agrees()
    assert opened.files == set()


class Gate:
    """Lets an index be built only while it is open."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()
        add = HnswVectors.add

        def waiting(index: HnswVectors, digests: list[bytes], vectors: NDArray[np.float32], threads: int) -> None:
            self.reached.set()
            assert self.open.wait(PATIENCE)
            add(index, digests, vectors, threads)

        monkeypatch.setattr(HnswVectors, "add", waiting)


def test_writes_and_searches_go_on_while_an_index_is_built(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    opened.put(*(entry(number) for number in range(60)))
    assert gate.reached.wait(PATIENCE)
    assert opened.agrees()
    opened.remove(*range(20))
    opened.put(*(entry(number, text=100 + number) for number in range(20, 40)))
    opened.put(entry(70), entry(71, text=45), entry(50, text=46), entry(47))
    opened.remove(70)
    assert opened.agrees()
    gate.open.set()
    opened.build()
    assert opened.agrees()
    (said,) = opened.descriptions
    assert said["count"] >= 30


def test_writes_go_on_while_an_index_is_given_up(built: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    reached, gate = threading.Event(), threading.Event()
    run = Dissolution.run

    def waiting(job: Dissolution, threads: int, stopped: Callable[[], bool]) -> bool:
        done = run(job, threads, stopped)
        reached.set()
        assert gate.wait(PATIENCE)
        return done

    monkeypatch.setattr(Dissolution, "run", waiting)
    built.remove(*range(9, 60))
    assert reached.wait(PATIENCE)
    built.remove(0, 1)
    built.put(entry(2, text=100), entry(3, text=4), entry(70), entry(71, text=5), entry(6))
    assert built.agrees()
    gate.set()
    built.build()
    assert built.files == set()
    assert built.agrees()


def test_a_group_can_be_cleared_while_its_index_is_built(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    opened.put(*(entry(number) for number in range(60)))
    assert gate.reached.wait(PATIENCE)
    opened.index.clear_group("g")
    opened.rows.clear()
    opened.put(entry(200))
    gate.open.set()
    opened.build()
    assert opened.files == set()
    assert opened.agrees()


def test_closing_does_not_wait_for_an_index_to_be_built(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hnsw, "_ADD_AT_ONCE", 1)
    added: list[int] = []
    add = HnswVectors.add
    reached, closing = threading.Event(), threading.Event()

    def slow(index: HnswVectors, digests: list[bytes], vectors: NDArray[np.float32], threads: int) -> None:
        added.append(len(digests))
        if len(added) == 3:
            reached.set()
            assert closing.wait(PATIENCE)
        add(index, digests, vectors, threads)

    monkeypatch.setattr(HnswVectors, "add", slow)
    opened.put(*(entry(number) for number in range(60)))
    closer = threading.Thread(target=opened.index.close)
    assert reached.wait(PATIENCE)
    closer.start()
    assert opened.index._builder._stopping.wait(PATIENCE)
    closing.set()
    closer.join(PATIENCE)
    assert len(added) == 3
    opened.reopen()
    opened.build()
    assert opened.agrees()


def test_searches_beside_writers_and_builds_see_whole_updates(opened: Opened) -> None:
    numbers = range(60)
    opened.put(*(entry(number) for number in numbers))
    wrong: list[Hit] = []
    done = threading.Event()
    # Rows move between two texts together: a search sees either all of them at the one or all at the other.
    scores = [{f"u{n:03}": float(SPREAD[n + shift] @ QUERIES[0]) for n in numbers} for shift in (0, 100)]

    def look() -> None:
        while not done.is_set():
            hits = opened.index.search(NAME, QUERIES[0], ALL_GROUPS, 10)
            if not any(all(abs(hit.score - of[hit.uuid]) < 1e-5 for hit in hits) for of in scores):
                wrong.extend(hits)

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    for turn in range(30):
        opened.put(*(entry(n, text=n + (100 if turn % 2 == 0 else 0)) for n in numbers))
    opened.build()
    done.set()
    for reader in readers:
        reader.join()
    assert wrong == []
    assert opened.agrees()


def test_vectors_that_cannot_be_reached_are_found_by_a_scan() -> None:
    index = HnswVectors(DIM, len(SPREAD))
    rows = SPREAD[:50]
    index.reserve(50)
    index.add([bytes([n]) * 16 for n in range(50)], rows, 1)
    index.hide(3)

    class Unreachable:
        """An index that finds fewer than it is asked for."""

        def __getattr__(self, name: str) -> object:
            return getattr(inner, name)

        def knn_query(self, *_: object, **__: object) -> object:
            raise RuntimeError("Cannot return the results in a contiguous 2D array")

    inner = index._index
    expected, cosines = index.nearest(QUERIES[0], 10)
    index._index = Unreachable()
    labels, again = index.nearest(QUERIES[0], 10)
    assert labels == expected
    assert again == pytest.approx(cosines, abs=1e-6)


def test_a_table_with_an_index_keeps_each_vector_once() -> None:
    table = ApproximateTable(DIM, Sizes(SWITCH_OVER), None, lambda: None)
    for number in range(200):
        table.put(str(number), SPREAD[number])
    while (job := table.next_job()) is not None:
        assert job.run(1, lambda: False)
        table.take_over(job)
    assert len(table) == 200
    assert len(table) - table.indexed <= Sizes(SWITCH_OVER).late


class WithIndexes(AgainstBruteForce):
    """The same with indexes from a handful of rows on, built whenever their thread gets to it."""

    switch_over = 6

    @rule()
    def build(self) -> None:
        assert self.index.wait_until_built(PATIENCE)


def test_any_history_answers_as_a_plain_scan_does(tmp_path_factory: pytest.TempPathFactory) -> None:
    WithIndexes.base = tmp_path_factory
    run_state_machine_as_test(WithIndexes, settings=settings(max_examples=40, stateful_step_count=12, deadline=None))
