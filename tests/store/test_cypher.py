"""Cypher as a caller meets it: what runs, what it returns, and what every refused query is told."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import InvalidParams, LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.store import KuzuStore
from lcg.store.memory import MemoryStore
from lcg.store.protocol import Change, CypherAnswer
from tests.store.builders import at, batch, edge, entity, episode, mention
from tests.store.engine_name import ENGINE


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KuzuStore]:
    with pytest.MonkeyPatch.context() as small:
        small.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 128 << 20)
        made = KuzuStore(tmp_path_factory.mktemp("cypher") / "graph.kuzu", ENGINE)
    made.apply(
        batch(
            [
                Change(None, entity("n1", name="Mira", name_embedded="old")),
                Change(None, entity("n2", name="Port Vell")),
            ],
            [Change(None, edge("e1", "n1", "n2", name="SAILED_TO"))],
            [Change(None, episode("p1", source_file="log.md"))],
            mentions_added=[mention("p1", "n1")],
            episode_entities={"p1": ("n1",)},
            positions=at(1),
        )
    )
    yield made
    made.close()


def ask(store: KuzuStore, query: str, parameters: dict[str, Any] | None = None, **bounds: int) -> CypherAnswer:
    bounds = {"max_rows": 1000, "timeout_ms": 30000, **bounds}
    with store.reader() as reader:
        return reader.cypher(query, parameters or {}, max_rows=bounds["max_rows"], timeout_ms=bounds["timeout_ms"])


def refusal(store: KuzuStore, query: str, parameters: dict[str, Any] | None = None, **bounds: int) -> LcgError:
    with pytest.raises(LcgError) as caught:
        ask(store, query, parameters, **bounds)
    # Whatever was refused, the same reader works on and the graph is as it was.
    assert ask(store, "MATCH (n) RETURN count(*)").rows == [[4]]
    return caught.value


def one(store: KuzuStore, expression: str, parameters: dict[str, Any] | None = None) -> Any:
    [[value]] = ask(store, f"RETURN {expression} AS it", parameters).rows
    return value


# --- answers ---


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


# --- refusals ---

ONE = "Only one statement"
FILES = "LCG_CYPHER_ALLOW_FILES=1"
DEFINITIONS = "definitions is refused"
TRANSACTION = "transaction of its own"
WRITE = "would change the graph"
BOOKKEEPING = "bookkeeping table"
REFUSED = [
    ("", "empty"),
    ("  // nothing\n /* at all */ ;", "empty"),
    ("RETURN 1; RETURN 2", ONE),
    ("COMMIT; CREATE (:Entity {uuid: 'x'})", ONE),
    ("RETURN 1;; ", ONE),
    ("RETURN 'a\\'; // b' ; DROP TABLE Entity", ONE),
    ("RETURN '//' ; DROP TABLE Entity", ONE),
    ("RETURN '/*' ; DROP TABLE Entity // */", ONE),
    ("/* ' */ COMMIT; CREATE (:Entity {uuid: 'x'}) // '", ONE),
    ("RETURN `'` ; COMMIT // `'", ONE),
    ("RETURN 1 /* open", "never closed"),
    ("RETURN 'open", "never closed"),
    ("RETURN `open", "never closed"),
    ("BEGIN TRANSACTION", TRANSACTION),
    ("begin transaction read only", TRANSACTION),
    ("COMMIT", TRANSACTION),
    ("/**/ Rollback", TRANSACTION),
    ("// x\nCHECKPOINT", TRANSACTION),
    ("EXPLAIN COMMIT", TRANSACTION),
    ("USE other", "one database"),
    ("DETACH other", "one database"),
    ("CREATE NODE TABLE T(uuid STRING PRIMARY KEY)", DEFINITIONS),
    ("create/**/rel table R(FROM Entity TO Entity)", DEFINITIONS),
    ("CREATE MACRO f(x) AS x + 1", DEFINITIONS),
    ("CREATE SEQUENCE s", DEFINITIONS),
    ("CREATE OR REPLACE x", DEFINITIONS),
    ("PROFILE CREATE SEQUENCE s", DEFINITIONS),
    ("CREATE", DEFINITIONS),
    ("DROP TABLE Entity", DEFINITIONS),
    ("ALTER TABLE Entity ADD x INT64", DEFINITIONS),
    ("COMMENT ON TABLE Entity IS 'x'", DEFINITIONS),
    ("COPY Entity FROM 'x.csv'", FILES),
    ("COPY (MATCH (n) RETURN n) TO 'out.csv'", FILES),
    ("EXPLAIN LOGICAL COPY Entity FROM 'x.csv'", FILES),
    ("LOAD FROM '/etc/passwd' RETURN *", FILES),
    ("LOAD WITH HEADERS (a STRING) FROM 'x.csv' RETURN *", FILES),
    ("LOAD EXTENSION fts", FILES),
    ("MATCH (n:Entity) LOAD FROM 'x.csv' RETURN *", FILES),
    ("MATCH (n:Entity) WHERE 1. < 2. load/**/from 'x.csv' RETURN *", FILES),
    ("UNWIND [1] AS load LOAD FROM 'x.csv' RETURN *", FILES),
    ("EXPORT DATABASE 'x'", FILES),
    ("IMPORT DATABASE 'x'", FILES),
    ("ATTACH 'x' AS y (dbtype kuzu)", FILES),
    ("INSTALL fts", FILES),
    ("FORCE INSTALL fts", FILES),
    ("UNINSTALL fts", FILES),
    ("UPDATE fts", FILES),
    ("CALL threads = 1", "settings"),
    ("CALL enable_internal_catalog=true", "settings"),
    ("CALL clear_warnings()", "the procedures that can be called are"),
    ("call Create_Fts_Index('Entity', 'i', ['name'])", "the procedures that can be called are"),
    ("CALL `project_graph`('g', ['Entity'], [])", "the procedures that can be called are"),
    ("MATCH (n:Entity) CALL storage_info('Entity') RETURN *", "the procedures that can be called are"),
    ("MATCH (p:_Position) RETURN p", BOOKKEEPING),
    ("MATCH (p:`_position`) RETURN p", BOOKKEEPING),
    ("MATCH (n:Entity) WHERE EXISTS { MATCH (m:_META) } RETURN n", BOOKKEEPING),
    ("MATCH (n:Entity|_Meta) RETURN n", BOOKKEEPING),
    ("NONSENSE", "starts with NONSENSE"),
    ("EXPLAIN", "starts with nothing"),
    ("'MATCH' (n) RETURN n", "starts with 'MATCH'"),
    ("`MATCH` (n) RETURN n", "starts with MATCH"),
    ("CREATE (:Entity {uuid: 'x'})", WRITE),
    ("CREATE p = (:Entity {uuid: 'x'})", WRITE),
    ("MERGE (:Entity {uuid: 'x'})", WRITE),
    ("MATCH (n:Entity) SET n.name = 'x'", WRITE),
    ("MATCH (n:Entity) DETACH DELETE n", WRITE),
    ("MATCH (n:Entity) SET n.name = 'x' RETURN n", WRITE),
    ("PROFILE MATCH (n:Entity) SET n.name = 'x'", "only read"),
    ("EXPLAIN MATCH (n:Entity) SET n.name = 'x'", "only read"),
    ("MATCH (n:Entity) WHERE n.name = 'x' DELETE n", WRITE),
    ("MATCH (n:Person) RETURN n", "Node tables: Entity, Episodic, RelatesToNode_"),
    ("MATCH (n:Entity) RETURN n.nme", "Cannot find property nme"),
    ("RETURN 1 +", "Parser exception"),
    ("RETURN error('boom')", "boom"),
    ("RETURN [timestamp('20000-01-01')]", "CAST(... AS STRING)"),
    ("RETURN date('0000-01-01')", "CAST(... AS STRING)"),
    ("RETURN timestamp('9999-12-31') + interval('1 day')", "CAST(... AS STRING)"),
    ("WITH date('9999-12-31') + 1 AS d RETURN d", "CAST(... AS STRING)"),
    ("WITH cast('20000-01-01' AS TIMESTAMP) AS t RETURN {a: t}", "CAST(... AS STRING)"),
    ("MATCH (n:Entity) RETURN n.created_at + (n.created_at - n.created_at)", "CAST(... AS STRING)"),
    ("RETURN interval('100000000 years')", "the graph engine refused"),
    ("RETURN map([[1]], ['a'])", "the graph engine refused"),
    ("RETURN hash(struct_pack())", "struct_pack() without values"),
    ("RETURN DISTINCT `Struct_Pack` ( )", "struct_pack() without values"),
    ("RETURN " + "(" * 4000 + "1" + ")" * 4000, "words and signs"),
    ("RETURN " + "[" * 400 + "]" * 400, "nested too deeply"),
    ("RETURN " + "CASE WHEN true THEN " * 100 + "1" + " END" * 100, "nested too deeply"),
]


@pytest.mark.parametrize(("query", "words"), REFUSED, ids=[query[:50] for query, _ in REFUSED])
def test_a_refused_query_is_told_why(store: KuzuStore, query: str, words: str) -> None:
    error = refusal(store, query)
    assert words in error.message
    assert error.data["kind"] == ErrorKind.PRECONDITION
    assert error.message.startswith("knowledge_query_cypher: ")


def test_nothing_of_a_refused_query_is_left_in_the_way_of_a_checkpoint(store: KuzuStore) -> None:
    for query in ("RETURN 1 +", "CREATE (:Entity {uuid: 'x'})", "MATCH (n:Nothing) RETURN n", "RETURN error('x')"):
        refusal(store, query)
    assert store.checkpoint() is True


# --- bounds ---


def test_a_query_that_takes_too_long_is_stopped(store: KuzuStore) -> None:
    query = "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 300) AS c RETURN count(a * b * c)"
    start = time.monotonic()
    error = refusal(store, query, timeout_ms=100)
    assert isinstance(error, OperationFailed)
    assert error.kind == ErrorKind.LIMIT
    assert "timeout_ms is 100" in error.message
    assert time.monotonic() - start < 25


def test_time_spent_on_fetching_counts(store: KuzuStore) -> None:
    query = "UNWIND range(1, 100000) AS x RETURN x, range(1, 100)"
    error = refusal(store, query, timeout_ms=400, max_rows=100_000)
    assert error.data["kind"] == ErrorKind.LIMIT


@pytest.mark.parametrize(
    "query",
    [
        "UNWIND range(1, 20) AS x RETURN range(1, 3000)",
        "UNWIND range(1, 20) AS x RETURN {a: [range(1, 3000)]}",
        "UNWIND range(1, 60000) AS x RETURN x",
        "UNWIND range(1, 80) AS x RETURN repeat('x', 900000)",
        "UNWIND range(1, 80) AS x RETURN [{a: repeat('x', 900000)}]",
    ],
)
def test_an_answer_that_is_too_large_is_a_limit(store: KuzuStore, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lcg.store.kuzu.cells.MOST_CELLS", 50_000)
    error = refusal(store, query, max_rows=100_000)
    assert error.data["kind"] == ErrorKind.LIMIT
    assert "the answer is too large after" in error.message


def test_a_large_answer_is_given(store: KuzuStore) -> None:
    assert len(ask(store, "UNWIND range(1, 2) AS x RETURN range(1, 300000)").rows) == 2
    assert len(ask(store, "UNWIND range(1, 60) AS x RETURN repeat('x', 900000)").rows) == 60


def test_a_timeout_does_not_outlive_its_query(store: KuzuStore) -> None:
    ask(store, "RETURN 1", timeout_ms=1000)
    slow = "UNWIND range(1, 2000) AS a UNWIND range(1, 3000) AS b RETURN count(a * b)"
    assert ask(store, slow, timeout_ms=30000).rows == [[6_000_000]]


def test_a_query_that_needs_too_much_memory_is_a_limit(store: KuzuStore) -> None:
    error = refusal(store, "RETURN repeat('a', 2000000000)")
    assert error.data["kind"] == ErrorKind.LIMIT


# --- parameters ---


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -(2**63),
        2**63 - 1,
        1.5,
        "",
        'it\'s "x" \\ \x00 東😀',
        [1, 2.5],
        [1, None],
        [[1], []],
        [{"a": 1}, {"a": None}],
        {"a": {"b": [1, "x"][:1]}},
        {"b": 1, "a": {"d": 2, "c": 3}},
        [{"a": 1, "b": 5}, {"b": 6, "a": 2}],
        [{"a": "x", "b": {"c": 1, "d": 2}}, {"b": {"d": 4, "c": 3}, "a": None}],
        [[{"a": 1, "b": 2}], [], [{"b": 4, "a": 3}]],
    ],
)
def test_parameters_are_bound_as_they_are(store: KuzuStore, value: Any) -> None:
    assert one(store, "$v", {"v": value}) == value


def test_an_empty_list_can_be_unwound_and_searched(store: KuzuStore) -> None:
    assert ask(store, "UNWIND $v AS x RETURN x", {"v": []}).rows == []
    assert ask(store, "MATCH (n:Entity) WHERE n.uuid IN $v RETURN n", {"v": []}).rows == []


@pytest.mark.parametrize("value", [[], [None], [[]], [[None]], [[], []], [{"a": None}], [{"a": []}], [None, None]])
def test_a_list_whose_type_nobody_can_tell_is_taken_where_the_engine_takes_it(store: KuzuStore, value: Any) -> None:
    assert ask(store, "UNWIND $v AS x RETURN x", {"v": value}).rows == [[item] for item in value]
    for query in ("RETURN $v", "RETURN list_sort($v)", "RETURN $v[1]", "RETURN size($v)", "RETURN hash($v)"):
        error = refusal(store, query, {"v": value})
        assert isinstance(error, InvalidParams)
        assert "such that v" in error.message
        assert "CAST($v AS STRING[])" in error.message
        assert "ANY" not in error.message


def test_a_list_without_values_is_taken_where_the_query_says_its_type(store: KuzuStore) -> None:
    for value in ([], [None]):
        assert one(store, "CAST($v AS STRING[])", {"v": value}) == value
    assert one(store, "CAST($v AS INT64[][])", {"v": [[]]}) == [[]]


def test_a_fault_of_the_engine_shows_none_of_its_insides(store: KuzuStore) -> None:
    error = refusal(store, "RETURN hash(NULL)")
    assert error.data["kind"] == ErrorKind.PRECONDITION
    assert "fault of its own" in error.message
    assert "ANY" not in error.message


def test_names_are_found_in_quotes_and_not_in_strings_or_comments(store: KuzuStore) -> None:
    assert one(store, "$`a b` + $a + size('$c') /* $d */", {"a b": 1, "a": 2}) == 5


def test_a_parameter_never_becomes_query_text(store: KuzuStore) -> None:
    evil = "x' OR 1=1; MATCH (n) DETACH DELETE n //"
    assert ask(store, "MATCH (n:Entity) WHERE n.name = $n RETURN n", {"n": evil}).rows == []


@pytest.mark.parametrize(
    ("query", "parameters", "words"),
    [
        ("MATCH (n:Entity) WHERE n.name = $n RETURN n", {}, "no `n`"),
        ("RETURN $a, $b", {"a": 1}, "no `b`"),
        ("RETURN 1", {"a": 1}, "`a`, which the query does not use"),
        ("RETURN $A", {"a": 1}, "no `A` and `a`, which"),
        ("RETURN '$a'", {"a": 1}, "`a`, which"),
        ("RETURN $v", {"v": 2**63}, "64-bit"),
        ("RETURN $v", {"v": [{"a": 1}, {"b": 2}]}, "same keys"),
        ("RETURN $v", {"v": {"deep": [1, "a"]}}, "v.deep is a list of values of one type"),
        ("RETURN $v", {"v": [True, 1]}, "booleans and numbers"),
        ("RETURN $v", {"v": "\ud800"}, "surrogates"),
        ("RETURN $v", {"v": [{"a": 1}, None]}, "v is a list of values of one type, got objects and null"),
        ("RETURN $v", {"v": [None, [1]]}, "lists and null. Leave the nulls out"),
        ("RETURN $v", {"v": [{"a": {"b": 1}}, {"a": None}]}, "v[].a is of one type in every object"),
        ("RETURN $v", {"v": [{"a": [1]}, {"a": None}]}, "v[].a is of one type in every object"),
        ("RETURN $v", {"v": [{"a": 1}, {"a": "x"}]}, "v[].a is of one type in every object, got numbers and texts"),
        ("RETURN $v", {"v": [[1], ["x"]]}, "v[] is a list of values of one type"),
        ("RETURN $v", {"v": [[{"a": 1}], [{"b": 1}]]}, "same keys"),
        ("RETURN $v", {"v": [{"a": [{"b": 1}]}, {"a": [{"c": 1}]}]}, "v[].a is a list of objects with the same keys"),
        ("RETURN $v", {"v": [0.5, 2**53 + 1]}, "fractions and 9007199254740993, which would be rounded"),
        ("RETURN $v", {"v": {}}, "an object with at least one key"),
        ("RETURN $v", {"v": [{"a": {}}]}, "v[0].a is an object with at least one key"),
        ("RETURN $v", {"v": {"a": None}}, "v.a is a value that has a type, got a null or an empty list"),
        ("RETURN $v.b", {"v": {"a": {"c": []}, "b": 1}}, "v.a.c[] is a value that has a type"),
    ],
)
def test_wrong_parameters_are_named(store: KuzuStore, query: str, parameters: dict[str, Any], words: str) -> None:
    error = refusal(store, query, parameters)
    assert isinstance(error, InvalidParams)
    assert words in error.message
    assert (error.data["tool"], error.data["parameter"]) == ("knowledge_query_cypher", "parameters")


def test_a_very_deep_parameter_is_refused(store: KuzuStore) -> None:
    deep: Any = 1
    for _ in range(200):
        deep = [deep]
    assert isinstance(refusal(store, "RETURN $v", {"v": deep}), InvalidParams)


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
