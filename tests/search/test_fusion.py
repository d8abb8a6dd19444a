"""Reciprocal rank fusion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.search.fusion import RankedList, fuse, interleave

UUIDS = st.lists(st.sampled_from("abcdefgh"), unique=True)


def test_a_row_gets_one_over_sixty_plus_its_rank_from_each_list() -> None:
    hits = fuse([RankedList("ab"), RankedList("ba"), RankedList("c")], 10)
    assert {hit.uuid: hit.score for hit in hits} == {
        "a": pytest.approx(1 / 60 + 1 / 61),
        "b": pytest.approx(1 / 60 + 1 / 61),
        "c": pytest.approx(1 / 60),
    }


def test_rows_that_tie_come_by_uuid() -> None:
    assert [hit.uuid for hit in fuse([RankedList("ba"), RankedList("ab")], 10)] == ["a", "b"]


def test_a_heavier_list_decides() -> None:
    assert [hit.uuid for hit in fuse([RankedList("ab"), RankedList("ba", weight=2.0)], 10)] == ["b", "a"]


def test_nothing_fused_is_nothing() -> None:
    assert fuse([], 10) == []
    assert fuse([RankedList("ab")], 0) == []


@given(st.lists(UUIDS, max_size=4), st.integers(0, 10))
def test_the_best_rows_come_first_each_once_and_the_limit_only_cuts(lists: list[list[str]], limit: int) -> None:
    ranked = [RankedList(uuids) for uuids in lists]
    everything = fuse(ranked, 100)
    assert {hit.uuid for hit in everything} == {uuid for uuids in lists for uuid in uuids}
    assert everything == sorted(everything, key=lambda hit: (-hit.score, hit.uuid))
    assert fuse(ranked, limit) == everything[:limit]


@given(st.lists(UUIDS, max_size=4))
def test_the_order_of_equal_lists_does_not_matter(lists: list[list[str]]) -> None:
    ranked = [RankedList(uuids) for uuids in lists]
    assert fuse(ranked, 100) == fuse(ranked[::-1], 100)


def test_interleaved_lists_take_turns_and_what_stands_in_both_is_not_pushed_forward() -> None:
    hits = interleave([RankedList("axyb"), RankedList("cbd", weight=1.001)], 10)
    assert [hit.uuid for hit in hits] == ["c", "a", "b", "x", "d", "y"]
    assert hits[1].score == pytest.approx(1 / 60)
    assert interleave([RankedList("ab")], 1) == fuse([RankedList("ab")], 1)
