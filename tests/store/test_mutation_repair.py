"""What the store puts right of rows and links that Cypher wrote, and what has no right form."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lcg.generated.errors import ErrorKind
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import Change
from tests.store.builders import edge, mention
from tests.store.changed_store import Run, changed_store, hops, read


@pytest.fixture
def store(tmp_path: Path) -> Iterator[KuzuStore]:
    with changed_store(tmp_path) as made:
        yield made


@pytest.fixture
def run(store: KuzuStore) -> Run:
    return Run(store)


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
