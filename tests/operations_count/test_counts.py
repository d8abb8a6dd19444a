"""What one call of each main tool costs, counted and not timed: the same on every machine.

A figure that rises makes that call slower for everybody. `MEANING` says what a rise of each means; look there first.
A figure that falls is good news: write the new one down.
"""

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest

from lcg.graph import committer
from lcg.graph.state import GraphState
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.operations_count.counting import (
    COMMANDS,
    EMBEDDINGS,
    GRAPH,
    SQL,
    SYNCS,
    TEXTS,
    Counts,
    counting,
    log_bytes,
)
from tests.workspaces import running_service

GROUP = "harbours"
REPLY, LOG = "bytes of the reply", "bytes of the log"
MEANING = {
    GRAPH: "rows are read one by one, or again though they are cached; or rows are written one by one",
    COMMANDS: "a write takes more transactions than one, or they are not shared",
    SQL: "a search asks full text for more than it uses, or looks the same up twice; or a write is not taken together",
    SYNCS: "a write waits for the disk more than once, or writes that come together no longer share one sync",
    EMBEDDINGS: "texts go to the model one by one; with a remote one each is a request",
    TEXTS: "texts are embedded that nobody needs, or that have a vector already",
    REPLY: "agents read, and pay for, what they did not ask for",
    LOG: "every write keeps more, for good, and a rebuild reads it all",
}
CHUNK = {"source_file": "a.md", "group_id": GROUP, "reference_time": "2026-01-01T00:00:00Z"}


class Counted:
    """A service of thirty entities, each with a fact to the next, and one chunk; what its calls cost is counted."""

    def __init__(self, service: LcgService, counts: Counts, root: Path) -> None:
        self._service, self._counts, self._root = service, counts, root
        for number in range(30):
            self.ask("assert_entity", name=f"Harbour {number}", summary=f"The harbour of {number}.", group_id=GROUP)
        for number in range(29):
            self.ask("assert_relationship", **fact(number, "TRADES_WITH", number + 1))
        self.ask("process_chunk", chunk_text="Ada Lovelace works at Harbour 3.", chunk_id="0", **CHUNK)
        nodes = self.ask("list_entities", group_ids=[GROUP], num_results=40)["nodes"]
        self.uuids = {node["name"]: node["uuid"] for node in nodes}

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        name = f"knowledge_{method}"
        return self._service.call(name, params, Call(name))

    def cost(self, method: str, **params: Any) -> dict[str, int]:
        """Return what a call costs, with the bytes that it answers and logs."""
        self._wait()
        self._counts.taken()
        before = log_bytes(self._root)
        answer = self.ask(method, **params)
        self._wait()
        return self._counts.taken() | {REPLY: len(orjson.dumps(answer)), LOG: log_bytes(self._root) - before}

    def cost_of_all(self, calls: list[tuple[str, dict[str, Any]]]) -> dict[str, int]:
        """Return what calls cost together that wait while the writer is busy, and so are served in one round."""
        release, begun = threading.Event(), threading.Event()

        def hold(_: GraphState) -> None:
            begun.set()
            release.wait()

        with ThreadPoolExecutor(len(calls) + 1) as pool:
            held = pool.submit(self.run, hold)
            begun.wait()
            self._counts.taken()
            asked = [pool.submit(self.ask, method, **params) for method, params in calls]
            waiting = self._core.graph._committer._waiting
            while len(waiting) < len(calls):
                assert not any(call.done() for call in asked)
            release.set()
            held.result()
            for call in asked:
                call.result()
        self._wait()
        return self._counts.taken()

    def run(self, job: Any) -> None:
        """Run a job on the writer's thread, which is idle then."""
        self._core.graph.run(job)

    def forget_rows(self) -> None:
        """Let rows be read from the engine again."""
        self.run(lambda state: state.forget_rows())

    def _wait(self) -> None:
        """Wait until nothing is under way that an answered call left to be done."""
        self.run(lambda _: None)
        with self._core.graph.reader():
            pass

    @property
    def _core(self) -> Any:
        return self._service._situation.core


def fact(source: int, predicate: str, target: int) -> dict[str, Any]:
    return {
        "source_name": f"Harbour {source}",
        "target_name": f"Harbour {target}",
        "predicate": predicate,
        "fact": f"Harbour {source} has dealings with harbour {target}.",
        "group_id": GROUP,
    }


def entity(number: int) -> dict[str, Any]:
    return {"name": f"Quay {number}", "summary": f"One of the quays, number {number}.", "group_id": GROUP}


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counted]:
    root = tmp_path_factory.mktemp("counted")
    # A checkpoint that happens to come in an idle moment is no call's doing.
    with counting() as counts, patch.object(committer, "_IDLE_SECONDS", 3_600), running_service(root) as service:
        yield Counted(service, counts, root)


def check(cost: Mapping[str, int], most: Mapping[str, int]) -> None:
    """Hold a cost against what it may be at most; what is not named may not occur."""
    for what, count in cost.items():
        assert count <= most.get(what, 0), f"{what}: {count} instead of {most.get(what, 0)}. Perhaps {MEANING[what]}."


SEARCHES: dict[str, tuple[dict[str, Any], dict[str, int], int]] = {
    # What is asked; what it costs at most when its rows are cached; how many more statements when they are not.
    "find_entities": (
        {"query": "which harbour trades grain", "group_ids": [GROUP]},
        {SQL: 14, EMBEDDINGS: 1, TEXTS: 1, REPLY: 3_100},
        14,
    ),
    "find_relationships": (
        {"query": "who has dealings with harbour 3", "group_ids": [GROUP]},
        {SQL: 8, EMBEDDINGS: 1, TEXTS: 1, REPLY: 4_600},
        13,
    ),
    "search_passages": (
        {"query": "who works at harbour 3", "group_ids": [GROUP]},
        {SQL: 7, EMBEDDINGS: 1, TEXTS: 1, REPLY: 300},
        1,
    ),
}


@pytest.mark.parametrize("method", SEARCHES)
def test_a_search_embeds_its_query_once_and_reads_no_row_that_is_cached(counted: Counted, method: str) -> None:
    params, most, _ = SEARCHES[method]
    counted.ask(method, **params)
    check(counted.cost(method, **params), most)


@pytest.mark.parametrize("method", SEARCHES)
def test_a_search_that_finds_no_row_cached_reads_each_once(counted: Counted, method: str) -> None:
    params, most, reads = SEARCHES[method]
    counted.ask(method, **params)
    counted.forget_rows()
    check(counted.cost(method, **params), most | {GRAPH: reads})


def test_a_search_by_name_looks_at_no_passages(counted: Counted) -> None:
    cost = counted.cost("find_entities", query="Harbour 7", group_ids=[GROUP])
    check(cost, {SQL: 10, EMBEDDINGS: 1, TEXTS: 1, GRAPH: 10, REPLY: 3_000})


def test_neighbours_are_two_statements_and_the_entities_that_are_not_cached(counted: Counted) -> None:
    params = {"entity_uuid": counted.uuids["Harbour 15"], "group_ids": [GROUP]}
    counted.ask("get_entity_neighbors", **params)
    check(counted.cost("get_entity_neighbors", **params), {GRAPH: 2, REPLY: 1_600})
    counted.forget_rows()
    check(counted.cost("get_entity_neighbors", **params), {GRAPH: 5, REPLY: 1_600})


def test_relationships_by_uuid_are_one_read_each_and_none_when_cached(counted: Counted) -> None:
    listed = counted.ask("list_relationships", group_ids=[GROUP], num_results=3)["edges"]
    params = {"uuids": [edge["uuid"] for edge in listed]}
    check(counted.cost("get_edges_by_uuids", **params), {REPLY: 1_500})
    counted.forget_rows()
    check(counted.cost("get_edges_by_uuids", **params), {GRAPH: 3, REPLY: 1_500})


def test_the_status_reads_no_rows(counted: Counted) -> None:
    check(counted.cost("status"), {GRAPH: 1, REPLY: 1_800})


def test_a_new_entity_is_one_line_one_sync_and_one_transaction(counted: Counted) -> None:
    most = {SYNCS: 1, GRAPH: 2, COMMANDS: 2, SQL: 21, EMBEDDINGS: 1, TEXTS: 2, REPLY: 110, LOG: 320}
    check(counted.cost("assert_entity", **entity(1)), most)


def test_a_new_fact_is_one_line_one_sync_and_one_transaction(counted: Counted) -> None:
    most = {SYNCS: 1, GRAPH: 4, COMMANDS: 2, SQL: 21, EMBEDDINGS: 1, TEXTS: 1, REPLY: 110, LOG: 420}
    check(counted.cost("assert_relationship", **fact(1, "OWES", 9)), most)


def test_what_is_known_already_is_neither_logged_nor_embedded_again(counted: Counted) -> None:
    counted.ask("assert_entity", **entity(2))
    check(counted.cost("assert_entity", **entity(2)), {REPLY: 110})


def test_eight_entities_that_come_together_share_the_sync_and_the_transaction(counted: Counted) -> None:
    cost = counted.cost_of_all([("assert_entity", entity(100 + number)) for number in range(8)])
    check(cost, {SYNCS: 1, GRAPH: 2, COMMANDS: 2, SQL: 44, EMBEDDINGS: 8, TEXTS: 16})


def test_a_chunk_is_embedded_by_one_call_and_stored_in_one_transaction(counted: Counted) -> None:
    text = "Grace Hopper works at Harbour 4. Harbour 4 trades wool with Harbour 5."
    most = {SYNCS: 1, GRAPH: 9, COMMANDS: 2, SQL: 41, EMBEDDINGS: 1, TEXTS: 4, REPLY: 950, LOG: 2_600}
    check(counted.cost("process_chunk", chunk_text=text, chunk_id="1", **CHUNK), most)
    check(counted.cost("process_chunk", chunk_text=text, chunk_id="1", **CHUNK), {REPLY: 600})


def test_the_counters_see_what_happens(counted: Counted) -> None:
    counted.forget_rows()
    read = counted.cost("find_relationships", query="dealings of harbour 20", group_ids=[GROUP])
    written = counted.cost("assert_entity", **entity(3))
    assert read[GRAPH] >= 10 and read[SQL] and read[EMBEDDINGS] == read[TEXTS] == 1
    assert written[SYNCS] == 1 and written[GRAPH] and written[COMMANDS] and written[SQL] and written[LOG]
