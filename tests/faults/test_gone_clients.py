"""Long Cypher queries whose client goes away, or that run when the service is told to end."""

from pathlib import Path

from tests.processes import Client, Daemon, daemon

QUERY = "knowledge_query_cypher"
LONG = {
    "query": "UNWIND range(1, 9000) AS a UNWIND range(1, 9000) AS b UNWIND range(1, 9000) AS c RETURN count(a * b * c)",
    "timeout_ms": 600_000,
}


def started(service: Daemon) -> list[Client]:
    """Return two clients whose queries run: as many as may run at a time."""
    clients = [service.client(), service.client()]
    for client in clients:
        client.send(QUERY, LONG)
    with service.client() as other:
        while other.call(QUERY, {"query": "RETURN 1", "timeout_ms": 50}).get("error", {}).get("data") is None:
            pass
    return clients


def test_the_queries_of_clients_that_are_gone_make_room_for_others(tmp_path: Path) -> None:
    with daemon(tmp_path) as service:
        for client in started(service):
            client.__exit__()
        with service.client() as client:
            assert client.rows("RETURN 1") == [[1]]


def test_a_long_query_does_not_keep_the_service_from_ending_in_good_order(tmp_path: Path) -> None:
    with daemon(tmp_path) as service:
        clients = started(service)
        assert service.end() == 0
        assert "took too long" not in service.errors
        for client in clients:
            assert client.answer()["error"]["data"]["kind"] == "cancelled"
            client.__exit__()
