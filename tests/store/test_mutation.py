"""Cypher that writes, as the store runs it: one transaction, recorded, within its bounds, or nothing at all."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import InvalidParams, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import Bookkeeping, Change, CypherAnswer, Position, QueryWrites, RowChanges, StoreError
from tests.store.builders import batch, entity
from tests.store.changed_store import Run, changed_store, everything, hops, read
from tests.store.engine_name import ENGINE


@pytest.fixture
def store(tmp_path: Path) -> Iterator[KuzuStore]:
    with changed_store(tmp_path) as made:
        yield made


@pytest.fixture
def run(store: KuzuStore) -> Run:
    return Run(store)


# --- what is changed, and what counts as a change ---


def test_a_reader_does_nothing_with_a_query_that_writes(store: KuzuStore) -> None:
    with store.reader() as reader, pytest.raises(QueryWrites):
        reader.cypher("MATCH (n) DETACH DELETE n", {}, max_rows=1, timeout_ms=1000)
    assert read(store, "MATCH (n) RETURN count(*)") == [[4]]


def test_the_changed_rows_are_told_as_they_were_and_as_they_are(run: Run) -> None:
    answer = run("MATCH (n:Entity {uuid: $u}) SET n.name = $name RETURN n.name, n.created_at", {"u": "n1", "name": "M"})
    assert answer == CypherAnswer(["n.name", "n.created_at"], [["M", "2026-03-02 12:00:00"]], False)
    assert run.changes == RowChanges([Change(entity("n1", name="Mira"), entity("n1", name="M"))], [], [], [], [])


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n:Entity) SET n.name = n.name",
        "MATCH (n:Entity) WHERE n.uuid = 'nobody' DELETE n",
        "MERGE (n:Entity {uuid: 'n1'})",
        "CREATE (n:Entity {uuid: 'n9'}) DELETE n",
        "MATCH (p:Episodic) SET p.entity_edges = ['n2', 'n9']",
        "MATCH (n:Entity) SET n._name_embedded = n.name",
        "MATCH (a:Entity {uuid: 'n1'}), (n:RelatesToNode_) CREATE (a)-[:RELATES_TO]->(n)",
        "MATCH (a:Entity {uuid: 'n1'}), (p:Episodic) CREATE (p)-[:MENTIONS]->(a)",
        "MATCH ()-[m:MENTIONS]->() SET m.group_id = 'x'",
        "MATCH (n:RelatesToNode_) SET n._source_uuid = 'n2'",
    ],
)
def test_a_query_that_leaves_the_rows_as_they_were_changes_nothing(store: KuzuStore, run: Run, query: str) -> None:
    before = everything(store)
    run(query)
    assert run.changes is None
    assert everything(store) == before
    assert hops(store) == [["n1", "e1", "n2"]]


@pytest.mark.parametrize(
    "setting",
    [
        "n.name = n.summary, n.summary = n.name",
        "n.labels = ['a', 'b']",
        "n.labels = ['b', 'a']",
        "n.summary = 'x'",
        "n.attributes = 'x'",
        "n.created_at = timestamp('2026-03-02 12:00:00.000001')",
        "n.group_id = 'other'",
        "n._summary_embedded = 'x'",
    ],
)
def test_every_column_counts_as_a_change(store: KuzuStore, run: Run, setting: str) -> None:
    before = everything(store)
    run(f"MATCH (n:Entity {{uuid: 'n2'}}) SET {setting}")
    assert run.changes is not None
    assert [change.old for change in run.changes.entities] == [entity("n2", name="Tern")]
    assert everything(store) != before


def test_bookkeeping_is_recorded_with_the_change_and_stays_hidden(store: KuzuStore) -> None:
    moved = Position("g", 1, "gen-1", 7)
    query = "MATCH (n) WHERE n.uuid = 'n2' DETACH DELETE n"
    bounds: dict[str, Any] = {"max_rows": 1, "timeout_ms": 30_000}
    store.mutate(query, {}, **bounds, accept=lambda _: Bookkeeping([moved], {"count": "1"}))
    assert (store.positions(), store.meta("count")) == ({"g": moved}, "1")
    assert read(store, "MATCH (n) RETURN count(*)") == [[3]]


def test_what_the_acceptor_refuses_never_happened(store: KuzuStore) -> None:
    def refuse(changes: RowChanges) -> Bookkeeping:
        raise OperationFailed(ErrorKind.CONFLICT, "no")

    before = everything(store)
    with pytest.raises(OperationFailed, match="no"):
        store.mutate("MATCH (n) DETACH DELETE n", {}, max_rows=1, timeout_ms=30_000, accept=refuse)
    assert everything(store) == before
    assert store.checkpoint() is True


def test_a_change_outlives_the_process(store: KuzuStore, run: Run, tmp_path: Path) -> None:
    run("MATCH (n:Entity {uuid: 'n1'}) SET n.name = 'M'")
    after = everything(store)
    store.close()
    again = KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    assert everything(again) == after
    again.close()


def test_a_crash_leaves_all_of_a_change_or_nothing_of_it(store: KuzuStore, tmp_path: Path) -> None:
    def crash(name: str) -> KuzuStore:
        """Open what a process that died now would leave."""
        for file in tmp_path.glob("graph.kuzu*"):
            shutil.copy(file, tmp_path / file.name.replace("graph", name))
        return KuzuStore(tmp_path / f"{name}.kuzu", ENGINE)

    left: list[tuple[list[Any], str | None]] = []

    def look(name: str) -> None:
        survivor = crash(name)
        left.append((everything(survivor), survivor.meta("count")))
        survivor.close()

    def accept(changes: RowChanges) -> Bookkeeping:
        look("before")
        return Bookkeeping([], {"count": "1"})

    before = everything(store)
    store.mutate("MATCH (n) DETACH DELETE n", {}, max_rows=1, timeout_ms=30_000, accept=accept)
    look("after")
    assert left == [(before, None), ([[], [], [], []], "1")]


def test_a_store_whose_commit_failed_refuses_everything(
    store: KuzuStore, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(session: Any, statement: str) -> None:
        store._fault = "broken"
        raise StoreError("broken")

    monkeypatch.setattr(store, "_seal", fail)
    with pytest.raises(StoreError):
        run("MATCH (n:Entity {uuid: 'n1'}) SET n.name = 'M'")
    with pytest.raises(StoreError):
        store.positions()


# --- parameters and bounds ---


def test_a_name_that_is_not_bound_deletes_nothing(run: Run) -> None:
    error = run.refusal("MATCH (n:Entity) WHERE n.name = $name DETACH DELETE n")
    assert isinstance(error, InvalidParams)
    assert "no `name`" in error.message
    assert isinstance(run.refusal("MATCH (n:Entity) WHERE n.name = $a DETACH DELETE n", {"b": "x"}), InvalidParams)


def test_many_rows_come_from_one_parameter(store: KuzuStore, run: Run) -> None:
    rows = [{"uuid": f"k{number}", "name": f"name {number}"} for number in range(3000)]
    query = "UNWIND $rows AS r CREATE (n:Entity {uuid: r.uuid, name: r.name, group_id: 'g'}) RETURN n.uuid"
    answer = run(query, {"rows": rows}, max_rows=2)
    assert (len(answer.rows), answer.truncated) == (2, True)
    assert run.changes is not None
    assert len(run.changes.entities) == 3000
    assert read(store, "MATCH (n:Entity) RETURN count(*)") == [[3002]]
    run("MATCH (n:Entity) DETACH DELETE n")
    assert len(run.changes.entities) == 3002


def test_a_mutation_that_takes_too_long_is_taken_back(run: Run) -> None:
    query = (
        "MATCH (n:Entity) SET n.name = 'x' WITH n UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b "
        "UNWIND range(1, 300) AS c RETURN count(a * b * c)"
    )
    error = run.refusal(query, timeout_ms=150)
    assert error.data["kind"] == ErrorKind.LIMIT
    assert "Nothing was changed" in error.message
    run("MATCH (n:Entity {uuid: 'n1'}) SET n.name = 'M'")
    assert run.changes is not None


def test_a_change_that_was_taken_back_stands_in_the_way_of_no_later_one(store: KuzuStore, run: Run) -> None:
    # The engine's own rollback of a changed row spoils its history, from the second time on.
    row = entity("n1", name="Mira")
    for number in range(4):
        renamed = entity("n1", name=f"name {number}")
        store.apply(batch([Change(row, renamed)]))
        row = renamed
        for query in (
            "MATCH (n:Entity) SET n.name = 'lost', n.created_at = timestamp('20000-01-01')",
            "MATCH (n:Entity) SET n.name = 'lost' WITH n RETURN error('stop')",
        ):
            run.refusal(query)
        run("MATCH (n:Entity {uuid: 'n2'}) SET n.name = $name", {"name": f"other {number}"})
        assert read(store, "MATCH (n:Entity) RETURN n.name ORDER BY n.uuid") == [
            [f"name {number}"],
            [f"other {number}"],
        ]
    store.set_meta("still", "bookkeeping")
    assert (store.meta("still"), store.positions()["g"].applied_seq) == ("bookkeeping", 1)


def test_a_store_whose_readers_do_not_come_back_refuses_to_go_on_in_doubt(
    store: KuzuStore, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for patience in ("RENEW_PATIENCE_SECONDS", "CLOSE_PATIENCE_SECONDS"):
        monkeypatch.setattr(f"lcg.store.kuzu.store.{patience}", 0.05)
    with store.reader(), pytest.raises(StoreError, match="in doubt"):
        run("MATCH (n:Entity) SET n.created_at = timestamp('20000-01-01')")
    with pytest.raises(StoreError, match="in doubt"):
        store.positions()


def test_time_spent_on_waiting_counts(store: KuzuStore) -> None:
    with pytest.raises(OperationFailed) as caught:
        store.mutate(
            "MATCH (n) DETACH DELETE n",
            {},
            max_rows=1,
            timeout_ms=500,
            spent_ms=500,
            accept=lambda changes: Bookkeeping([], {}),
        )
    assert caught.value.kind == ErrorKind.LIMIT
    assert read(store, "MATCH (n) RETURN count(*)") == [[4]]


def test_readers_see_all_of_a_change_or_nothing_of_it_and_wait_for_nobody(store: KuzuStore) -> None:
    seen: list[list[list[Any]]] = []

    def look(changes: RowChanges) -> Bookkeeping:
        seen.append(read(store, "MATCH (n:Entity) RETURN n.name ORDER BY n.name"))
        assert store.positions()["g"].applied_seq == 1
        return Bookkeeping([], {})

    bounds: dict[str, Any] = {"max_rows": 1, "timeout_ms": 30_000}
    store.mutate("MATCH (n:Entity) SET n.name = 'x'", {}, **bounds, accept=look)
    assert seen == [[["Mira"], ["Tern"]]]
    assert read(store, "MATCH (n:Entity) RETURN n.name") == [["x"], ["x"]]
