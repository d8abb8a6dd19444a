"""Cypher that writes, as the store runs it: one transaction, put right, recorded, or nothing at all."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import InvalidParams, LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.store import KuzuStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Bookkeeping, Change, CypherAnswer, Position, QueryWrites, RowChanges, StoreError
from tests.store.builders import at, batch, edge, entity, episode, mention
from tests.store.engine_name import ENGINE


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KuzuStore]:
    monkeypatch.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 128 << 20)
    made = KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    made.apply(
        batch(
            [Change(None, entity("n1", name="Mira")), Change(None, entity("n2", name="Tern"))],
            [Change(None, edge("e1", "n1", "n2", name="PILOTS"))],
            [Change(None, episode("p1"))],
            mentions_added=[mention("p1", "n1")],
            episode_entities={"p1": ("n1",)},
            positions=at(1),
        )
    )
    yield made
    made.close()


class Run:
    """Mutates a store and keeps what the last query changed (None: nothing, or it was refused)."""

    def __init__(self, store: KuzuStore) -> None:
        self.store = store
        self.changes: RowChanges | None = None

    def __call__(
        self, query: str, parameters: dict[str, Any] | None = None, *, max_rows: int = 1000, timeout_ms: int = 30_000
    ) -> CypherAnswer:
        self.changes = None
        return self.store.mutate(query, parameters or {}, max_rows=max_rows, timeout_ms=timeout_ms, accept=self._accept)

    def refusal(self, query: str, parameters: dict[str, Any] | None = None, **bounds: int) -> LcgError:
        before = everything(self.store)
        with pytest.raises(LcgError) as caught:
            self(query, parameters, **bounds)
        assert everything(self.store) == before
        # Nothing of it stands in the way of what comes next.
        assert self.store.checkpoint() is True
        return caught.value

    def _accept(self, changes: RowChanges) -> Bookkeeping:
        self.changes = changes
        return Bookkeeping([], {})


@pytest.fixture
def run(store: KuzuStore) -> Run:
    return Run(store)


def everything(store: KuzuStore) -> list[Any]:
    with store.reader() as reader:
        scans = (reader.scan_entities(), reader.scan_edges(), reader.scan_episodes(), reader.scan_mentions())
        return [sorted(map(repr, scan)) for scan in scans]


def read(store: KuzuStore, query: str) -> list[list[Any]]:
    with store.reader() as reader:
        return reader.cypher(query, {}, max_rows=1000, timeout_ms=30_000).rows


def hops(store: KuzuStore) -> list[list[Any]]:
    return read(
        store,
        "MATCH (a:Entity)-[:RELATES_TO]->(n:RelatesToNode_)-[:RELATES_TO]->(b:Entity) RETURN a.uuid, n.uuid, b.uuid",
    )


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
        for suffix in ("", ".wal"):
            shutil.copy(tmp_path / f"graph.kuzu{suffix}", tmp_path / f"{name}.kuzu{suffix}")
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


# --- what is put right ---


def test_a_relationship_made_by_hand_has_its_ends(store: KuzuStore, run: Run) -> None:
    run(
        "MATCH (a:Entity {uuid: 'n1'}), (b:Entity {uuid: 'n2'}) CREATE (a)-[:RELATES_TO]->"
        "(:RelatesToNode_ {uuid: 'e2', name: 'KNOWS', group_id: 'g', fact: 'a fact'})-[:RELATES_TO]->(b)"
    )
    with store.reader() as reader:
        made = reader.edges(["e2"])["e2"]
        assert [row.uuid for row in reader.neighbour_edges("n1", "out")] == ["e2", "e1"]
    assert (made.source_uuid, made.target_uuid, made.attributes) == ("n1", "n2", "{}")
    assert made.created_at > 0


def test_a_moved_link_moves_the_end(store: KuzuStore, run: Run) -> None:
    run(
        "MATCH (n:RelatesToNode_ {uuid: 'e1'})-[h:RELATES_TO]->(), (a:Entity {uuid: 'n1'}) DELETE h "
        "CREATE (n)-[:RELATES_TO]->(a)"
    )
    assert hops(store) == [["n1", "e1", "n1"]]
    assert run.changes is not None
    assert run.changes.edges == [
        Change(edge("e1", "n1", "n2", name="PILOTS"), edge("e1", "n1", "n1", name="PILOTS", fact="n1 knows n2"))
    ]


def test_a_deleted_link_leaves_the_end_open(store: KuzuStore, run: Run) -> None:
    run("MATCH (:Entity)-[h:RELATES_TO]->(:RelatesToNode_) DELETE h")
    with store.reader() as reader:
        assert reader.edges(["e1"])["e1"].source_uuid == ""
        assert reader.neighbour_edges("n2", "in") == []


def test_a_relationship_keeps_the_name_of_an_end_that_was_deleted_and_gets_it_back(store: KuzuStore, run: Run) -> None:
    run("MATCH (n:Entity {uuid: 'n2'}) DETACH DELETE n")
    unchanged = edge("e1", "n1", "n2", name="PILOTS")
    assert run.changes is not None
    assert run.changes.edges == [Change(unchanged, unchanged)]
    assert hops(store) == []
    run("CREATE (:Entity {uuid: 'n2', name: 'Tern again', group_id: 'g'})")
    assert run.changes.edges == [Change(unchanged, unchanged)]
    assert hops(store) == [["n1", "e1", "n2"]]


def test_two_links_at_one_end_are_refused(run: Run) -> None:
    error = run.refusal("MATCH (a:Entity {uuid: 'n2'}), (n:RelatesToNode_) CREATE (a)-[:RELATES_TO]->(n)")
    assert "the relationship e1 with 2 links at its source: n1, n2" in error.message


def test_what_a_row_lacks_is_what_a_structured_write_would_have_put_there(store: KuzuStore, run: Run) -> None:
    run("CREATE (:Entity {uuid: 'n3'}), (:RelatesToNode_ {uuid: 'e3'}), (:Episodic {uuid: 'p3'})")
    with store.reader() as reader:
        row, made, piece = reader.entities(["n3"])["n3"], reader.edges(["e3"])["e3"], reader.episodes(["p3"])["p3"]
    assert (row.group_id, row.name, row.labels, row.summary, row.attributes) == ("liminis", "", ("Entity",), "", "{}")
    assert (made.group_id, made.source_uuid, made.target_uuid, made.fact, made.episodes) == ("liminis", "", "", "", ())
    assert (piece.group_id, piece.content, piece.valid_at) == ("liminis", "", None)
    assert row.created_at == made.created_at == piece.created_at > 1_700_000_000_000_000
    assert read(store, "MATCH (n) WHERE n.group_id IS NULL OR n.created_at IS NULL RETURN n.uuid") == []


def test_mentions_have_their_episodes_group_and_the_episode_lists_them(store: KuzuStore, run: Run) -> None:
    run("MATCH (p:Episodic), (e:Entity) CREATE (p)-[:MENTIONS {group_id: 'wrong'}]->(e)")
    assert run.changes is not None
    assert run.changes.mentions_added == [mention("p1", "n2")]
    assert read(
        store, "MATCH (p:Episodic)-[m:MENTIONS]->(e) RETURN p.entity_edges, m.group_id, e.uuid ORDER BY e.uuid"
    ) == [
        [["n1", "n2"], "g", "n1"],
        [["n1", "n2"], "g", "n2"],
    ]
    run("MATCH (:Episodic)-[m:MENTIONS]->(:Entity {uuid: 'n1'}) DELETE m")
    assert run.changes.mentions_removed == [mention("p1", "n1")]
    assert read(store, "MATCH (p:Episodic) RETURN p.entity_edges") == [[["n2"]]]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("CREATE (:Entity {uuid: ''})", "a row of Entity whose uuid is empty"),
        ("CREATE (:Entity {uuid: NULL})", "NULL"),
        ("CREATE (:Entity {uuid: 'n1'})", "duplicated primary key"),
        ("CREATE (:Entity {uuid: 'e1'})", "the uuid e1 to rows of several tables"),
        ("CREATE (:Episodic {uuid: 'n1'}), (:RelatesToNode_ {uuid: 'n1'})", "the uuid n1 to rows of several tables"),
        ("MATCH (e:Entity {uuid: 'n1'}) SET e.group_id = 'other'", "mention the entity n1 of another group"),
        ("MATCH (n:Entity) SET n.created_at = timestamp('20000-01-01')", "created_at outside the years"),
        ("MATCH (n:RelatesToNode_) SET n.valid_at = date('0000-12-31')", "valid_at outside the years"),
        ("MATCH (n:RelatesToNode_) SET n.invalid_at = timestamp('20000-01-01') RETURN n", "invalid_at outside"),
        ("CREATE (p:Episodic {uuid: 'x', valid_at: timestamp('20000-01-01')}) RETURN p.valid_at", "valid_at outside"),
        (
            "MATCH (n:Entity) SET n.created_at = timestamp('20000-01-01') WITH n, n.created_at AS t "
            "SET n.created_at = timestamp('2020-01-01') RETURN t",
            "CAST(... AS STRING)",
        ),
        (
            "CREATE (n:Entity {uuid: 'x', created_at: timestamp('20000-01-01')}) DELETE n RETURN n",
            "CAST(... AS STRING)",
        ),
        ("MATCH (n:Entity {uuid: 'n1'}) DELETE n", "refused the query"),
        ("MATCH (n:Entity) SET n.uuid = 'x'", "refused the query"),
        ("MATCH (n:Entity) SET n.nothing = 1", "Cannot find property nothing"),
        ("EXPLAIN MATCH (n:Entity) SET n.name = 'x'", "only read"),
        ("PROFILE MATCH (n:Entity) SET n.name = 'x'", "only read"),
        ("CREATE (:_Meta {key: 'unlogged_mutations', value: '0'})", "bookkeeping table"),
        ("MATCH (p:`_position`) DELETE p", "bookkeeping table"),
        ("MATCH (n) DETACH DELETE n; COMMIT", "Only one statement"),
        ("COMMIT", "transaction of its own"),
        ("CREATE NODE TABLE T(uuid STRING PRIMARY KEY)", "definitions is refused"),
        ("CALL enable_internal_catalog=true", "settings"),
        ("LOAD FROM 'x.csv' CREATE (:Entity {uuid: column0})", "LCG_CYPHER_ALLOW_FILES=1"),
    ],
)
def test_what_has_no_right_form_is_refused_whole(run: Run, query: str, words: str) -> None:
    error = run.refusal(query)
    assert words in error.message
    assert error.data["kind"] == ErrorKind.PRECONDITION


def test_known_times_may_be_stored_and_returned(run: Run) -> None:
    query = "MATCH (n:Entity {uuid: 'n1'}) SET n.created_at = timestamp($t), n.name = n.name + '!' RETURN n.name"
    assert run(query, {"t": "2020-01-01 00:00:00"}).rows == [["Mira!"]]
    stored = "MATCH (n:Entity {uuid: 'n1'}) SET n.created_at = timestamp($t) RETURN n.created_at"
    assert run(stored, {"t": "2021-01-01"}).rows == [["2021-01-01 00:00:00"]]
    assert "outside the years" in run.refusal(stored, {"t": "20210-01-01"}).message
    assert run("MATCH (a:Entity)-[:RELATES_TO]->(r) SET a.name = a.name + 'x' RETURN a").rows[0][0]["name"] == "Mira!x"


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


# --- files, where the service allows them ---


@pytest.fixture
def open_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KuzuStore]:
    monkeypatch.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 128 << 20)
    made = KuzuStore(tmp_path / "open.kuzu", ENGINE, cypher_allow_files=True)
    made.apply(batch([Change(None, entity("n1", name="Mira"))], positions=at(1)))
    yield made
    made.close()


def test_files_are_read_and_written_when_the_service_allows_it(open_store: KuzuStore, tmp_path: Path) -> None:
    source, target = tmp_path / "people.csv", tmp_path / "out.csv"
    source.write_text("k1,Ada\nk2,Ben\n")
    assert read(open_store, f"LOAD FROM '{source}' RETURN column1") == [["Ada"], ["Ben"]]
    run = Run(open_store)
    run(f"LOAD FROM '{source}' CREATE (:Entity {{uuid: column0, name: column1, group_id: 'g'}})")
    assert run.changes is not None
    assert [change.new.name for change in run.changes.entities if change.new] == ["Ada", "Ben"]
    read(open_store, f"COPY (MATCH (n:Entity) RETURN n.name ORDER BY n.name) TO '{target}'")
    assert target.read_text().split()[-3:] == ["Ada", "Ben", "Mira"]
    read(open_store, f"EXPORT DATABASE '{tmp_path / 'export'}'")
    assert (tmp_path / "export" / "schema.cypher").is_file()
    run("INSTALL fts")
    assert run.changes is None


def test_times_in_files_are_not_fetched_unseen(open_store: KuzuStore, tmp_path: Path) -> None:
    source = tmp_path / "times.csv"
    source.write_text("20000-01-01\n")
    error = Run(open_store).refusal(f"LOAD WITH HEADERS (t TIMESTAMP) FROM '{source}' RETURN t")
    assert "CAST(... AS STRING)" in error.message


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("COPY Entity FROM 'x.csv'", "Use LOAD FROM"),
        ("COPY Entity(uuid) FROM (RETURN 1)", "Use LOAD FROM"),
        ("IMPORT DATABASE 'x'", "it makes tables"),
        ("ATTACH 'x' AS y (dbtype kuzu)", "one database"),
        ("DETACH y", "one database"),
        ("USE y", "one database"),
        ("CHECKPOINT", "transaction of its own"),
        ("LOAD FROM 'x.csv' CREATE NODE TABLE T(a STRING PRIMARY KEY)", "refused the query"),
    ],
)
def test_some_statements_are_refused_even_then(open_store: KuzuStore, query: str, words: str) -> None:
    assert words in Run(open_store).refusal(query).message


def test_the_memory_store_refuses() -> None:
    with pytest.raises(OperationFailed, match="no Cypher"):
        MemoryStore().mutate("RETURN 1", {}, max_rows=1, timeout_ms=1, accept=lambda changes: Bookkeeping([], {}))
