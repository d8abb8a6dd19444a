"""Cypher that is refused, and the bounds of what is not: what a caller is told."""

import time
from collections.abc import Iterator

import pytest

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.store import KuzuStore
from tests.store.cypher_store import ask, asked_store, refusal


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KuzuStore]:
    with asked_store(tmp_path_factory.mktemp("cypher")) as made:
        yield made


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
