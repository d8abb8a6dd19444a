"""Each step of a write fails, or the process dies there: the caller is told the truth, and the log brings all back."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from lcg.graph.planning import Planned, PlanView
from lcg.graph.stage import OperationRefused
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut, Operation
from lcg.model.rows import Mention
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import Store, StoreError
from tests.graph.checks import check_search, state_of
from tests.graph.faulty import (
    BEFORE_LOG,
    DEATHS_AFTER,
    DEATHS_BEFORE,
    UNDOING,
    VIEWS,
    Faults,
    FaultyWorkspace,
    faulty_store,
)
from tests.graph.harness import Workspace, edge, entity, episode
from tests.store.engine_name import ENGINE

FIRST: list[Operation] = [
    EntityPut(entity("n1", name="Ada", summary="wrote notes")),
    EntityPut(entity("n2", name="Grace", summary="wrote a compiler")),
    EdgePut(edge("r1", "n1", "n2", fact="Ada precedes Grace")),
    EpisodePut(episode("e1", content="Ada and Grace")),
    MentionPut(Mention("a", "e1", "n1")),
]
SECOND: list[Operation] = [
    EntityPut(entity("n3", name="Edsger", summary="found a path")),
    EdgePut(edge("r2", "n3", "n1", fact="Edsger reads Ada")),
    EdgePut(edge("r1", "n1", "n2", fact="Ada inspires Grace")),
    EpisodePut(episode("e2", content="Edsger and Ada")),
    MentionPut(Mention("a", "e2", "n3")),
]
THIRD: list[Operation] = [EntityPut(entity("n4", name="Barbara"))]


def kuzu_store(faults: Faults, directory: Path) -> Store:
    """Make a store on disk, beside what else the workspace has."""
    return faulty_store(KuzuStore, faults, directory / "store.db", ENGINE)


@pytest.fixture
def faulty(tmp_path: Path) -> Iterator[FaultyWorkspace]:
    workspace = FaultyWorkspace(tmp_path / "w")
    workspace.apply("a", *FIRST)
    workspace.apply("b", EntityPut(entity("m1", "b", name="Mina")))
    yield workspace
    workspace.faults.disarm()
    workspace.close()


def check_rebuilt(workspace: Workspace) -> None:
    """Check that the graph is what its log says, after the store is lost, and that search follows it."""
    live = state_of(workspace)
    check_search(workspace)
    workspace.rebuild()
    assert state_of(workspace) == live
    assert workspace.graph.state.failed_records == []
    check_search(workspace)


@pytest.mark.parametrize("step", BEFORE_LOG)
def test_a_failure_before_the_line_is_durable_changes_nothing_and_hinders_nobody(
    faulty: FaultyWorkspace, step: str
) -> None:
    before = state_of(faulty)
    faulty.faults.arm(step)
    with pytest.raises(OperationFailed, match="nothing was changed") as caught:
        faulty.apply("a", *SECOND)
    assert caught.value.kind is ErrorKind.IO
    assert state_of(faulty) == before
    check_search(faulty)
    faulty.apply("b", EntityPut(entity("m2", "b")))
    faulty.apply("a", *SECOND)
    assert [line.seq for line in faulty.log.read("a")] == [1, 2]
    check_rebuilt(faulty)


@pytest.mark.parametrize("step", BEFORE_LOG)
def test_a_failure_at_the_first_line_of_a_group_leaves_a_group_that_can_begin(
    faulty: FaultyWorkspace, step: str
) -> None:
    before = state_of(faulty)
    faulty.faults.arm(step)
    with pytest.raises(OperationFailed, match="nothing was changed"):
        faulty.apply("new", EntityPut(entity("k1", "new")))
    assert state_of(faulty) == before
    faulty.rebuild()
    assert state_of(faulty) == before
    faulty.apply("new", EntityPut(entity("k1", "new")))
    check_rebuilt(faulty)
    assert faulty.graph.state.applied_seq("new") == 1


@pytest.mark.parametrize("step", UNDOING)
def test_a_write_that_cannot_be_undone_is_told_as_unknown_and_a_restart_settles_it(
    faulty: FaultyWorkspace, step: str
) -> None:
    before = state_of(faulty)
    faulty.faults.arm(step)
    with pytest.raises(OperationFailed, match="whether it is there shows after a restart") as caught:
        faulty.apply("a", *SECOND)
    assert (caught.value.kind, caught.value.data["reason"]) == (ErrorKind.UNAVAILABLE, "log_uncertain")
    assert faulty.log.uncertain_groups == ["a"]
    assert state_of(faulty) == before
    with pytest.raises(OperationFailed) as again:
        faulty.apply("a", *THIRD)
    assert again.value.data["reason"] == "log_uncertain"
    faulty.apply("b", EntityPut(entity("m2", "b")))
    faulty.rebuild()
    assert state_of(faulty)[1][0] != before[1][0], "the other group went on"
    faulty.apply("a", *SECOND)
    check_rebuilt(faulty)


def test_whole_lines_that_cannot_be_undone_are_refused_as_unknown_too(
    faulty: FaultyWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is in the log, whole, and only its fsync and the cut failed: it must not be told as another's line."""
    files = faulty.log._ops

    def refuse(*_: object) -> None:
        raise OSError(5, "failed on purpose")

    monkeypatch.setattr(files, "fsync", refuse)
    monkeypatch.setattr(files, "truncate", refuse)
    for operations in (SECOND, THIRD):
        with pytest.raises(OperationFailed) as caught:
            faulty.apply("a", *operations)
        assert caught.value.data["reason"] == "log_uncertain"
    monkeypatch.undo()
    faulty.rebuild()
    assert {"n1", "n2", "n3"} < {row.uuid for row in faulty.rows()[0]}
    faulty.apply("a", *THIRD)
    check_rebuilt(faulty)


@pytest.mark.parametrize("stat_fails", ["fstat", "close"])
def test_what_fails_once_the_line_is_durable_is_not_told_as_a_failed_write(
    faulty: FaultyWorkspace, monkeypatch: pytest.MonkeyPatch, stat_fails: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(5, "failed on purpose")

    monkeypatch.setattr(f"lcg.wal.writer.os.{stat_fails}", refuse)
    if stat_fails == "close":
        faulty.log.close()
    else:
        faulty.apply("a", *SECOND)
    monkeypatch.undo()
    faulty.apply("a", *THIRD)
    check_rebuilt(faulty)


@pytest.mark.parametrize("step", VIEWS)
def test_a_view_that_fails_once_is_mended_before_the_answer(faulty: FaultyWorkspace, step: str) -> None:
    faulty.faults.arm(step)
    faulty.apply("a", *SECOND)
    assert faulty.faults.times == 0
    assert "n3" in {row.uuid for row in faulty.rows()[0]}
    check_search(faulty)
    faulty.apply("a", *THIRD)
    check_rebuilt(faulty)


@pytest.mark.parametrize("step", VIEWS)
def test_a_view_that_cannot_be_mended_says_that_the_write_is_logged(faulty: FaultyWorkspace, step: str) -> None:
    faulty.faults.arm(step, 1_000)
    with pytest.raises(Unavailable) as caught:
        faulty.apply("a", *SECOND)
    assert caught.value.data["reason"] == "apply_failed"
    assert (caught.value.data["group_id"], caught.value.data["seq"]) == ("a", 2)
    for group_id in ("a", "b"):
        with pytest.raises(Unavailable):
            faulty.apply(group_id, EntityPut(entity("late", group_id)))
    faulty.faults.disarm()
    faulty.rebuild()
    assert "n3" in {row.uuid for row in faulty.rows()[0]}
    assert "late" not in {row.uuid for row in faulty.rows()[0]}
    faulty.apply("a", *THIRD)
    check_rebuilt(faulty)


@pytest.mark.parametrize("store", ["memory", "kuzu"])
@pytest.mark.parametrize("step", [*DEATHS_BEFORE, "fsync", *DEATHS_AFTER])
def test_a_process_that_dies_leaves_the_write_whole_or_not_at_all(tmp_path: Path, step: str, store: str) -> None:
    make = kuzu_store if store == "kuzu" else None
    faulty = FaultyWorkspace(tmp_path / "w", make)
    try:
        faulty.apply("a", *FIRST)
        before = state_of(faulty)
        faulty.faults.arm(step, dies=True)
        faulty.apply("a", *SECOND)
        after = state_of(faulty)
        (copy,) = faulty.faults.copies
    finally:
        faulty.close()
    found = FaultyWorkspace(copy, make)
    try:
        assert state_of(found) == (before if step in DEATHS_BEFORE else after)
        check_search(found)
        found.apply("a", *THIRD)
        live = state_of(found)
        found.close()
        (copy / "store.db").unlink(missing_ok=True)
        found.open()
        assert state_of(found) == live
        check_search(found)
    finally:
        found.close()


def test_a_store_that_fails_while_another_group_is_planned_does_not_deny_what_is_logged(
    faulty: FaultyWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One round: group a is logged, then group b's refused write has the round staged anew, for which reading fails."""
    committer = faulty.graph._committer
    restage = committer._restage
    cut_short: list[int] = []

    def failing(writes: list[Any]) -> Any:
        if writes:
            cut_short.append(len(writes))
            raise StoreError("failed on purpose: reading")
        return restage(writes)

    monkeypatch.setattr(committer, "_restage", failing)

    def contradict(view: PlanView) -> Planned[None]:
        return Planned([EntityPut(entity("b2", "b")), MentionPut(Mention("b", "no-episode", "b2"))], None)

    busy, go_on = threading.Event(), threading.Event()

    def keep_busy(_: object) -> bool:
        busy.set()
        return go_on.wait(10)

    with ThreadPoolExecutor(3) as pool:
        job = pool.submit(faulty.graph.run, keep_busy)
        assert busy.wait(10)
        good = pool.submit(faulty.apply, "a", *SECOND)
        _wait_for(lambda: len(committer._waiting) == 1)
        bad = pool.submit(faulty.graph.write, "b", "test", contradict)
        _wait_for(lambda: len(committer._waiting) == 2)
        go_on.set()
        assert job.result()
        good.result()
        assert isinstance(bad.exception(), OperationRefused)
    monkeypatch.undo()
    assert "n3" in {row.uuid for row in faulty.rows()[0]}
    assert cut_short == [1]
    faulty.apply("a", *THIRD)
    check_rebuilt(faulty)


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)
