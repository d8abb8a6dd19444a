"""How the program ends, in each of its modes: cleanly, with what was read answered, and leaving nobody behind."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.processes import PATIENCE_S, REAL, Daemon, Server, daemon, serving
from tests.server.running import Client, eventually

pytestmark = pytest.mark.e2e

MODES = ["standalone", "attached"]
SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
COUNT = 20


@contextmanager
def serving_mcp(mode: str, workspace: Path, *arguments: str) -> Iterator[Server]:
    """Run the real program for one MCP client; attached, to a service that stands in for the real one."""
    with ExitStack() as stack:
        if mode == "attached":
            service = stack.enter_context(serving(workspace))
            service.says("listening on")
            arguments = (*arguments, "--connect", ".lcg/service.sock")
        server = stack.enter_context(serving(workspace, "--mcp-stdio", *arguments, command=REAL))
        server.initialize()
        yield server


def nobody_is_left(server: Server) -> None:
    """Wait until the process and all that it started are gone; they share its process group."""

    def gone() -> bool:
        try:
            os.killpg(server.process.pid, 0)
        except ProcessLookupError:
            return True
        return False

    server.process.wait(PATIENCE_S)
    try:
        eventually(gone)
    except AssertionError:
        os.killpg(server.process.pid, signal.SIGKILL)  # its pipes would hold the test up for ever
        raise


def end_of_input(server: Server) -> None:
    server.end_input()


def closed_stdout(server: Server) -> None:
    assert server.process.stdout is not None
    server.process.stdout.close()
    server.request(1, "ping")


def by(number: signal.Signals) -> Callable[[Server], None]:
    return lambda server: server.signal(number)


ENDINGS = {"eof": end_of_input, "closed stdout": closed_stdout, **{number.name: by(number) for number in SIGNALS}}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ending", ENDINGS)
def test_an_idle_mcp_process_ends_cleanly(tmp_path: Path, mode: str, ending: str) -> None:
    with serving_mcp(mode, tmp_path) as server:
        ENDINGS[ending](server)
        assert server.status() == 0
        nobody_is_left(server)


def calls(count: int) -> list[bytes]:
    params = {"name": "knowledge_find_entities", "arguments": {"query": "x"}}
    message = {"jsonrpc": "2.0", "method": "tools/call", "params": params}
    return [json.dumps({**message, "id": id}).encode() for id in range(count)]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("ending", ["eof", "SIGTERM"])
def test_requests_already_read_are_answered_first(tmp_path: Path, mode: str, ending: str) -> None:
    with serving_mcp(mode, tmp_path) as server:
        server.send(*calls(COUNT))  # few enough bytes for one write and one read
        answers = [server.line()]
        ENDINGS[ending](server)
        answers += server.rest()
        assert {answer["id"] for answer in answers} == set(range(COUNT))
        assert not any(answer["result"]["isError"] for answer in answers)
        assert server.status() == 0


PARENT = """
import subprocess, sys
count, *command = sys.argv[1:]
children = [subprocess.Popen(command) for _ in range(int(count))]
for child in children:
    child.wait()
"""
ORPHANING = (sys.executable, "-c", PARENT)


@pytest.mark.parametrize("mode", MODES)
def test_the_death_of_the_parent_ends_an_mcp_process_though_its_input_stays_open(tmp_path: Path, mode: str) -> None:
    with ExitStack() as stack:
        command = [*REAL, "--mcp-stdio"]
        if mode == "attached":
            stack.enter_context(serving(tmp_path)).says("listening on")
            command += ["--connect", ".lcg/service.sock"]
        parent = stack.enter_context(serving(tmp_path, command=(*ORPHANING, "1", *command)))
        parent.initialize()
        parent.process.kill()
        nobody_is_left(parent)
        assert parent.rest() == []


def test_close_ends_a_standalone_process(tmp_path: Path) -> None:
    with serving_mcp("standalone", tmp_path) as server:
        server.tool(1, "knowledge_close")
        assert server.line()["result"]["structuredContent"] == {"status": "closed"}
        assert server.status() == 0
        nobody_is_left(server)


def close(path: Path) -> None:
    client = Client(path)
    assert client.call("knowledge_close")["result"] == {"status": "closed"}
    client.close()


SERVICE_ENDINGS: dict[str, Callable[[Daemon, Path], None]] = {
    "SIGTERM": lambda service, _: service.signal(signal.SIGTERM),
    "SIGINT": lambda service, _: service.signal(signal.SIGINT),
    "close": lambda _, path: close(path),
}


@pytest.mark.parametrize("ending", SERVICE_ENDINGS)
def test_a_service_answers_what_it_has_read_and_ends_cleanly(tmp_path: Path, ending: str) -> None:
    path = tmp_path / ".lcg" / "service.sock"
    with daemon(tmp_path) as service:
        client = Client(path)
        client.send(*(assertion(number) for number in range(COUNT)))
        answers = [client.line()]
        SERVICE_ENDINGS[ending](service, path)
        answers += client.rest()
        client.close()
        assert [answer["id"] for answer in answers] == list(range(COUNT))
        assert all(answer["result"]["created"] for answer in answers)
        assert service.status() == 0
        assert not path.exists()
        nobody_is_left(service)
    with daemon(tmp_path):
        client = Client(path)
        assert client.call("knowledge_list_entities")["result"]["total"] == COUNT
        client.close()


def assertion(number: int) -> bytes:
    params = {"name": f"Entity {number}"}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "knowledge_assert_entity", "params": params}).encode()


# -- many starts


CHEAP = (sys.executable, "-m", "tests.e2e.cheap_child")


def test_of_many_children_that_are_asked_to_end_nobody_is_left(tmp_path: Path) -> None:
    endings = [end_of_input, *map(by, SIGNALS)]
    for _ in range(5):
        with ExitStack() as stack:
            children = [stack.enter_context(serving(tmp_path, command=CHEAP)) for _ in range(10)]
            for number, child in enumerate(children):
                assert child.line() == "ready"
                endings[number % len(endings)](child)
            for child in children:
                assert child.status() == 0
                nobody_is_left(child)


def test_of_many_children_whose_parent_is_killed_nobody_is_left(tmp_path: Path) -> None:
    with serving(tmp_path, command=(*ORPHANING, "50", *CHEAP)) as parent:
        for _ in range(50):
            assert parent.line() == "ready"
        parent.process.kill()
        nobody_is_left(parent)
