"""What Cypher changed past the log: index, digests, caches and search follow, whatever it did."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.index import GraphIndex
from lcg.graph.mutation import run_unlogged
from lcg.graph.state import SEARCH_BEHIND, UNLOGGED, GraphState
from lcg.model.digest import moved
from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut
from lcg.model.rows import Mention, Row
from lcg.runtime.groups import ALL_GROUPS
from lcg.search.index_file import SearchIndexError
from lcg.search.protocol import TextKind, VectorKind
from lcg.services.healing import heal
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import CypherAnswer, StoreError
from tests.graph.harness import Workspace, edge, entity, episode
from tests.store.engine_name import ENGINE


def kuzu_workspace(directory: Path) -> Workspace:
    numbers = iter(range(1000))
    return Workspace(directory, lambda: KuzuStore(directory / f"graph-{next(numbers)}.kuzu", ENGINE))


@pytest.fixture(scope="module", autouse=True)
def small_pool() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as small:
        small.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 128 << 20)
        yield


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = kuzu_workspace(tmp_path)
    seed(made)
    yield made
    made.close()


def seed(workspace: Workspace) -> None:
    workspace.apply(
        "a",
        *(EntityPut(entity(f"n{number}")) for number in range(4)),
        EdgePut(edge("r0", "n0", "n1", episodes=("p0",))),
        EdgePut(edge("r1", "n1", "n1")),
        EdgePut(edge("r2", "n2", "x9")),
        EpisodePut(episode("p0", source_file="f", chunk_id="1", revision=1)),
        EpisodePut(episode("p1", source_file="f", chunk_id="1", revision=2)),
        MentionPut(Mention("a", "p0", "n0")),
        MentionPut(Mention("a", "p1", "n2")),
    )
    workspace.apply("b", EntityPut(entity("m0", "b")), EdgePut(edge("q0", "m0", "n3", "b")))
    heal(workspace.graph, workspace.embedding)


def mutate(workspace: Workspace, query: str, **parameters: Any) -> bool:
    """Run a query on the writer's thread; say whether it changed something."""

    def change(state: GraphState) -> bool:
        bounds: dict[str, Any] = {"max_rows": 1000, "timeout_ms": 30_000}
        run: Callable[..., CypherAnswer] = partial(state.store.mutate, query, parameters, **bounds)
        return run_unlogged(state, lambda accept: run(accept=accept))[1]

    changed = workspace.graph.change_unlogged(change)
    heal(workspace.graph, workspace.embedding)
    return changed


def unlogged(workspace: Workspace) -> int:
    return int(workspace.graph.state.store.meta(UNLOGGED) or "0")


def assert_followed(workspace: Workspace) -> None:
    """Check that everything derived says what the rows say."""
    state, (entities, edges, episodes, mentions) = workspace.graph.state, workspace.rows()
    fresh = GraphIndex()
    fresh.load(entities, edges, episodes, mentions, {})
    assert contents(state.index) == contents(fresh)
    digests: dict[str, int] = {}
    every: list[Row] = [*entities, *edges, *episodes, *mentions]
    for row in every:
        digests[row.group_id] = moved(digests.get(row.group_id, 0), None, row)
    assert workspace.digests() == {group: digest for group, digest in digests.items() if digest}
    for group, position in state.store.positions().items():
        assert (position, position.digest) == (state.positions[group], digests.get(group, 0))
    uuids = [*(row.uuid for row in entities), *(row.uuid for row in edges), *(row.uuid for row in episodes)]
    assert workspace.graph.entities(uuids) == {row.uuid: row for row in entities}
    assert workspace.graph.edges(uuids) == {row.uuid: row for row in edges}
    assert workspace.graph.episodes(uuids) == {row.uuid: row for row in episodes}
    with workspace.graph.reader() as reader:
        listed = reader.cypher("MATCH (p:Episodic) RETURN p.uuid, p.entity_edges", {}, max_rows=100, timeout_ms=30_000)
    assert {uuid: sorted(names) for uuid, names in listed.rows} == {
        row.uuid: sorted(state.index.entities_of(row.uuid)) for row in episodes
    }
    for entity_row in entities:
        whole = {e.uuid for e in edges if e.source_uuid == entity_row.uuid and not state.index.is_unbound(e.uuid)}
        assert [e.uuid for e in workspace.graph.neighbour_edges(entity_row.uuid, "out")] == sorted(whole, reverse=True)
    assert_searchable(workspace)


def assert_searchable(workspace: Workspace) -> None:
    index, (entities, edges, episodes, _) = workspace.graph.index, workspace.rows()
    words = {
        TextKind.ENTITY: {row.uuid: row.name for row in entities if row.name.strip() and index.is_visible(row.uuid)},
        TextKind.EDGE: {row.uuid: row.fact for row in edges if row.fact.strip() and index.is_visible(row.uuid)},
        TextKind.EPISODE: {
            row.uuid: row.content for row in episodes if row.content.strip() and not index.is_superseded(row)
        },
    }
    known = {*(row.uuid for row in entities), *(row.uuid for row in edges), *(row.uuid for row in episodes)}
    for kind, texts in words.items():
        for uuid, text in texts.items():
            assert workspace.text.holds_all_terms(kind, text, known) >= {uuid}
        found = {
            hit.uuid
            for text in {*texts.values(), "name", "text", "knows"}
            for hit in workspace.text.search(kind, text, ALL_GROUPS, 100)
        }
        assert found <= {uuid for uuid in known if index.is_visible(uuid)} - {
            row.uuid for row in episodes if index.is_superseded(row)
        }
    vector = workspace.embedding.query("name")
    assert workspace.vectors.missing() == 0
    near = {hit.uuid for hit in workspace.vectors.search(VectorKind.ENTITY_NAME, vector, ALL_GROUPS, 100)}
    assert near == words[TextKind.ENTITY].keys()


def contents(index: GraphIndex) -> dict[str, Any]:
    """Return what an index holds, without what is empty and without the order of lists that keep their history."""
    groups = {
        group: {
            "names": tables.names,
            "buried": tables.buried,
            "edges": tables.edges,
            "chunks": tables.chunks,
            "pointers": tables.pointers,
            "rows": {kind: rows for kind, rows in tables.rows.items() if rows},
            "counts": {what: number for what, number in tables.counts.items() if number},
        }
        for group, tables in index._groups.items()
        if any(tables.rows.values())
    }
    unordered = (index._episodes_of, index._entities_of, index._dangling, index._stated)
    return {
        "places": index.places,
        "groups": groups,
        "lists": [{key: sorted(values) for key, values in table.items()} for table in unordered],
        "unbound": set(index._unbound),
        "sources": index._sources,
    }


# --- any mutation ---

ENTITIES = st.sampled_from(["n0", "n1", "n2", "n3", "m0", "x9", "new"])
EDGES = st.sampled_from(["r0", "r1", "r2", "q0", "new-edge", "n0"])
EPISODES = st.sampled_from(["p0", "p1", "new-piece"])
GROUPS = st.sampled_from(["a", "b", "c", " bad", "A", None])
TEXTS = st.sampled_from(["name n1", "Other", "", "東京", "tab\there", None])
TIMES = st.sampled_from(["timestamp('2020-01-01')", "timestamp('20000-01-01')", "timestamp('0001-01-01')", "NULL"])
LABELS = st.sampled_from(["['Entity']", "['Entity', 'Merged']", "NULL", "[NULL, 'x']"])


def literal(text: str | None) -> str:
    return "NULL" if text is None else "'" + text.replace("'", "\\'") + "'"


QUERIES = st.one_of(
    st.builds(
        "CREATE (:Entity {{uuid: '{}', name: {}, group_id: {}, labels: {}, created_at: {}}})".format,
        ENTITIES,
        TEXTS.map(literal),
        GROUPS.map(literal),
        LABELS,
        TIMES,
    ),
    st.builds("MERGE (n:Entity {{uuid: '{}'}}) SET n.name = {}".format, ENTITIES, TEXTS.map(literal)),
    st.builds("MATCH (n:Entity {{uuid: '{}'}}) SET n.labels = {}".format, ENTITIES, LABELS),
    st.builds("MATCH (n:Entity {{uuid: '{}'}}) SET n.group_id = {}".format, ENTITIES, GROUPS.map(literal)),
    st.builds("MATCH (n:Entity {{uuid: '{}'}}) SET n.attributes = {}".format, ENTITIES, TEXTS.map(literal)),
    st.builds("MATCH (n:Entity {{uuid: '{}'}}) DETACH DELETE n".format, ENTITIES),
    st.builds("MATCH (n:Entity {{uuid: '{}'}}) DELETE n".format, ENTITIES),
    st.builds(
        "CREATE (:RelatesToNode_ {{uuid: '{}', name: 'X', fact: {}, group_id: {}, episodes: ['p0', NULL]}})".format,
        EDGES,
        TEXTS.map(literal),
        GROUPS.map(literal),
    ),
    st.builds(
        "MATCH (a:Entity {{uuid: '{}'}}), (n:RelatesToNode_ {{uuid: '{}'}}) CREATE (a)-[:RELATES_TO]->(n)".format,
        ENTITIES,
        EDGES,
    ),
    st.builds(
        "MATCH (a:Entity {{uuid: '{}'}}), (n:RelatesToNode_ {{uuid: '{}'}}) CREATE (n)-[:RELATES_TO]->(a)".format,
        ENTITIES,
        EDGES,
    ),
    st.builds(
        "MATCH (a:Entity {{uuid: '{}'}}), (n:RelatesToNode_ {{uuid: '{}'}}) "
        "OPTIONAL MATCH (:Entity)-[h:RELATES_TO]->(n) DELETE h CREATE (a)-[:RELATES_TO]->(n)".format,
        ENTITIES,
        EDGES,
    ),
    st.builds("MATCH (:Entity)-[h:RELATES_TO]->(n:RelatesToNode_ {{uuid: '{}'}}) DELETE h".format, EDGES),
    st.builds("MATCH (n:RelatesToNode_ {{uuid: '{}'}})-[h:RELATES_TO]->() DELETE h".format, EDGES),
    st.builds("MATCH (n:RelatesToNode_ {{uuid: '{}'}}) SET n.invalid_at = {}".format, EDGES, TIMES),
    st.builds("MATCH (n:RelatesToNode_ {{uuid: '{}'}}) SET n.fact = {}".format, EDGES, TEXTS.map(literal)),
    st.builds("MATCH (n:RelatesToNode_ {{uuid: '{}'}}) DETACH DELETE n".format, EDGES),
    st.builds(
        "MERGE (p:Episodic {{uuid: '{}'}}) SET p.content = {}, p.group_id = {}".format,
        EPISODES,
        TEXTS.map(literal),
        GROUPS.map(literal),
    ),
    st.builds("MATCH (p:Episodic {{uuid: '{}'}}) SET p._revision = {}".format, EPISODES, st.integers(0, 3)),
    st.builds("MATCH (p:Episodic {{uuid: '{}'}}) SET p.entity_edges = ['n3', 'gone']".format, EPISODES),
    st.builds("MATCH (p:Episodic {{uuid: '{}'}}) DETACH DELETE p".format, EPISODES),
    st.builds(
        "MATCH (p:Episodic {{uuid: '{}'}}), (e:Entity {{uuid: '{}'}}) CREATE (p)-[:MENTIONS]->(e)".format,
        EPISODES,
        ENTITIES,
    ),
    st.builds("MATCH (p:Episodic {{uuid: '{}'}})-[m:MENTIONS]->() DELETE m".format, EPISODES),
    st.just("MATCH (n) DETACH DELETE n"),
    st.just("MATCH (n:Entity) SET n.group_id = 'moved'"),
    st.just("MATCH ()-[h:RELATES_TO]->() DELETE h"),
)


@example(
    queries=[
        "CREATE (:Entity {uuid: 'n0', name: 'n1', group_id: 'a', labels: [], created_at: timestamp('2020-01-01')})",
        "MATCH (n:RelatesToNode_ {uuid: 'r0'}) DETACH DELETE n",
        "MATCH (p:Episodic {uuid: 'p0'}), (e:Entity {uuid: 'n0'}) CREATE (p)-[:MENTIONS]->(e)",
    ]
)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(queries=st.lists(QUERIES, min_size=1, max_size=5))
def test_whatever_a_mutation_does_everything_derived_follows_it(queries: list[str]) -> None:
    with TemporaryDirectory() as directory:
        workspace = kuzu_workspace(Path(directory))
        try:
            seed(workspace)
            for query in queries:
                before, digests, count = workspace.rows(), workspace.digests(), unlogged(workspace)
                try:
                    changed = mutate(workspace, query)
                except LcgError as refusal:
                    assert isinstance(refusal, OperationFailed), refusal
                    changed = False
                    assert workspace.rows() == before
                assert changed == (workspace.digests() != digests)
                assert unlogged(workspace) == count + changed
                assert_followed(workspace)
            workspace.apply("a", EntityPut(entity("after", name="written after")))
            heal(workspace.graph, workspace.embedding)
            assert_followed(workspace)
        finally:
            workspace.close()


# --- around it ---


def reopen_kept(workspace: Workspace) -> None:
    store = workspace.graph.state.store
    workspace.graph._committer.stop()
    workspace.derived.close()
    workspace.log.close()
    workspace.open(store)


def test_the_count_and_the_rows_of_groups_without_a_log_outlive_a_restart(workspace: Workspace) -> None:
    mutate(workspace, "CREATE (:Entity {uuid: 'c0', name: 'Only Cypher', group_id: 'c'})")
    mutate(workspace, "MATCH (n:Entity {uuid: 'n0'}) SET n.name = 'Renamed'")
    digests, found = workspace.digests(), workspace.text.search(TextKind.ENTITY, "only cypher", ALL_GROUPS, 10)
    reopen_kept(workspace)
    assert unlogged(workspace) == 2
    assert workspace.digests() == digests
    assert [hit.uuid for hit in found] == ["c0"]
    assert workspace.text.search(TextKind.ENTITY, "only cypher", ALL_GROUPS, 10) == found
    workspace.apply("c", EntityPut(entity("c1", "c")))
    heal(workspace.graph, workspace.embedding)
    assert_followed(workspace)


def test_a_lost_store_loses_the_mutation_its_count_and_what_search_had_of_it(workspace: Workspace) -> None:
    rows = workspace.rows()
    mutate(workspace, "CREATE (:Entity {uuid: 'c0', name: 'Only Cypher', group_id: 'c'})")
    mutate(workspace, "MATCH (n:Entity {uuid: 'n0'}) SET n.name = 'Renamed'")
    workspace.rebuild()
    assert unlogged(workspace) == 0
    assert workspace.rows() == rows
    assert_followed(workspace)
    assert workspace.text.search(TextKind.ENTITY, "only cypher renamed", ALL_GROUPS, 10) == []


def test_a_start_after_a_crash_before_search_followed_builds_search_anew(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("lcg.graph.mutation._follow", die)
        with pytest.raises(KeyboardInterrupt):
            mutate(workspace, "MATCH (n:Entity {uuid: 'n0'}) SET n.name = 'Renamed'")
    assert workspace.graph.state.store.meta(SEARCH_BEHIND)
    assert workspace.text.search(TextKind.ENTITY, "renamed", ALL_GROUPS, 10) == []
    reopen_kept(workspace)
    assert_followed(workspace)
    assert not workspace.graph.state.store.meta(SEARCH_BEHIND)


def test_a_search_index_that_fails_is_built_anew_at_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    real, failures = workspace.text.update, iter([SearchIndexError("no room")])

    def fail_once(*arguments: Any) -> None:
        for failure in failures:
            raise failure
        real(*arguments)

    monkeypatch.setattr(workspace.text, "update", fail_once)
    assert mutate(workspace, "MATCH (n:Entity {uuid: 'n0'}) SET n.name = 'Renamed'")
    assert_followed(workspace)
    assert not workspace.graph.state.store.meta(SEARCH_BEHIND)


def test_a_store_that_fails_at_the_commit_is_opened_again(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, rows = workspace.graph.state.store, workspace.rows()
    assert isinstance(store, KuzuStore)

    def fail(*_: Any) -> None:
        store._fault = "the disk is gone"
        raise StoreError(store._fault)

    monkeypatch.setattr(store, "_seal", fail)
    with pytest.raises(OperationFailed, match="opened again"):
        mutate(workspace, "MATCH (n:Entity {uuid: 'n0'}) SET n.name = 'Renamed'")
    assert workspace.graph.state.store is not store
    assert workspace.rows() == rows
    assert_followed(workspace)


def test_nothing_is_changed_while_a_group_is_being_replaced(workspace: Workspace) -> None:
    workspace.graph.hold("b", OperationFailed(ErrorKind.BUSY, "being rebuilt"))
    with pytest.raises(OperationFailed, match="being rebuilt"):
        mutate(workspace, "MATCH (n) DETACH DELETE n")
    workspace.graph.let_go("b")
    assert mutate(workspace, "MATCH (n) DETACH DELETE n")


@pytest.mark.parametrize(
    ("group_id", "words"),
    [("A", "differs from the group 'a'"), (" a", "white space"), ("", "is blank"), ("é" * 50, "longer than 200 bytes")],
)
def test_groups_that_could_never_have_a_log_are_refused(workspace: Workspace, group_id: str, words: str) -> None:
    with pytest.raises(OperationFailed, match=words):
        mutate(workspace, "CREATE (:Entity {uuid: 'x', group_id: $home})", home=group_id)
    assert_followed(workspace)
