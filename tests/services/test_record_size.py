"""Long writes are cut by size as well as by number, so that no record outgrows its bound; what cannot be is refused."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut, Operation, Record
from lcg.model.rows import Mention
from lcg.runtime.call import Call
from lcg.services import record_size
from lcg.services.deletion import delete_by_source
from lcg.services.merge import Merged, merge
from lcg.services.merge_selection import Merge
from lcg.services.pointers import CrossGroupEdge, ForeignEnd, OwnEnd, plan_cross_group_edge
from lcg.services.rebinding import rebind_pointers
from lcg.services.record_size import Piece, characters, within_a_record
from lcg.services.summaries import backfill_summaries
from lcg.wal import codec
from lcg.wal.codec import encode
from tests.graph.harness import NOON, Workspace, edge, entity, episode
from tests.handlers.typing_workspace import typing

CHARACTERS, LINE = 10_000, 64_000
"""The bounds in these tests, in the same proportion as the real ones."""
HARD = "\x01" * 2_000
"""Text that takes six bytes for each character in a record."""
WISH = Merge("a", NOON + 1, canonical_uuid="n1", alias_uuids=("n2",))


@pytest.fixture(autouse=True)
def small_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_size, "CHARACTERS_PER_RECORD", CHARACTERS)
    monkeypatch.setattr(codec, "MAX_LINE_BYTES", LINE)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace(tmp_path)
    yield made
    made.close()


def records(workspace: Workspace) -> int:
    return workspace.log.stream("a").max_seq or 0


def settled(workspace: Workspace) -> None:
    """A rebuild from the log gives the same graph."""
    digests = workspace.digests()
    workspace.rebuild()
    assert workspace.digests() == digests


@pytest.mark.parametrize(
    "operation",
    [
        EdgePut(edge("e", "x" * 30, "y", name=HARD, fact=HARD, relation_type=HARD, fact_embedded=HARD)),
        EdgePut(edge("e", "x", "y", episodes=("\x01" * 36,) * 500, attributes='{"k":"' + '\\"' * 3_000 + '"}')),
        EntityPut(entity("n", name=HARD, summary=HARD, labels=("Entity", HARD), summary_embedded=HARD)),
        EpisodePut(episode("p", content=HARD, source_description=HARD, source_file=HARD, chunk_id=HARD)),
        MentionPut(Mention("a", "p" * 36, "n" * 36)),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_a_record_never_has_more_than_six_bytes_for_a_counted_character(operation: Operation) -> None:
    line = encode(Record("a", codec.MAX_SEQ, NOON, "", (operation,)))
    assert len(line) <= 6 * characters(operation) + 200


def test_a_record_takes_parts_up_to_its_bounds_and_one_part_at_least() -> None:
    small, big = (Piece((EntityPut(entity("n", summary="x" * size)),)) for size in (4_000, 3 * CHARACTERS))
    assert within_a_record([small] * 5) == ([small] * 2, small)
    assert within_a_record([small] * 2) == ([small] * 2, None)
    assert within_a_record([big, small]) == ([big], small)
    assert within_a_record([small, big]) == ([small], big)
    assert within_a_record([Piece()] * 9, most=2) == ([Piece()] * 9, None)
    assert within_a_record([small] * 2, most=1) == ([small], small)


def hub(workspace: Workspace, edges: int, size: int, **more: Any) -> None:
    """Give the alias `n2` edges with attributes of a size, each to an entity of its own."""
    workspace.apply("a", EntityPut(entity("n1", name="Ada")), EntityPut(entity("n2", name="A. L.", **more)))
    for number in range(edges):
        far = entity(f"f{number}", name=f"Far {number}")
        row = edge(f"r{number}", "n2", far.uuid, attributes='{"k":"' + "v" * size + '"}')
        workspace.apply("a", EntityPut(far), EdgePut(row))


def numbers(done: Merged) -> list[int]:
    return [done.total(what) for what in ("rewritten", "duplicates", "buried")]


@pytest.mark.parametrize(("edges", "size"), [(5, 3_000), (3, 40_000)], ids=["many", "each too big to move at once"])
def test_a_merge_of_huge_edges_is_cut_and_counts_as_its_dry_run(workspace: Workspace, edges: int, size: int) -> None:
    hub(workspace, edges, size)
    foreseen, before = merge(workspace.graph, WISH, "test", dry_run=True), records(workspace)
    done = merge(workspace.graph, WISH, "test")
    assert numbers(done) == numbers(foreseen) == [edges, 0, 1]
    assert records(workspace) > before + 2
    live = [row for row in workspace.rows()[1] if row.invalid_at is None]
    assert [row.source_uuid for row in live] == ["n1"] * edges
    settled(workspace)


def test_a_merge_that_stops_between_the_halves_of_a_move_is_completed_by_a_rerun(workspace: Workspace) -> None:
    hub(workspace, 1, 40_000)
    call = Call("test")
    call.cancelled.set()
    with pytest.raises(OperationFailed):
        merge(workspace.graph, WISH, "test", cancelled=call.cancelled)
    assert {row.source_uuid for row in workspace.rows()[1] if row.invalid_at is None} == {"n1", "n2"}
    assert numbers(merge(workspace.graph, WISH, "test")) == [0, 1, 1]
    assert [row.source_uuid for row in workspace.rows()[1] if row.invalid_at is None] == ["n1"]
    settled(workspace)


def test_a_merge_with_a_row_that_no_record_takes_is_refused_before_anything_is_changed(workspace: Workspace) -> None:
    hub(workspace, 4, 4_000)
    bare = EntityPut(entity("n2", name="A. L.", attributes='{"k":""}'))
    room = LINE - len(encode(Record("a", 20, NOON, "test", (bare,))))
    workspace.apply("a", EntityPut(replace(bare.row, attributes='{"k":"' + "v" * (room - 10) + '"}')))
    digests = workspace.digests()
    with pytest.raises(OperationFailed, match="Nothing was changed; shorten its texts") as failure:
        merge(workspace.graph, WISH, "test")
    assert (failure.value.kind, failure.value.data["uuid"]) == (ErrorKind.LIMIT, "n2")
    assert workspace.digests() == digests


def test_a_deletion_whose_facts_do_not_fit_changes_them_first_and_then_deletes(workspace: Workspace) -> None:
    origin = {"source_file": "n.md", "source_description": "n.md:1"}
    episodes = [EpisodePut(episode(uuid, **origin)) for uuid in ("p1", "p2")]
    workspace.apply("a", EntityPut(entity("n1")), EntityPut(entity("n2")), *episodes)
    for uuid in ("p1", "p2"):
        workspace.apply("a", MentionPut(Mention("a", uuid, "n1")))
    for number in range(6):
        workspace.apply("a", EdgePut(edge(f"r{number}", "n1", "n2", fact=HARD + "x" * 2_000, episodes=("p1", "p2"))))
    before = records(workspace)
    deleted = delete_by_source(workspace.graph, "n.md", ("a",), "test")
    assert (sorted(deleted.uuids), deleted.orphaned, deleted.groups_done) == (["p1", "p2"], 1, ["a"])
    assert records(workspace) > before + 1
    _, edges, left, _ = workspace.rows()
    assert (left, {row.episodes for row in edges}) == ([], {()})
    settled(workspace)


def test_pointers_of_huge_edges_are_bound_in_several_records_and_counted_once(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    for number in range(5):
        ends = (OwnEnd("n1"), ForeignEnd("b", f"far {number}"))
        wish = CrossGroupEdge("a", "USES", *ends, "x" * 4_000, None, None, NOON)
        workspace.graph.write("a", "test", plan_cross_group_edge(workspace.graph, wish))
    for number in range(5):
        workspace.apply("b", EntityPut(entity(f"b{number}", "b", name=f"Far {number}")))
    before = records(workspace)
    done = rebind_pointers(workspace.graph, "b", Call("test"))
    assert (done.checked, done.bound, done.groups_done) == (5, 5, ["a"])
    assert records(workspace) == before + 3
    assert rebind_pointers(workspace.graph, "b", Call("test")).staleness_skipped == 5
    settled(workspace)


def test_summaries_of_huge_entities_are_embedded_in_several_records(workspace: Workspace) -> None:
    for number in range(5):
        row = entity(f"n{number}", name=f"N {number}", summary="s" * 3_000, summary_embedded="old")
        workspace.apply("a", EntityPut(row))
    before = records(workspace)
    assert backfill_summaries(workspace.graph, workspace.embedding, "a", Call("test"), dry_run=False) == (5, 5)
    assert records(workspace) == before + 3
    assert {row.summary_embedded for row in workspace.rows()[0]} == {None}
    settled(workspace)


@pytest.mark.parametrize(
    ("method", "params", "counted"),
    [
        ("canonicalize_relations", {}, "mapped_count"),
        ("backfill_relation_types", {}, "backfilled"),
        ("reprocess_relation_types", {"scope": "all"}, "reclassified_count"),
        ("reprocess_entity_types", {"scope": "all"}, "reclassified_count"),
    ],
)
def test_a_pass_over_huge_rows_is_cut_by_size(tmp_path: Path, method: str, params: Any, counted: str) -> None:
    with typing(tmp_path) as world:
        facts = [f"Fact {number}" for number in range(5)]
        for fact in facts:
            world.edge("g", "sails to", fact, attributes={"k": "v" * 4_000})
        for name in (*facts, "Mira"):
            world.ask("assert_entity", name=name, group_id="g", summary=HARD, attributes={"k": "v" * 2_000})
        verdict = "OWNS" if "relation" in method else "Port"
        world.classifier.verdicts = dict.fromkeys((*facts, "Mira"), verdict)
        before = world.seq("g") or 0
        done = world.watch(method, group_id="g", **params)
        assert done[counted] in (5, 6)
        assert (world.seq("g") or 0) >= before + 2
        last = [frame for frame in world.frames if frame["phase"] == "writing"][-1]
        assert last["processed"] == last["total"] == done[counted]
