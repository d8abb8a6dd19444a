"""Merges that are too big for one log record, and such that were interrupted. Random ones are in tests/histories/."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lcg.errors import OperationFailed
from lcg.model.operations import EdgePut, EntityPut
from lcg.services import merge as merging
from lcg.services.merge import merge
from lcg.services.merge_selection import Merge
from tests.graph.harness import NOON, Workspace, edge, entity

LATER = NOON + 1_000_000


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace(tmp_path)
    yield made
    made.close()


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
