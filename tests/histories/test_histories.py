"""Random histories of several groups: every method that changes something, in any order, and what must hold of it."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.histories.player import play
from tests.histories.steps import (
    BEGINNING,
    Correct,
    Entry,
    Merge,
    Older,
    Pick,
    Point,
    Purge,
    Put,
    Rebind,
    Rebuild,
    Restart,
    Step,
    histories,
)
from tests.histories.world import fresh_world

CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large]
PARTS = 2
"""So many parts besides the beginning; `make histories` plays longer ones."""


def play_in_memory(chance: int, steps: list[Step]) -> None:
    with fresh_world(chance, is_memory=True) as world:
        play(world, [*BEGINNING, *steps])


def play_in_the_engine(chance: int, steps: list[Step]) -> None:
    with fresh_world(chance, is_memory=False) as world:
        play(world, [*BEGINNING, *steps])


@settings(max_examples=500, deadline=None, suppress_health_check=CHECKS, print_blob=True)
@given(st.integers(0, 3), histories(PARTS))
def test_every_history_keeps_the_invariants(chance: int, steps: list[Step]) -> None:
    play_in_memory(chance, steps)


@settings(max_examples=30, deadline=None, suppress_health_check=CHECKS, print_blob=True)
@given(st.integers(0, 3), histories(PARTS))
def test_every_history_keeps_the_invariants_in_the_engine_too(chance: int, steps: list[Step]) -> None:
    play_in_the_engine(chance, steps)


# Histories that once failed


def test_a_dry_run_of_corrections_knows_what_the_entries_before_would_have_done() -> None:
    buried_before = Correct((Entry("b", "Tern", ("Tern", "Ada")), Entry("b", Pick(1), ("Grace", "Tern"))))
    older_by_a_merge = Correct((Entry("b", Pick(0), ("Ada", "Tern")), Entry("a", "Ada", ("Bell",))))
    for chance in range(4):
        play_in_memory(chance, [buried_before])
        play_in_memory(chance, [older_by_a_merge])


def test_a_store_that_is_older_than_a_rebuild_is_brought_to_what_the_rebuild_made() -> None:
    nothing_left: list[Step] = [Put("a", "Bell"), Restart("close"), Rebuild("a", None, 9), Restart("drop")]
    play_in_memory(1, nothing_left)
    play_in_the_engine(1, nothing_left)
    play_in_memory(1, [Put("a", "Bell"), Put("a", "Tern"), Restart("close"), Rebuild("a", None, 1), Restart("drop")])
    play_in_memory(1, [Put("a", "Bell"), Purge(("a",)), Restart("close"), Rebuild("a"), Restart("drop")])
    play_in_memory(1, [Put("a", "Bell"), Restart("close"), Rebuild("a", is_new_log=True), Restart("drop")])


def test_an_edge_that_meets_one_end_while_lines_are_replayed_waits_again_when_that_end_is_purged() -> None:
    steps: list[Step] = [
        Put("b", "Ada"),
        Put("a", "Ada"),
        Point("b", ("b", "Ada"), ("a", "Mira"), "USES"),
        Point("b", ("a", "Mira"), ("a", "Ada"), "USES"),
        Merge("a", "Ada", ("Mira",)),
        Rebind("a"),
        Purge(("a",)),
        Restart("checkpoint"),
        Rebuild("a", 0, force=True),
        Restart("drop"),
    ]
    play_in_memory(1, steps)
    play_in_the_engine(1, steps)


def test_a_purge_and_a_rebuild_leave_the_links_of_other_groups_alone() -> None:
    purged: list[Step] = [Put("b", "Mira"), Point("a", ("a", "Ada"), ("b", "Mira"), "USES"), Purge(("b",))]
    play_in_the_engine(0, [*purged, Rebuild("b", None, 0), Rebind("b")])


# Histories that chance seldom draws


def test_a_tombstone_that_leads_into_another_group_leads_nowhere() -> None:
    play_in_memory(1, [Older("b", "abroad", "Mira"), Point("c", ("a", "Tern"), ("b", "Mira")), Put("b", "Mira")])


def test_a_merge_leaves_an_alias_of_another_group_alone() -> None:
    play_in_memory(1, [Merge("b", "Ada", (Pick(5), "Tern"))])
