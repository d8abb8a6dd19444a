"""knowledge_query_cypher as a client meets it: it reads beside everybody, and what it changes shows everywhere."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import InvalidParams, LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.workspaces import running_service

SLOW = "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 300) AS c RETURN count(a * b * c)"


class Client:
    """Calls a service by method names without `knowledge_`."""

    def __init__(self, service: LcgService) -> None:
        self.service = service

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        name = f"knowledge_{method}"
        return self.service.call(name, params, Call(name))

    def cypher(self, query: str, **parameters: Any) -> list[list[Any]]:
        rows: list[list[Any]] = self("query_cypher", query=query, parameters=parameters)["rows"]
        return rows

    def unlogged(self) -> int:
        self("list_entities", num_results=1)
        count: int = self("status")["wal"]["unlogged_mutations"]
        return count

    def counts(self) -> tuple[int, int, int]:
        status = self("status")
        return status["entity_count"], status["relationship_count"], status["episode_count"]

    def names(self, query: str) -> list[str]:
        return [node["name"] for node in self("find_entities", query=query)["nodes"]]


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 128 << 20)
    with running_service(tmp_path) as service:
        made = Client(service)
        for name, summary in (("Mira", "harbour pilot"), ("Tern", "a small ship")):
            made("assert_entity", name=name, summary=summary)
        made("assert_relationship", source_name="Mira", predicate="PILOTS", target_name="Tern")
        made("process_chunk", chunk_text="Mira sailed the Tern to Port Vell.", source_file="log.md", chunk_id="1")
        yield made


# --- what it changes shows everywhere ---


def test_an_entity_made_by_cypher_is_found_listed_counted_and_asserted_again(client: Client) -> None:
    before = client.counts()
    client.cypher("CREATE (:Entity {uuid: 'x1', name: 'Nova', summary: 'keeper of the lighthouse'})")
    assert client.names("nova")[0] == "Nova"
    assert client.names("who keeps the lighthouse")[0] == "Nova"
    assert "Nova" in [row["name"] for row in client("list_entities")["nodes"]]
    assert client.counts() == (before[0] + 1, *before[1:])
    assert "warnings" not in client("find_entities", query="nova")
    assert client("assert_entity", name="nova", summary="changed")["entity_uuid"] == "x1"


def test_a_renamed_entity_is_known_by_its_new_name_only(client: Client) -> None:
    client.cypher("MATCH (n:Entity {name: 'Mira'}) SET n.name = $name", name="Mirabel Vane")
    assert client.names("mirabel vane")[0] == "Mirabel Vane"
    assert "Mira" not in client.names("mira")
    made = client("assert_relationship", source_name="mirabel vane", predicate="OWNS", target_name="Tern")
    assert made["created"] is True
    with pytest.raises(LcgError, match="Mira"):
        client("assert_relationship", source_name="Mira", predicate="OWNS", target_name="Tern")


def test_a_relationship_made_by_cypher_is_found_listed_and_updated_in_place(client: Client) -> None:
    client.cypher(
        "MATCH (a:Entity {name: 'Mira'}), (b:Entity {name: 'Tern'}) CREATE (a)-[:RELATES_TO]->(:RelatesToNode_ "
        "{uuid: 'f1', name: 'PAINTED', fact: 'Mira painted the Tern green'})-[:RELATES_TO]->(b)"
    )
    assert client("find_relationships", query="painted green")["edges"][0]["uuid"] == "f1"
    assert "f1" in [edge["uuid"] for edge in client("list_relationships")["edges"]]
    again = client("assert_relationship", source_name="Mira", predicate="PAINTED", target_name="Tern", fact="twice")
    assert (again["edge_uuid"], again["created"]) == ("f1", False)


def test_deleted_rows_are_gone_from_search_lists_and_counts(client: Client) -> None:
    [[tern]] = client.cypher("MATCH (n:Entity {name: 'Tern'}) RETURN n.uuid")
    edges = client.counts()[1]
    client.cypher("MATCH (n:Entity {uuid: $u}) DETACH DELETE n", u=tern)
    assert "Tern" not in client.names("tern")
    assert not [
        edge for edge in client("find_relationships", query="pilots")["edges"] if edge["target_node_uuid"] == tern
    ]
    status = client("status")
    assert status["relationship_count"] + status["unbound_relationship_count"] == edges
    client.cypher("MATCH (p:Episodic) DETACH DELETE p")
    assert client("search_passages", query="sailed to Port Vell", min_score=0)["passages"] == []
    assert client.counts()[2] == 0
    client.cypher("MATCH (n) DETACH DELETE n")
    assert client.counts() == (0, 0, 0)
    assert client("assert_entity", name="Tern")["created"] is True


def test_an_episode_and_its_mentions_can_be_made(client: Client) -> None:
    client.cypher(
        "MATCH (n:Entity {name: 'Tern'}) CREATE (:Episodic {uuid: 'q1', name: 'note', source_description: 'notes.md', "
        "content: 'barnacles on the hull'})-[:MENTIONS]->(n)"
    )
    assert client("search_passages", query="barnacles", min_score=0)["passages"][0]["uuid"] == "q1"
    [tern] = [row for row in client("list_entities")["nodes"] if row["name"] == "Tern"]
    assert "q1" in tern["episode_uuids"]
    assert client("get_episodes")["episodes"][0]["entity_edges"]
    client("delete_episode", episode_uuid="q1")
    assert client.cypher("MATCH (p:Episodic {uuid: 'q1'}) RETURN p") == []


def test_rows_that_lack_nearly_everything_break_no_read(client: Client) -> None:
    client.cypher("CREATE (:Entity {uuid: 'e'}), (:RelatesToNode_ {uuid: 'r'}), (:Episodic {uuid: 'p'})")
    client.cypher("MATCH (n:Entity) SET n.attributes = 'no object', n.labels = [NULL, ''], n.name = ' odd\\tname '")
    client.cypher(
        "MATCH (n:RelatesToNode_) SET n.attributes = '[1]', n.episodes = ['nobody', NULL], n.relation_type = ''"
    )
    calls: dict[str, dict[str, Any]] = {
        "find_entities": {"query": "odd name"},
        "find_relationships": {"query": "pilots"},
        "search_passages": {"query": "port", "min_score": 0},
        "list_entities": {},
        "list_relationships": {"valid_at": "2026-01-01"},
        "get_nodes_by_group": {"group_ids": ["liminis"]},
        "get_edges_by_group": {"group_ids": ["liminis"]},
        "get_edges_by_uuids": {"uuids": ["r"]},
        "get_entity_neighbors": {"entity_uuid": "e"},
        "get_entities_by_source": {"source": "log.md"},
        "get_episodes": {},
        "status": {},
    }
    for method, params in calls.items():
        assert client(method, **params)
    client("assert_entity", name="Written", summary="after")


# --- accounting ---


def test_only_queries_that_change_something_are_counted_and_clearing_all_begins_anew(client: Client) -> None:
    client.cypher("MATCH (n:Entity) RETURN n")
    client.cypher("MATCH (n:Entity) SET n.name = n.name")
    with pytest.raises(OperationFailed):
        client.cypher("CREATE (:Entity {uuid: ''})")
    assert client.unlogged() == 0
    client.cypher("MATCH (n:Entity {name: 'Mira'}) SET n.summary = 'retired'")
    client.cypher("CREATE (:Entity {uuid: 'x', group_id: 'new group'})")
    assert client.unlogged() == 2
    client("clear_all", confirm=True)
    assert client.unlogged() == 0


def test_a_restart_keeps_changes_count_and_digest(client: Client, tmp_path: Path) -> None:
    client.cypher("MATCH (n:Entity {name: 'Mira'}) SET n.name = 'Mirabel'")
    client("assert_entity", name="Later")
    digest = client("status")["wal_groups"]["liminis"]["digest"]
    client.service.close()
    with running_service(tmp_path) as service:
        again = Client(service)
        assert again.unlogged() == 1
        assert again.names("mirabel")[0] == "Mirabel"
        assert again("status")["wal_groups"]["liminis"]["digest"] == digest


# --- refusals and parameters ---


def test_a_mistyped_parameter_deletes_nothing(client: Client) -> None:
    before = client.counts()
    with pytest.raises(InvalidParams, match="no `name`"):
        client.cypher("MATCH (n:Entity) WHERE n.name = $name DETACH DELETE n", nme="Mira")
    assert client.counts() == before


def test_files_are_refused_with_the_name_of_the_switch_and_run_with_it(client: Client, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("k1,Ada\nk2,Ben\n")
    query = f"LOAD FROM '{people}' CREATE (:Entity {{uuid: column0, name: column1}})"
    with pytest.raises(OperationFailed, match="LCG_CYPHER_ALLOW_FILES=1"):
        client.cypher(query)
    client.service.close()
    with running_service(tmp_path, cypher_allow_files=True) as service:
        allowed = Client(service)
        allowed.cypher(query)
        assert allowed.names("ada")[0] == "Ada"


def test_a_change_that_runs_out_of_time_leaves_nothing_behind(client: Client) -> None:
    query = f"MATCH (n:Entity) SET n.name = 'lost' WITH count(*) AS k {SLOW}"
    with pytest.raises(OperationFailed) as caught:
        client("query_cypher", query=query, timeout_ms=200)
    assert caught.value.kind == ErrorKind.LIMIT
    assert client.cypher("MATCH (n:Entity {name: 'lost'}) RETURN n") == []
    assert client.unlogged() == 0
    client("assert_entity", name="Next")


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("RETURN range(1, 100000000)", {}),
        ("UNWIND range(1, 2000000000) AS x RETURN count(x)", {}),
        ("RETURN repeat('x', 2000000000)", {}),
        ("UNWIND range(1, $n) AS i CREATE (:Entity {uuid: CAST(i AS STRING)})", {"n": 10**9}),
    ],
)
def test_what_would_take_all_memory_is_a_limit(client: Client, query: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(OperationFailed, match="at most 1,000,000 can be made") as caught:
        client.cypher(query, **parameters)
    assert caught.value.kind == ErrorKind.LIMIT


# --- many at once ---


def test_long_queries_leave_a_reader_to_everybody_else_and_wait_for_each_other(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lcg.store.kuzu.store.CLOSE_PATIENCE_SECONDS", 0.2)

    def slow() -> None:
        with pytest.raises(LcgError):
            client("query_cypher", query=SLOW, timeout_ms=600_000)

    core = client.service._situation.core
    assert core is not None
    with ThreadPoolExecutor(2) as threads:
        running = [threads.submit(slow) for _ in range(2)]
        while core.cypher.reading.free:
            time.sleep(0.01)
        assert client("get_entity_neighbors", entity_uuid="nobody")["edges"] == []
        with pytest.raises(OperationFailed, match="2 queries run at a time") as caught:
            client("query_cypher", query="RETURN 1", timeout_ms=50)
        assert caught.value.kind == ErrorKind.LIMIT
        assert not any(future.done() for future in running)
        client.service.close()
        for future in running:
            future.result()


def test_a_change_that_is_taken_back_stops_long_queries_only_for_a_moment(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lcg.store.kuzu.store.RENEW_PATIENCE_SECONDS", 0.05)
    core = client.service._situation.core
    assert core is not None
    query = "MATCH (n:Entity) UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b RETURN count(a * b) / 9000000"
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(client.cypher, query)
        while core.cypher.reading.free == 2:
            time.sleep(0.01)
        with pytest.raises(OperationFailed, match="uuid is empty"):
            client.cypher("CREATE (:Entity {uuid: ''})")
        assert running.result() == [[client.counts()[0]]]


def test_changes_writers_and_readers_get_along(client: Client) -> None:
    rounds = 12

    def assert_entities() -> None:
        for number in range(rounds):
            client("assert_entity", name=f"asserted {number}")

    def change() -> None:
        for number in range(rounds):
            client.cypher("CREATE (:Entity {uuid: $u, name: $n})", u=f"c{number}", n=f"created {number}")

    def read() -> None:
        for number in range(rounds):
            client("list_entities")
            client.names(f"created {number}")
            client.cypher("MATCH (n:Entity) RETURN count(*)")

    before = client.counts()[0]
    with ThreadPoolExecutor(4) as threads:
        for future in [threads.submit(job) for job in (assert_entities, change, change_nothing(client), read)]:
            future.result()
    assert client.counts()[0] == before + 2 * rounds
    assert client.unlogged() == rounds
    assert client.cypher("MATCH (n:Entity) RETURN count(*)") == [[before + 2 * rounds]]


def change_nothing(client: Client) -> Any:
    return lambda: [client.cypher("MATCH (n:Entity) SET n.name = n.name") for _ in range(5)]
