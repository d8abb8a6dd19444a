"""A graph whose store applies behind its writers: nobody reads less than was acknowledged, and nothing is lost."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lcg.graph.state import GraphState
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
