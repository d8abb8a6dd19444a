"""A graph whose store applies behind its writers: nobody reads less than was acknowledged, and nothing is lost."""

import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

import pytest

from lcg.graph.state import GraphState, Reached
from lcg.model.operations import EdgePut, EntityDelete, EntityPut, Operation
from lcg.runtime.groups import ALL_GROUPS
from lcg.search.protocol import TextKind
from lcg.store.behind import BehindStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Batch, StoreError
from tests.graph.harness import Workspace
from tests.store.builders import edge, entity


class GatedStore(MemoryStore):
    """Applies while its gate is open; `failures` of the next batches fail that are applied behind their writers."""

    def __init__(self, gate: threading.Event, failures: list[str]) -> None:
        super().__init__()
        self._gate = gate
        self._failures = failures

    def apply(self, batch: Batch) -> None:
        """Wait for the gate, then apply or fail."""
        self._gate.wait()
        if self._failures and threading.current_thread().name == "lcg-store":
            raise StoreError(self._failures.pop())
        super().apply(batch)


class Gated:
    """A workspace on such a store."""

    def __init__(self, directory: Path) -> None:
        self.gate = threading.Event()
        self.gate.set()
        self.failures: list[str] = []
        directory.mkdir()
        self.workspace = Workspace(directory, lambda: BehindStore(GatedStore(self.gate, self.failures)))

    def put(self, *operations: Operation) -> None:
        self.workspace.apply("g", *operations)

    def found(self, text: str) -> list[str]:
        return [hit.uuid for hit in self.workspace.text.search(TextKind.ENTITY, text, ALL_GROUPS, 10)]


@pytest.fixture
def gated(tmp_path: Path) -> Iterator[Gated]:
    made = Gated(tmp_path / "w")
    yield made
    made.gate.set()
    made.workspace.close()


def test_a_write_is_acknowledged_before_the_store_has_it_and_rows_are_read_at_once(gated: Gated) -> None:
    gated.gate.clear()
    gated.put(EntityPut(entity("a", name="harbour")))
    assert gated.workspace.graph.entities(["a"]) == {"a": entity("a", name="harbour")}
    assert gated.found("harbour") == ["a"]


def test_what_has_to_be_asked_of_the_store_waits_for_it(gated: Gated) -> None:
    gated.put(EntityPut(entity("a")), EntityPut(entity("b")))
    gated.gate.clear()
    gated.put(EdgePut(edge("e", "a", "b")))
    answers: list[list[str]] = []
    asking = threading.Thread(
        target=lambda: answers.append([row.uuid for row in gated.workspace.graph.neighbour_edges("a", "out")])
    )
    asking.start()
    asking.join(0.05)
    assert answers == []
    gated.gate.set()
    asking.join()
    assert answers == [["e"]]


def test_a_deleted_row_is_gone_at_once(gated: Gated) -> None:
    gated.put(EntityPut(entity("a")))
    gated.put(EntityDelete("a"))
    assert gated.workspace.graph.entities(["a"]) == {}


def test_what_the_store_could_not_apply_is_taken_from_the_log_before_anybody_reads(gated: Gated) -> None:
    gated.put(EntityPut(entity("a")))
    gated.failures.append("no room")
    gated.put(EntityPut(entity("b")))
    with gated.workspace.graph.reader() as reader:
        assert sorted(row.uuid for row in reader.scan_entities()) == ["a", "b"]


@pytest.mark.parametrize("after", range(4))
def test_writes_go_on_after_a_batch_that_failed(gated: Gated, after: int) -> None:
    for number in range(6):
        if number == after:
            gated.failures.append("no room")
        gated.put(EntityPut(entity(f"n{number}")))
    before = gated.workspace.digests()
    with gated.workspace.graph.reader() as reader:
        assert sorted(row.uuid for row in reader.scan_entities()) == [f"n{number}" for number in range(6)]
    gated.workspace.rebuild()
    assert gated.workspace.digests() == before


def test_reads_go_on_when_the_state_whose_batch_failed_was_replaced_meanwhile(gated: Gated) -> None:
    graph = gated.workspace.graph
    gated.gate.clear()
    gated.failures.append("no room")
    gated.put(EntityPut(entity("a")))

    def reopen(state: GraphState) -> GraphState:
        gated.gate.set()
        state.close()
        return graph._open_state()

    graph.swap("recovering", reopen)
    assert graph.wait(5)
    gated.put(EntityPut(entity("b")))
    with graph.reader() as reader:
        assert sorted(row.uuid for row in reader.scan_entities()) == ["a", "b"]


@pytest.mark.parametrize("how", ["read", "lent reader", "snapshot"])
def test_a_read_is_asked_again_as_often_as_another_state_was_put_in_its_place(
    gated: Gated, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    graph = gated.workspace.graph
    gated.put(EntityPut(entity("a")), EntityPut(entity("b")), EdgePut(edge("e", "a", "b")))
    swaps = [1, 2, 3]

    def closed_meanwhile(store: BehindStore) -> None:
        if swaps and threading.current_thread() is threading.main_thread():
            swaps.pop()
            graph.swap("recovering", reopened)
            raise StoreError("the store is closed")

    def reopened(state: GraphState) -> GraphState:
        state.close()
        return graph._open_state()

    monkeypatch.setattr(BehindStore, "settle", closed_meanwhile)
    if how == "read":
        assert [row.uuid for row in graph.neighbour_edges("a", "out")] == ["e"]
    elif how == "lent reader":
        with graph.reader() as reader:
            assert sorted(row.uuid for row in reader.scan_entities()) == ["a", "b"]
    else:
        with graph.snapshot() as snapshot:
            assert sorted(row.uuid for row in snapshot.reader.scan_entities()) == ["a", "b"]
    assert swaps == []


def test_a_state_that_failed_is_not_read_because_an_earlier_failure_was_seen_to(
    gated: Gated, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two failures with a swap between them, the first has nothing left to repair; the second has."""
    graph, committer = gated.workspace.graph, gated.workspace.graph._committer
    gated.gate.clear()
    gated.failures += ["no room either", "no room"]
    gated.put(EntityPut(entity("a")))
    late = threading.Thread(target=gated.put, args=(EntityPut(entity("b")),))
    answers: list[object] = []
    serve_job, repair = committer._serve_job, committer._repair

    def read() -> None:
        try:
            with graph.reader() as reader:
                answers.append(sorted(row.uuid for row in reader.scan_entities()))
        except StoreError as error:
            answers.append(error)

    reading = threading.Thread(target=read)

    def reopened(state: GraphState) -> GraphState:
        gated.gate.set()  # The batch of the first write fails, and asks for a repair.
        state.close()
        opened = graph._open_state()
        late.start()
        while not committer._waiting:
            late.join(0.001)
        return opened

    def serve_after_the_failure(job: Callable[[GraphState], object], future: Future[object]) -> None:
        if late.ident is not None:
            with suppress(StoreError):
                committer.state.store.settle()  # The batch of the second write has failed as well.
        serve_job(job, future)

    def repair_late(reached: Reached) -> GraphState:
        reading.start()
        reading.join(0.1)
        return repair(reached)

    monkeypatch.setattr(committer, "_serve_job", serve_after_the_failure)
    monkeypatch.setattr(committer, "_repair", repair_late)
    graph.replace(reopened)
    late.join()
    with graph.reader() as reader:
        assert sorted(row.uuid for row in reader.scan_entities()) == ["a", "b"]
    reading.join()
    assert answers == [["a", "b"]]


def test_many_writers_over_a_store_that_fails_now_and_then_lose_nothing(gated: Gated) -> None:
    def write(first: int) -> None:
        for number in range(first, first + 10):
            if number % 17 == 0:
                gated.failures.append("no room")
            gated.put(EntityPut(entity(f"n{number}")))

    writers = [threading.Thread(target=write, args=(10 * place,)) for place in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    with gated.workspace.graph.reader() as reader:
        assert {row.uuid for row in reader.scan_entities()} == {f"n{number}" for number in range(80)}
    assert set(gated.workspace.graph.entities([f"n{number}" for number in range(80)])) == {
        f"n{number}" for number in range(80)
    }


def as_it_is(workspace: Workspace) -> MemoryStore:
    """Return a store with the present entities and positions, for a later start."""
    store, copy = workspace.graph.state.store, MemoryStore()
    with store.reader() as reader:
        copy._entities.update({row.uuid: row for row in reader.scan_entities()})
    copy._positions.update(store.positions())
    return copy


def test_indexes_that_were_ahead_of_the_store_when_the_process_died_are_right_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    living, died = tmp_path / "living", tmp_path / "died"
    living.mkdir()
    workspace = Workspace(living)
    workspace.apply("g", EntityPut(entity("a", name="harbour")), EntityPut(entity("c", name="ferry")))
    at_the_first_line = as_it_is(workspace)
    workspace.apply("g", EntityPut(entity("a", name="lighthouse")), EntityPut(entity("b", name="quay")))
    shutil.copytree(living, died)  # with indexes at the second line
    workspace.apply("g", EntityPut(entity("a", name="harbour")), EntityPut(entity("d", name="dyke")))
    live = workspace.digests()
    workspace.close()
    shutil.copytree(living / "wal", died / "wal", dirs_exist_ok=True)
    workspace.directory = died
    with caplog.at_level("INFO"):
        workspace.open(at_the_first_line)
    words = ("harbour", "lighthouse", "quay", "ferry", "dyke")
    found = {word: [hit.uuid for hit in workspace.text.search(TextKind.ENTITY, word, ALL_GROUPS, 10)] for word in words}
    positions = (workspace.text.positions(), workspace.vectors.positions())
    digests = workspace.digests()
    workspace.close()
    assert found == {"harbour": ["a"], "lighthouse": [], "quay": ["b"], "ferry": ["c"], "dyke": ["d"]}
    assert positions == ({"g": 3}, {"g": 3})
    assert digests == live
    assert "anew" not in caplog.text
