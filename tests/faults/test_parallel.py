"""Many clients at once: one name is one entity, whoever asserts it, and every answer names it."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.faults.picture import take_picture
from tests.processes import ROOT, Daemon, daemon, environment

pytestmark = pytest.mark.e2e

ASSERT = "knowledge_assert_entity"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with daemon(tmp_path_factory.mktemp("parallel")) as running:
        yield running


def assert_together(service: Daemon, connections: int, names: list[str], group_id: str) -> list[dict[str, Any]]:
    """Assert the names, dealt out over connections, all sent at the same moment; return the answers."""
    answers: list[dict[str, Any]] = []
    gate = threading.Barrier(connections)

    def run(share: list[str]) -> None:
        with service.client() as client:
            gate.wait()
            for name in share:
                client.send(ASSERT, {"name": name, "group_id": group_id})
            answers.extend([client.next_result() for _ in share])

    threads = [threading.Thread(target=run, args=(names[start::connections],)) for start in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.mark.parametrize("connections", [1, 2, 20])
def test_twenty_asserts_of_one_name_make_one_entity_and_twenty_answers(service: Daemon, connections: int) -> None:
    group_id = f"one name, {connections}"
    spellings = [" Ada ", "ADA", "ada", "Ada"] * 5
    answers = assert_together(service, connections, spellings, group_id)
    assert len(answers) == 20
    assert sum(answer["created"] for answer in answers) == 1
    with service.client() as client:
        rows = client.rows("MATCH (e:Entity) WHERE e.group_id = $g RETURN e.uuid", g=group_id)
    assert {answer["entity_uuid"] for answer in answers} == {uuid for (uuid,) in rows}
    assert len(rows) == 1


@pytest.mark.parametrize("connections", [1, 2, 20])
def test_twenty_names_make_twenty_entities(service: Daemon, connections: int) -> None:
    group_id = f"twenty names, {connections}"
    answers = assert_together(service, connections, [f"name {number}" for number in range(20)], group_id)
    assert all(answer["created"] for answer in answers)
    with service.client() as client:
        rows = client.rows("MATCH (e:Entity) WHERE e.group_id = $g RETURN e.uuid", g=group_id)
    assert len(rows) == 20
    assert {answer["entity_uuid"] for answer in answers} == {uuid for (uuid,) in rows}


def test_one_relationship_asserted_at_once_is_one(service: Daemon) -> None:
    with ExitStack() as stack:
        clients = [stack.enter_context(service.client()) for _ in range(10)]
        for name in ("Ada", "Babbage"):
            clients[0].result(ASSERT, name=name, group_id="edges")
        ends = {"source_name": "Ada", "predicate": "KNOWS", "target_name": "Babbage", "group_id": "edges"}
        for client in clients:
            client.send("knowledge_assert_relationship", ends)
        answers = [client.next_result() for client in clients]
    assert sum(answer["created"] for answer in answers) == 1
    assert len({answer["edge_uuid"] for answer in answers}) == 1


def test_one_chunk_ingested_at_once_is_one_episode(service: Daemon) -> None:
    chunk = {"chunk_text": "Grace Hopper wrote a compiler.", "chunk_id": "1", "source_file": "a.md", "group_id": "c"}
    with ExitStack() as stack:
        clients = [stack.enter_context(service.client()) for _ in range(10)]
        for client in clients:
            client.send("knowledge_process_chunk", chunk)
        answers = [client.next_result() for client in clients]
    assert sorted(answer["outcome"] for answer in answers) == ["created"] + ["unchanged"] * 9
    assert len({answer["episode_uuid"] for answer in answers}) == 1


def test_eight_processes_write_fifty_names_each(service: Daemon) -> None:
    shared = [f"known to all {number}" for number in range(25)]
    path = str(service.workspace / ".lcg" / "service.sock")
    command = [sys.executable, "-m", "tests.faults.asserting", path]
    given: dict[str, set[str]] = {}
    with ExitStack() as stack:
        children = [
            stack.enter_context(
                subprocess.Popen(
                    [*command, *shared, *(f"known to {number} {own}" for own in range(25))],
                    env=environment(),
                    cwd=ROOT,
                    stdout=subprocess.PIPE,
                )
            )
            for number in range(8)
        ]
        for child in children:
            for name, uuid in json.loads(child.communicate()[0]).items():
                given.setdefault(name, set()).add(uuid)
            assert child.returncode == 0
    assert len(given) == 25 + 8 * 25
    assert all(len(uuids) == 1 for uuids in given.values())
    with service.client() as client:
        picture = take_picture(client)
    for name, uuids in given.items():
        assert picture.named(name, "liminis") == list(uuids)
