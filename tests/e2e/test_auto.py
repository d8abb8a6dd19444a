"""`--connect auto`: one service for all clients of a workspace, which comes and goes by itself."""

import os
import signal
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from lcg.server.lock import WorkspaceLock, last_owner
from tests.processes import REAL, Server, daemon, serving
from tests.server.running import eventually

pytestmark = pytest.mark.e2e

AUTO = ("--mcp-stdio", "--connect", "auto")
NOTHING = MappingProxyType[str, str]({})


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Path]:
    """A workspace whose last owner is killed when the test has ended."""
    path = tmp_path / "workspace"
    path.mkdir()
    yield path
    found = last_owner(path / ".lcg" / "lock")
    if found is not None:
        with suppress(ProcessLookupError):
            os.kill(found.pid, signal.SIGKILL)


def owner(workspace: Path) -> int:
    found = last_owner(workspace / ".lcg" / "lock")
    assert found is not None
    return found.pid


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # One whose parent was killed may wait long for somebody to take note of its end.
    with suppress(FileNotFoundError):
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    return False


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    eventually(lambda: not is_alive(pid))


@contextmanager
def client(workspace: Path, *arguments: str, env: MappingProxyType[str, str] = NOTHING) -> Iterator[Server]:
    with serving(workspace, *AUTO, *arguments, command=REAL, env=env) as server:
        server.initialize()
        yield server


def call(server: Server, tool: str, **arguments: Any) -> Any:
    server.tool(1, tool, arguments)
    return server.line()["result"]["structuredContent"]


def names(server: Server) -> set[str]:
    return {node["name"] for node in call(server, "knowledge_list_entities", num_results=1000)["nodes"]}


def test_a_service_is_started_once_and_outlives_the_client_that_started_it(workspace: Path) -> None:
    with client(workspace, "--extractor", "builtin") as first:
        assert call(first, "knowledge_assert_entity", name="Ada")["created"]
        status = call(first, "knowledge_status")
        assert status["extractor"]["provider"] == "builtin"
        started = status["pid"]
        assert started == owner(workspace) != first.process.pid
        assert os.getsid(started) == started
        assert os.readlink(f"/proc/{started}/cwd") == str(workspace)
        assert f"process {started} is started" in first.errors
        first.end_input()
        assert first.status() == 0
    elsewhere = ("--workspace", str(workspace), "--embedder-http=http://localhost:1/")
    with client(workspace.parent, *elsewhere) as second:
        assert names(second) == {"Ada"}
        assert call(second, "knowledge_status")["pid"] == started
        second.says(f"attached to process {started}, which runs already, so this has no effect: --embedder-http.")
        # A group that is ended as a whole, as terminals and clients do, does not take the service along.
        os.killpg(second.process.pid, signal.SIGKILL)
        second.status()
    log = workspace / ".lcg" / "service.log"
    assert f"process {started}, started by process {first.process.pid}, is to serve this workspace" in log.read_text()
    assert "listening on .lcg/service.sock" in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert is_alive(started)


def test_eight_that_start_at_the_same_instant_end_with_one_owner(workspace: Path) -> None:
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(workspace, *AUTO, command=REAL)) for _ in range(8)]
        owners: list[int] = []

        def work(number: int) -> None:
            servers[number].initialize()
            assert call(servers[number], "knowledge_assert_entity", name=f"entity {number}")["created"]
            owners.append(call(servers[number], "knowledge_status")["pid"])

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert owners == [owner(workspace)] * 8
        assert names(servers[0]) == {f"entity {number}" for number in range(8)}
        assert sum("is started to serve it" in server.errors for server in servers) == 1


def test_clients_outlive_their_owner_and_the_call_under_way_is_not_repeated(workspace: Path) -> None:
    with client(workspace) as one, client(workspace) as two:
        assert call(one, "knowledge_assert_entity", name="Ada")["created"]
        assert names(two) == {"Ada"}
        first = owner(workspace)
        os.kill(first, signal.SIGSTOP)
        one.tool(1, "knowledge_assert_entity", {"name": "Bob"})
        one.request(2, "ping")
        assert one.line()["id"] == 2
        time.sleep(2)  # until the request lies in the socket's buffer; nothing tells from outside
        kill(first)
        failed = one.line()["result"]
        assert failed["isError"]
        assert failed["structuredContent"]["data"]["kind"] == "unavailable"
        assert "connection lost mid-call" in failed["structuredContent"]["message"]
        assert f"(process {first})" in failed["structuredContent"]["message"]
        # The lock and the socket of the dead owner are still there.
        assert (workspace / ".lcg" / "service.sock").exists()
        assert names(two) == {"Ada"}
        second = call(one, "knowledge_status")["pid"]
        assert second == owner(workspace) != first
        assert call(one, "knowledge_assert_entity", name="Bob")["created"]


def test_a_service_that_cannot_start_says_why_and_where_more_stands(workspace: Path) -> None:
    long = MappingProxyType({"LCG_SOCKET_PATH": "x" * 120})
    with serving(workspace, *AUTO, command=REAL, env=long) as server:
        assert server.status() == 1
        assert server.rest() == []
    assert "cannot attach to the owner of this workspace: process " in server.errors
    assert "ended with status 1; its log is .lcg/service.log, and it said last:\n" in server.errors
    assert "the socket path has 120 bytes" in server.errors


def test_what_is_wrong_with_the_settings_of_a_service_is_a_usage_error_of_the_client(workspace: Path) -> None:
    wrong = MappingProxyType({"LCG_IDLE_EXIT_SECS": "0"})
    with serving(workspace, *AUTO, command=REAL, env=wrong) as server:
        assert server.status() == 2
    assert "LCG_IDLE_EXIT_SECS must be an integer of at least 1" in server.errors
    assert list(workspace.iterdir()) == []


def test_two_workspaces_with_one_socket_path_do_not_share_a_graph(workspace: Path, tmp_path: Path) -> None:
    shared = MappingProxyType({"LCG_SOCKET_PATH": str(tmp_path / "s")})
    other = tmp_path / "other"
    other.mkdir()
    with client(workspace, env=shared) as first:
        assert call(first, "knowledge_assert_entity", name="Ada")["created"]
        with serving(other, *AUTO, command=REAL, env=shared) as second:
            assert second.status() == 1
        assert f"{tmp_path / 's'} belongs to process {owner(workspace)}, a service that is running" in second.errors
        assert names(first) == {"Ada"}


def test_it_attaches_to_an_mcp_process_that_owns_the_workspace_and_starts_a_service_when_that_ends(
    workspace: Path,
) -> None:
    with serving(workspace, "--mcp-stdio", command=REAL) as standalone:
        standalone.initialize()
        assert call(standalone, "knowledge_assert_entity", name="Ada")["created"]
        with client(workspace) as server:
            assert names(server) == {"Ada"}
            assert call(server, "knowledge_status")["pid"] == standalone.process.pid
            assert call(server, "knowledge_assert_entity", name="Bob")["created"]
            standalone.end_input()
            assert standalone.status() == 0
            assert names(server) == {"Ada", "Bob"}
            assert call(server, "knowledge_status")["pid"] == owner(workspace) != standalone.process.pid


def test_a_started_service_ends_when_it_has_had_no_client_for_long_and_not_before(workspace: Path) -> None:
    short = MappingProxyType({"LCG_IDLE_EXIT_SECS": "1"})
    with client(workspace, env=short) as server:
        assert call(server, "knowledge_assert_entity", name="Ada")["created"]
        started = owner(workspace)
        time.sleep(2.5)
        assert call(server, "knowledge_status")["pid"] == started
        server.end_input()
        assert server.status() == 0
    eventually(lambda: not is_alive(started))
    assert not (workspace / ".lcg" / "service.sock").exists()
    assert not (workspace / ".lcg" / "service.sock.ending").exists()
    with client(workspace, env=short) as server:
        assert names(server) == {"Ada"}


def test_a_start_waits_for_an_owner_that_is_about_to_end(workspace: Path) -> None:
    lock = WorkspaceLock.acquire(workspace / ".lcg" / "lock", "service", Path(".lcg/service.sock"))
    with serving(workspace, *AUTO, command=REAL) as server:
        server.says("is started to serve it")
        time.sleep(1)
        lock.release()
        server.initialize()
        assert call(server, "knowledge_status")["pid"] == owner(workspace) != os.getpid()


def test_a_service_that_a_person_started_stays(workspace: Path) -> None:
    with daemon(workspace, env={"LCG_IDLE_EXIT_SECS": "1"}) as service:
        with client(workspace) as server:
            assert call(server, "knowledge_status")["pid"] == service.process.pid
        time.sleep(2.5)
        assert service.process.poll() is None
        service.end()
    assert not (workspace / ".lcg" / "service.log").exists()
