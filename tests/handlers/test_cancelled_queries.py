"""Cypher queries that their callers give up, and queries that come when too many wait already.

Every long query may run for ten minutes, and would: that a test ends at all shows that it was stopped.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from lcg.services.cypher import MOST_WAITING, CypherQueries
from tests.workspaces import running_service

QUERY = "knowledge_query_cypher"
LONG = "UNWIND range(1, 9000) AS a UNWIND range(1, 9000) AS b UNWIND range(1, 9000) AS c RETURN count(a * b * c)"
LONG_CHANGE = f"CREATE (:Entity {{uuid: 'lost', name: 'Lost'}}) WITH 1 AS one {LONG}"


@dataclass
class Asker:
    """Runs queries in threads and gives them up."""

    service: LcgService
    threads: ThreadPoolExecutor
    calls: list[Call] = field(default_factory=list)

    @property
    def cypher(self) -> CypherQueries:
        core = self.service._situation.core
        assert core is not None
        return core.cypher

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self.service.call(method, params, Call(method))

    def start(self, query: str) -> tuple[Call, "Future[dict[str, Any]]"]:
        call = Call(QUERY)
        self.calls.append(call)
        params = {"query": query, "timeout_ms": 600_000}
        return call, self.threads.submit(self.service.call, QUERY, params, call)

    def occupy_readers(self) -> None:
        for _ in range(2):
            self.start(LONG)
        wait_until(lambda: self.cypher.reading.free == 0)


def wait_until(condition: Callable[[], bool]) -> None:
    while not condition():
        time.sleep(0.01)


def kind_of(running: "Future[dict[str, Any]]") -> ErrorKind:
    with pytest.raises(OperationFailed) as caught:
        running.result()
    return caught.value.kind


@pytest.fixture
def asker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Asker]:
    monkeypatch.setattr("lcg.store.kuzu.engine.pool_bytes", lambda: 128 << 20)
    with running_service(tmp_path) as service, ThreadPoolExecutor(40) as threads:
        made = Asker(service, threads)
        made.call("knowledge_assert_entity", name="Mira")
        yield made
        for call in made.calls:
            call.cancelled.set()


def test_a_query_that_reads_is_stopped(asker: Asker) -> None:
    call, running = asker.start(LONG)
    wait_until(lambda: asker.cypher.reading.free == 1)
    time.sleep(0.2)
    call.cancelled.set()
    assert kind_of(running) == ErrorKind.CANCELLED
    for _ in range(3):
        assert asker.call(QUERY, query="MATCH (n:Entity) RETURN n.name")["rows"] == [["Mira"]]


def test_a_query_that_returns_many_rows_is_stopped(asker: Asker) -> None:
    call = Call(QUERY)
    params = {"query": "UNWIND range(1, 100000) AS x RETURN x, range(1, 300)", "max_rows": 100_000}
    running = asker.threads.submit(asker.service.call, QUERY, {**params, "timeout_ms": 600_000}, call)
    wait_until(lambda: asker.cypher.reading.free == 1)
    call.cancelled.set()
    assert kind_of(running) == ErrorKind.CANCELLED


def test_a_query_that_changes_rows_is_stopped_and_leaves_nothing(asker: Asker) -> None:
    call, running = asker.start(LONG_CHANGE)
    wait_until(lambda: asker.cypher.changing.free == 0)
    time.sleep(0.2)
    call.cancelled.set()
    assert kind_of(running) == ErrorKind.CANCELLED
    asker.call("knowledge_assert_entity", name="Tern")
    assert asker.call(QUERY, query="MATCH (n:Entity) RETURN n.name ORDER BY n.name")["rows"] == [["Mira"], ["Tern"]]
    assert asker.call("knowledge_status")["wal"]["unlogged_mutations"] == 0


@pytest.mark.parametrize("query", ["RETURN 1", "CREATE (:Entity {uuid: 'late'})"])
def test_a_query_that_was_given_up_before_it_ran_does_nothing(asker: Asker, query: str) -> None:
    call = Call(QUERY)
    call.cancelled.set()
    assert kind_of(asker.threads.submit(asker.service.call, QUERY, {"query": query}, call)) == ErrorKind.CANCELLED
    assert asker.call(QUERY, query="MATCH (n:Entity) RETURN count(*)")["rows"] == [[1]]


def test_waiting_for_a_reader_ends_when_it_is_given_up(asker: Asker) -> None:
    asker.occupy_readers()
    call, waiting = asker.start("RETURN 1")
    wait_until(lambda: asker.cypher.reading.waiting == 1)
    call.cancelled.set()
    assert kind_of(waiting) == ErrorKind.CANCELLED
    assert (asker.cypher.reading.free, asker.cypher.reading.waiting) == (0, 0)


def test_waiting_to_change_rows_ends_when_it_is_given_up(asker: Asker) -> None:
    asker.start(LONG_CHANGE)
    wait_until(lambda: asker.cypher.changing.free == 0)
    call, waiting = asker.start("CREATE (:Entity {uuid: 'late'})")
    wait_until(lambda: asker.cypher.changing.waiting == 1)
    call.cancelled.set()
    assert kind_of(waiting) == ErrorKind.CANCELLED


def test_when_too_many_queries_wait_the_next_is_busy_and_everything_else_works(asker: Asker) -> None:
    asker.occupy_readers()
    for _ in range(MOST_WAITING):
        asker.start("RETURN 1")
    wait_until(lambda: asker.cypher.reading.waiting == MOST_WAITING)
    with pytest.raises(OperationFailed, match="16 wait for their turn already") as caught:
        asker.call(QUERY, query="RETURN 1")
    assert caught.value.kind == ErrorKind.BUSY
    assert asker.call("knowledge_list_entities")["count"] == 1


def test_when_too_many_changes_wait_the_next_is_busy_and_reads_go_on(asker: Asker) -> None:
    asker.start(LONG_CHANGE)
    wait_until(lambda: asker.cypher.changing.free == 0)
    for number in range(MOST_WAITING):
        asker.start(f"CREATE (:Entity {{uuid: 'late {number}'}})")
    wait_until(lambda: asker.cypher.changing.waiting == MOST_WAITING)
    with pytest.raises(OperationFailed, match="one query that changes rows runs at a time") as caught:
        asker.call(QUERY, query="MATCH (n:Entity) SET n.summary = 'x'")
    assert caught.value.kind == ErrorKind.BUSY
    assert asker.call(QUERY, query="MATCH (n:Entity) RETURN n.name")["rows"] == [["Mira"]]
