"""Rounds: who shares one, who is refused alone, and what is left when a part of it fails."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from lcg.graph.planning import Planned, PlanView
from lcg.graph.state import GraphState
from lcg.model.operations import EntityPut, MentionPut
from lcg.model.rows import Mention
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Batch, StoreError
from tests.graph.harness import Workspace, entity


def in_parallel(count: int, work: Callable[[int], Any]) -> list[Any]:
    """Run work(0) … work(count - 1) on threads that start together; return results or exceptions in order."""
    results: list[Any] = [None] * count
    gate = threading.Barrier(count)

    def run(number: int) -> None:
        gate.wait()
        try:
            results[number] = work(number)
        except Exception as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def create_once(name: str, uuid: str) -> Callable[[PlanView], Planned[str]]:
    """Plan an entity of a name, unless there is one; the result is the uuid that holds the name."""

    def plan(view: PlanView) -> Planned[str]:
        known = view.entities_named("a", name)
        if known:
            return Planned([], known[0].uuid)
        return Planned([EntityPut(entity(uuid, name=name))], uuid)

    return plan


def test_parallel_writers_of_one_name_agree_on_one_entity(workspace: Workspace) -> None:
    results = in_parallel(20, lambda n: workspace.graph.write("a", "test", create_once("Ada", f"n{n}")))
    assert len(set(results)) == 1
    assert len(workspace.rows()[0]) == 1


def test_parallel_writers_of_different_names_all_succeed(workspace: Workspace) -> None:
    results = in_parallel(20, lambda n: workspace.graph.write("a", "test", create_once(f"name {n}", f"n{n}")))
    assert sorted(results) == sorted(f"n{n}" for n in range(20))
    assert {row.uuid for row in workspace.rows()[0]} == set(results)


def test_a_refused_plan_changes_nothing_and_disturbs_nobody(workspace: Workspace) -> None:
    def work(number: int) -> Any:
        if number % 2:
            return workspace.graph.write("a", "test", _refuse)
        return workspace.graph.write("a", "test", create_once(f"name {number}", f"n{number}"))

    results = in_parallel(10, work)
    assert [isinstance(result, OperationFailed) for result in results] == [False, True] * 5
    assert workspace.log.stream("a").max_seq == 5


def _refuse(view: PlanView) -> Planned[None]:
    raise OperationFailed(ErrorKind.NOT_FOUND, "no")


def test_operations_that_contradict_the_graph_are_refused_before_the_log(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    with pytest.raises(Exception, match="does not hold"):
        workspace.apply("a", EntityPut(entity("n2")), MentionPut(Mention("a", "no-episode", "n2")))
    with pytest.raises(Exception, match="already belongs"):
        workspace.apply("b", EntityPut(entity("n1", "b")))
    with pytest.raises(Exception, match="in the log of group"):
        workspace.apply("a", EntityPut(entity("n3", "b")))
    assert workspace.log.stream("a").max_seq == 1
    assert workspace.log.stream("b").max_seq is None
    assert [row.uuid for row in workspace.rows()[0]] == ["n1"]


def test_a_record_too_large_for_a_line_is_refused_alone(workspace: Workspace) -> None:
    huge = "x" * (64 * 1024 * 1024)
    results = in_parallel(
        4,
        lambda n: workspace.apply("a", EntityPut(entity(f"n{n}", summary=huge if n == 2 else "short"))),
    )
    assert isinstance(results[2], OperationFailed)
    assert results[2].kind is ErrorKind.LIMIT
    assert {row.uuid for row in workspace.rows()[0]} == {"n0", "n1", "n3"}


def test_groups_that_differ_by_letter_case_only_are_refused(workspace: Workspace) -> None:
    workspace.apply("Notes", EntityPut(entity("n1", "Notes")))
    with pytest.raises(OperationFailed, match="'notes' differs from group 'Notes'") as caught:
        workspace.apply("notes", EntityPut(entity("n2", "notes")))
    assert caught.value.kind is ErrorKind.CONFLICT
    assert workspace.log.groups() == ["Notes"]


def test_the_default_group_s_name_cannot_be_taken_in_another_spelling(workspace: Workspace) -> None:
    with pytest.raises(OperationFailed, match="differs from group 'liminis'"):
        workspace.apply("LIMINIS", EntityPut(entity("n1", "LIMINIS")))
    workspace.apply("liminis", EntityPut(entity("n1", "liminis")))


def test_lines_that_another_program_appends_stop_writes_with_the_call_that_helps(workspace: Workspace) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    file = next((workspace.directory / "wal" / "a").glob("*.jsonl"))
    line = file.read_text(encoding="utf-8").replace('"seq":1', '"seq":2').replace("n1", "n2")
    with file.open("a", encoding="utf-8") as log:
        log.write(line)
    with pytest.raises(OperationFailed, match="knowledge_rebuild_from_wal") as caught:
        workspace.apply("a", EntityPut(entity("n3")))
    assert caught.value.data["applied_seq"] == 1
    assert caught.value.data["max_seq"] == 2
    workspace.apply("b", EntityPut(entity("m1", "b")))
    assert {row.uuid for row in workspace.rows()[0]} == {"n1", "m1"}


class FailingStore(MemoryStore):
    """Fails the next applications, before or after they took effect."""

    failures = 0
    takes_effect = False

    def checkpoint(self) -> bool:
        """Fail as told, and take nothing from then on."""
        if type(self).failures:
            type(self).failures -= 1
            self._closed = True
            raise StoreError("no checkpoint")
        return super().checkpoint()

    def apply(self, batch: Batch) -> None:
        """Apply, or fail as told."""
        kind = type(self)
        if kind.failures:
            kind.failures -= 1
            if kind.takes_effect:
                super().apply(batch)
            raise StoreError("the engine gave up")
        super().apply(batch)


@pytest.fixture
def failing(tmp_path: Path) -> Any:
    FailingStore.failures, FailingStore.takes_effect = 0, False
    workspace = Workspace(tmp_path, FailingStore)
    yield workspace
    workspace.close()


@pytest.mark.parametrize("takes_effect", [False, True])
def test_a_view_that_fails_once_is_repaired_before_the_caller_is_answered(
    failing: Workspace, takes_effect: bool
) -> None:
    failing.apply("a", EntityPut(entity("n1")))
    FailingStore.failures, FailingStore.takes_effect = 1, takes_effect
    failing.apply("a", EntityPut(entity("n2")))
    assert {row.uuid for row in failing.rows()[0]} == {"n1", "n2"}
    failing.apply("a", EntityPut(entity("n3")))
    assert failing.graph.state.applied_seq("a") == 3


def test_a_view_that_fails_for_good_makes_the_graph_unavailable_but_loses_nothing(failing: Workspace) -> None:
    failing.apply("a", EntityPut(entity("n1")))
    FailingStore.failures = 2
    with pytest.raises(Unavailable) as caught:
        failing.apply("a", EntityPut(entity("n2")))
    assert caught.value.data["reason"] == "apply_failed"
    assert (caught.value.data["group_id"], caught.value.data["seq"]) == ("a", 2)
    with pytest.raises(Unavailable):
        failing.apply("a", EntityPut(entity("n3")))
    failing.rebuild()
    assert {row.uuid for row in failing.rows()[0]} == {"n1", "n2"}


def test_a_store_that_fails_at_a_checkpoint_is_opened_again(failing: Workspace) -> None:
    failing.apply("a", EntityPut(entity("n1")))
    FailingStore.failures = 1
    committer = failing.graph._committer
    failing.graph.run(lambda _: committer._checkpoint())
    assert {row.uuid for row in failing.rows()[0]} == {"n1"}
    failing.apply("a", EntityPut(entity("n2")))
    assert {row.uuid for row in failing.rows()[0]} == {"n1", "n2"}


def test_reads_wait_for_a_repair_and_those_who_do_not_are_told_of_it(failing: Workspace) -> None:
    failing.apply("a", EntityPut(entity("n1")))
    graph = failing.graph
    opening, go_on = threading.Event(), threading.Event()
    open_state = graph._open_state

    def slowly() -> GraphState:
        opening.set()
        assert go_on.wait(10)
        return open_state()

    graph._open_state = slowly
    FailingStore.failures = 1
    with ThreadPoolExecutor(2) as pool:
        write = pool.submit(failing.apply, "a", EntityPut(entity("n2")))
        assert opening.wait(10)
        read = pool.submit(graph.entities, ["n1", "n2"])
        trouble = graph.trouble
        assert trouble is not None
        assert trouble.data["reason"] == "recovering"
        assert not graph.wait(0.01)
        assert not read.done()
        go_on.set()
        write.result()
        assert set(read.result()) == {"n1", "n2"}
    assert graph.trouble is None
    assert graph.wait(0)


def test_a_write_is_refused_before_the_disk_is_too_full_for_the_views(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.apply("a", EntityPut(entity("n1")))
    monkeypatch.setattr("lcg.graph.disk_space.RESERVE_BYTES", 1 << 62)
    with pytest.raises(OperationFailed, match="Make room") as caught:
        workspace.apply("a", EntityPut(entity("n2")))
    assert caught.value.data["kind"] == "io"
    assert caught.value.data["free_bytes"] < caught.value.data["needed_bytes"]
    assert [line.seq for line in workspace.log.read("a")] == [1]
    monkeypatch.undo()
    workspace.apply("a", EntityPut(entity("n3")))
    assert {row.uuid for row in workspace.rows()[0]} == {"n1", "n3"}
