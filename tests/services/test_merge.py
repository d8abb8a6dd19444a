"""Random histories with merges: invariants hold, a dry run tells the numbers, a rebuild gives the same graph."""

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lcg.errors import OperationFailed
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut
from lcg.model.rows import Mention
from lcg.services import merge as merging
from lcg.services.merge import Merged, merge
from lcg.services.merge_selection import Merge
from tests.graph.harness import NOON, Workspace, edge, entity, episode

GROUPS = ("a", "b")
NUMBERS = st.integers(1, 4)
LATER = NOON + 1_000_000


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace(tmp_path)
    yield made
    made.close()


@st.composite
def graphs(draw: st.DrawFn) -> list[tuple[str, list[Any]]]:
    """Draw the records of two groups: entities of few names, edges that may lead to the other group or nowhere."""
    records: list[tuple[str, list[Any]]] = []
    for group in GROUPS:
        rows = [
            entity(f"{group}-n{n}", group, name=draw(st.sampled_from(["Ada", "ADA", "Tern"])), created_at=NOON + n)
            for n in range(1, 5)
        ]
        records.append((group, [*map(EntityPut, rows), *(EpisodePut(episode(f"{group}-e{n}", group)) for n in (1, 2))]))
    for group in draw(st.lists(st.sampled_from(GROUPS), max_size=8)):
        ends = st.one_of(
            st.builds("{}-n{}".format, st.just(group), NUMBERS),
            st.sampled_from(["a-n1", "b-n2", f"{group}-missing", ""]),
        )
        number = draw(st.integers(1, 9))
        row = edge(
            f"{group}-r{number}",
            draw(ends),
            draw(ends),
            group,
            name=draw(st.sampled_from(["KNOWS", "USES"])),
            created_at=NOON + number,
            episodes=tuple(draw(st.lists(st.sampled_from([f"{group}-e1", f"{group}-e2"]), unique=True))),
            invalid_at=draw(st.sampled_from([None, None, NOON])),
        )
        mention = Mention(group, f"{group}-e{draw(st.integers(1, 2))}", f"{group}-n{draw(NUMBERS)}")
        records.append((group, [EdgePut(row), MentionPut(mention)]))
    return records


@st.composite
def merges(draw: st.DrawFn) -> Merge:
    group = draw(st.sampled_from(GROUPS))
    uuids = st.builds("{}-n{}".format, st.sampled_from((group, group, group, "a")), NUMBERS)
    by_uuid = draw(st.booleans())
    return Merge(
        group,
        LATER,
        canonical_uuid=draw(uuids) if by_uuid else None,
        canonical_name=None if by_uuid else draw(st.sampled_from(["Ada", "Tern"])),
        alias_uuids=tuple(draw(st.lists(uuids, max_size=3, unique=True))),
        alias_names=tuple(draw(st.lists(st.sampled_from(["ADA", "Tern", "Nobody"]), max_size=2, unique=True))),
        merge_all_by_name=draw(st.booleans()),
    )


def told(done: Merged) -> dict[str, Any]:
    numbers = {what: done.total(what) for what in ("buried", "rewritten", "duplicates", "foreign")}
    return {**numbers, "skipped": done.skipped, "success": done.success, "errors": done.errors, "of": done.aliases}


def check(workspace: Workspace, wish: Merge, before: Any) -> None:
    entities, edges, episodes, mentions = workspace.rows()
    tombstones = {row.uuid for row in entities if row.is_tombstone}
    for row in edges:
        ends = {row.source_uuid, row.target_uuid}
        own = {end for end in ends if end.startswith(f"{row.group_id}-")}
        assert row.invalid_at is not None or not own & tombstones
    assert {m.episode_uuid for m in mentions} <= {row.uuid for row in episodes}
    assert {m.entity_uuid for m in mentions} <= {row.uuid for row in entities}
    old_edges = {row.uuid: row for row in before[1]}
    for row in edges:
        if row.group_id != wish.group_id:
            assert old_edges[row.uuid] == row
    assert [row for row in entities if row.group_id != wish.group_id] == [
        row for row in before[0] if row.group_id != wish.group_id
    ]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs(), st.lists(merges(), min_size=1, max_size=4), st.sampled_from([1, 3, 5_000]))
def test_merges_keep_the_invariants_whatever_the_history(
    history: list[tuple[str, list[Any]]], wishes: list[Merge], per_record: int
) -> None:
    with tempfile.TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "OPERATIONS_PER_RECORD", per_record)
        workspace = Workspace(Path(directory))
        try:
            for group, operations in history:
                workspace.apply(group, *operations)
            for wish in wishes:
                before = workspace.rows()
                dry = told(merge(workspace.graph, wish, "test", dry_run=True))
                assert workspace.rows() == before
                assert told(merge(workspace.graph, wish, "test")) == dry
                check(workspace, wish, before)
                settled = (workspace.digests(), workspace.rows())
                merge(workspace.graph, wish, "test")
                assert (workspace.digests(), workspace.rows()) == settled
            live = (workspace.digests(), workspace.rows())
            workspace.rebuild()
            assert (workspace.digests(), workspace.rows()) == live
            assert workspace.graph.state.failed_records == []
        finally:
            workspace.close()


def hub(workspace: Workspace, edges: int) -> None:
    rows = [entity("a-n1"), entity("a-n2"), *(entity(f"x{n}") for n in range(edges))]
    workspace.apply("a", *map(EntityPut, rows), *(EdgePut(edge(f"r{n}", "a-n2", f"x{n}")) for n in range(edges)))


def test_a_merge_too_big_for_one_record_is_written_as_several(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "OPERATIONS_PER_RECORD", 4)
    hub(workspace, 7)
    start = workspace.log.stream("a").max_seq or 0
    done = merge(workspace.graph, Merge("a", LATER, canonical_uuid="a-n1", alias_uuids=("a-n2",)), "test")
    assert (done.total("rewritten"), done.total("buried"), done.skipped) == (7, 1, 0)
    assert workspace.log.stream("a").max_seq == start + 4


def test_a_merge_that_was_interrupted_is_completed_by_a_rerun(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "OPERATIONS_PER_RECORD", 4)
    hub(workspace, 7)
    wish = Merge("a", LATER, canonical_uuid="a-n1", alias_uuids=("a-n2",))
    gone = threading.Event()
    gone.set()
    with pytest.raises(OperationFailed) as failure:
        merge(workspace.graph, wish, "test", cancelled=gone)
    assert failure.value.kind == "cancelled"
    done = merge(workspace.graph, wish, "test")
    assert (done.total("rewritten"), done.total("buried")) == (5, 1)
    live = [row for row in workspace.rows()[1] if row.invalid_at is None]
    assert [row.source_uuid for row in live] == ["a-n1"] * 7
