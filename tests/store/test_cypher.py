"""Cypher as a caller meets it: what runs, and what it returns."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.store.kuzu.store import KuzuStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Change, CypherAnswer
from tests.store.builders import batch, edge, entity
from tests.store.cypher_store import ask, asked_store, one, refusal
from tests.store.engine_name import ENGINE


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KuzuStore]:
    with asked_store(tmp_path_factory.mktemp("cypher")) as made:
        yield made


def test_a_query_gives_columns_rows_and_times_as_text(store: KuzuStore) -> None:
    answer = ask(store, "MATCH (n:Entity) WHERE n.name = $n RETURN n.uuid, n.created_at", {"n": "Mira"})
    assert answer == CypherAnswer(["n.uuid", "n.created_at"], [["n1", "2026-03-02 12:00:00"]], False)


def test_nodes_show_their_label_and_their_own_visible_properties(store: KuzuStore) -> None:
    expected = {
        "_label": "Entity",
        "uuid": "n1",
        "group_id": "g",
        "name": "Mira",
        "labels": ["Entity"],
        "created_at": "2026-03-02 12:00:00",
        "summary": "",
        "attributes": "{}",
    }
    assert ask(store, "MATCH (n:Entity {uuid: 'n1'}) RETURN n").rows == [[expected]]
    assert [expected] in ask(store, "MATCH (n) RETURN n").rows


def test_an_episode_node_lists_the_entities_it_mentions(store: KuzuStore) -> None:
    [[piece]] = ask(store, "MATCH (p:Episodic) RETURN p").rows
    assert piece["entity_edges"] == ["n1"]
    assert set(piece) == {
        "_label",
        "uuid",
        "group_id",
        "name",
        "created_at",
        "source",
        "source_description",
        "content",
        "valid_at",
        "entity_edges",
    }


def test_links_show_their_label_and_visible_properties(store: KuzuStore) -> None:
    assert ask(store, "MATCH ()-[m:MENTIONS]->() RETURN m").rows == [[{"_label": "MENTIONS", "group_id": "g"}]]
    two_hops = ask(store, "MATCH (:Entity)-[a:RELATES_TO]->(r:RelatesToNode_)-[b:RELATES_TO]->(:Entity) RETURN a, r, b")
    [[first, node, second]] = two_hops.rows
    assert first == second == {"_label": "RELATES_TO"}
    assert (node["_label"], node["name"], node["valid_at"]) == ("RelatesToNode_", "SAILED_TO", None)
    assert not any(key.startswith("_") for key in node if key != "_label")


def test_a_path_is_its_nodes_and_links(store: KuzuStore) -> None:
    [[path]] = ask(store, "MATCH p = (:Episodic)-[:MENTIONS]->(:Entity) RETURN p").rows
    assert [node["uuid"] for node in path["nodes"]] == ["p1", "n1"]
    assert path["rels"] == [{"_label": "MENTIONS", "group_id": "g"}]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1", 1),
        ("1.5", 1.5),
        ("true", True),
        ("NULL", None),
        ("'é東😀'", "é東😀"),
        ("0.0/0.0", None),
        ("1.5/0", None),
        ("[1.0, 1.5/0]", [1.0, None]),
        ("[]", []),
        ("{a: 1, b: [true, NULL]}", {"a": 1, "b": [True, None]}),
        ("map([1, 2], ['a', 'b'])", {"1": "a", "2": "b"}),
        ("date('2020-01-02')", "2020-01-02"),
        ("timestamp('2020-01-01 01:02:03.4')", "2020-01-01 01:02:03"),
        ("cast('0020-01-01' AS TIMESTAMP)", None),
        ("interval('3 days')", "3 days, 0:00:00"),
        ("uuid('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
        (r"BLOB('\\xAA')", "aa"),
        ("CAST(1.50 AS DECIMAL(5,2))", "1.50"),
        ("CAST('12345678901234567890123' AS INT128)", "12345678901234567890123"),
        ("CAST(timestamp('20000-01-01') AS STRING)", "20000-01-01 00:00:00"),
        ("date_part('year', timestamp('20000-01-01'))", 20000),
    ],
)
def test_cells_are_json_values(store: KuzuStore, expression: str, value: Any) -> None:
    if expression.startswith("cast("):
        assert "CAST(... AS STRING)" in refusal(store, f"RETURN {expression} AS it").message
    else:
        assert one(store, expression) == value


def test_max_rows_cuts_and_says_so(store: KuzuStore) -> None:
    query = "UNWIND range(1, 10) AS x RETURN x ORDER BY x DESC"
    assert ask(store, query, max_rows=3) == CypherAnswer(["x"], [[10], [9], [8]], True)
    assert ask(store, query, max_rows=10).truncated is False
    assert ask(store, query + " LIMIT 4", max_rows=3) == CypherAnswer(["x"], [[10], [9], [8]], True)
    assert ask(store, query + " LIMIT 3", max_rows=3).truncated is False
    assert len(ask(store, query + " SKIP 8 // the rest\n;", max_rows=3).rows) == 2


def test_a_cut_answer_does_not_make_the_rest(store: KuzuStore) -> None:
    query = "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c RETURN a, b, c"
    assert len(ask(store, query, max_rows=5).rows) == 5


@pytest.mark.parametrize(
    "query",
    [
        "RETURN 1 AS x UNION ALL RETURN 2 AS x",
        "MATCH (n:Entity) WHERE EXISTS { MATCH (n)-[:RELATES_TO]->() } RETURN n.uuid AS limit",
        "MATCH (n:Entity) RETURN n.uuid AS call",
        "WITH 1 AS load WITH load RETURN load",
        "MATCH (copy:Entity) RETURN copy.uuid // COPY; DROP",
        "MATCH (n:Entity) /* ; CREATE */ RETURN n.uuid",
        "MATCH (n:Entity) WHERE n.name <> 'it; DROP \\' TABLE' RETURN n.uuid",
        'MATCH (n:Entity) WHERE n.name <> "; COMMIT" RETURN n.uuid',
        "MATCH (n:Entity) RETURN n.uuid AS `COPY; LOAD FROM`",
        "match (n:Entity) return n.uuid;",
        "MATCH (n) RETURN label(n), count(*)",
        "CALL show_tables() RETURN name",
        "call `show_tables`() RETURN *",
        "CALL table_info('Entity') RETURN name",
        "CALL show_connection('MENTIONS') RETURN *",
        "CALL db_version() RETURN *",
        "EXPLAIN MATCH (n:Entity) RETURN n.uuid",
        "PROFILE MATCH (n:Entity) RETURN n.uuid",
        "EXPLAIN LOGICAL MATCH (n:Entity) RETURN n.uuid",
        "MATCH (n:Entity) RETURN CAST(n.created_at AS DATE) AS day, count(*)",
        "MATCH (n:Entity) RETURN date_trunc('month', n.created_at) AS month, count(*)",
        "MATCH (n:Entity) WHERE n.created_at > timestamp('2020-01-01') - interval('1 day') RETURN max(n.created_at)",
        "MATCH (n:Entity) RETURN collect(n.created_at), size(n.name) + 1",
    ],
)
def test_queries_that_read_are_run(store: KuzuStore, query: str) -> None:
    assert ask(store, query).rows


def test_columns_of_one_name_are_kept_or_refused_by_the_engine(store: KuzuStore) -> None:
    try:
        answer = ask(store, "RETURN 1 AS a, 2 AS a")
    except OperationFailed as error:
        assert "same name" in error.message
    else:
        assert answer == CypherAnswer(["a", "a"], [[1, 2]], False)


def test_bookkeeping_is_not_part_of_the_graph(store: KuzuStore) -> None:
    assert ask(store, "MATCH (n) RETURN count(*)").rows == [[4]]
    names = {row[0] for row in ask(store, "CALL show_tables() RETURN name").rows}
    assert names == {"Entity", "Episodic", "RelatesToNode_", "RELATES_TO", "MENTIONS"}


# --- rows that something else spoilt, and the store without an engine ---


def test_a_row_with_nulls_is_still_read(tmp_path: Path) -> None:
    with_nulls = KuzuStore(tmp_path / "graph.kuzu", ENGINE)
    with_nulls.apply(batch([Change(None, entity("n1"))], [Change(None, edge("e1", "n1", "n1"))]))
    session = with_nulls.writer_reader().session
    session.command("MATCH (n:Entity) SET n.name = NULL, n.labels = NULL, n.created_at = NULL, n.attributes = NULL")
    session.command("MATCH (n:RelatesToNode_) SET n.fact = NULL, n._source_uuid = NULL")
    expected = replace(entity("n1"), name="", labels=(), created_at=0, attributes="{}")
    assert list(with_nulls.writer_reader().scan_entities()) == [expected]
    assert [row.fact for row in with_nulls.writer_reader().scan_edges()] == [""]
    with_nulls.close()


def test_the_memory_store_says_that_it_has_no_cypher() -> None:
    with pytest.raises(OperationFailed, match="no Cypher"):
        MemoryStore().cypher("RETURN 1", {}, max_rows=1, timeout_ms=1)
