"""The attached process as a program: beside a real service, with others, and when that service goes."""

import asyncio
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult

from tests.processes import FAKE, REAL, Server, daemon, environment, serving

pytestmark = pytest.mark.e2e

SOCKET = ".lcg/service.sock"
FLAG = "--allow-remote-close"
HEAVY = ("kuzu", "numpy", "tokenizers", "safetensors", "hnswlib", "wordllama", "sqlite3")
OF_THE_SERVICE = ("lcg.graph", "lcg.handlers", "lcg.providers", "lcg.search", "lcg.services", "lcg.store", "lcg.wal")
TEXTS_ONLY = {"lcg.services", "lcg.services.warnings", "lcg.providers", "lcg.providers.endpoint"}
"""What the MCP layer and the settings need of the service: sentences, and what an address of a provider is."""

EACH = 40


@contextmanager
def attached(workspace: Path, *arguments: str, command: tuple[str, ...] = REAL, **more: Any) -> Iterator[Server]:
    with serving(workspace, "--mcp-stdio", "--connect", SOCKET, *arguments, command=command, **more) as server:
        server.initialize()
        yield server


def call(server: Server, tool: str, **arguments: Any) -> Any:
    server.tool(1, tool, arguments)
    answer = server.line()
    return answer.get("result", answer)


def test_it_imports_nothing_of_the_graph_and_leaves_its_own_directory_alone(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "elsewhere").mkdir()
    command = (
        sys.executable,
        "-X",
        "importtime",
        "-m",
        "lcg",
        "--mcp-stdio",
        "--connect",
        str(tmp_path / "w" / SOCKET),
    )
    with daemon(tmp_path / "w"), serving(tmp_path / "elsewhere", command=command) as server:
        server.initialize()
        for arguments in ({"name": "Ada"}, {"nam": "Ada"}):
            server.tool(1, "knowledge_assert_entity", arguments)
            server.line()
        server.end_input()
        assert server.status() == 0
    imported = set(re.findall(r"^import time:.*\| +(\S+)$", server.errors, re.MULTILINE))
    assert "lcg.server.attached" in imported
    assert not {"mcp", "mcp_types", "pydantic"} & imported
    heavy = {name for name in imported if name.split(".")[0] in HEAVY or name.startswith(OF_THE_SERVICE)}
    assert heavy <= TEXTS_ONLY
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_two_attached_clients_and_a_socket_client_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    refused: list[Any] = []

    def assert_over_mcp(server: Server, mark: str) -> None:
        for number in range(EACH):
            server.tool(number, "knowledge_assert_entity", {"name": f"{mark} {number}"})
        answers = [server.line() for _ in range(EACH)]
        refused.extend(answer for answer in answers if answer["result"]["isError"])

    with daemon(tmp_path) as service, attached(tmp_path) as one, attached(tmp_path) as two, service.client() as client:
        threads = [
            threading.Thread(target=assert_over_mcp, args=(server, mark)) for server, mark in ((one, "a"), (two, "b"))
        ]
        for thread in threads:
            thread.start()
        for number in range(EACH):
            client.result("knowledge_assert_entity", name=f"c {number}")
        for thread in threads:
            thread.join()
        assert refused == []
        listed = client.result("knowledge_list_entities", num_results=1000)["nodes"]
        assert sorted(entity["name"] for entity in listed) == sorted(
            f"{mark} {number}" for mark in "abc" for number in range(EACH)
        )
        seen = call(one, "knowledge_find_entities", query="b 7")["structuredContent"]["nodes"]
        assert "b 7" in [node["name"] for node in seen]


def test_the_command_in_the_lock_error_attaches(tmp_path: Path) -> None:
    with daemon(tmp_path) as service:
        with serving(tmp_path, "--mcp-stdio", command=REAL) as second:
            assert second.status() == 1
        command = re.search(r"Attach to it: lcg (.+)$", second.errors, re.MULTILINE)
        assert command, second.errors
        with serving(tmp_path, *shlex.split(command[1]), command=REAL) as server:
            server.initialize()
            assert call(server, "knowledge_status")["structuredContent"]["pid"] == service.process.pid


@pytest.mark.parametrize("path", ["missing.sock", "file"])
def test_without_a_service_the_start_fails_with_the_path(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").touch()
    with serving(tmp_path, "--mcp-stdio", "--connect", path, command=REAL) as server:
        assert server.rest() == []
        assert server.status() == 1
        assert f"cannot attach to {path}: " in server.errors
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_options_of_the_service_are_ignored_with_a_note(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        service.says("listening on")
        with attached(tmp_path, "--extractor", "builtin", "--embedder-http=http://localhost:1") as server:
            server.says("--extractor has no effect with --connect")
            server.says("--embedder-http has no effect with --connect")
            server.request(1, "ping")
            assert server.line()["result"] == {}


def test_close_is_not_there_without_its_flag(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        service.says("listening on")
        with attached(tmp_path) as server:
            server.request(1, "tools/list")
            names = [tool["name"] for tool in server.line()["result"]["tools"]]
            assert "knowledge_status" in names
            assert "knowledge_close" not in names
            error = call(server, "knowledge_close")["error"]
            assert error["code"] == -32602
            assert FLAG in error["message"]


def test_close_with_its_flag_ends_the_service_and_this_process_finds_the_next_one(tmp_path: Path) -> None:
    with daemon(tmp_path) as service, attached(tmp_path, FLAG) as server:
        assert call(server, "knowledge_assert_entity", name="Ada")["structuredContent"]["created"]
        assert call(server, "knowledge_close")["structuredContent"] == {"status": "closed"}
        assert service.status() == 0
        failed = call(server, "knowledge_status")
        assert failed["isError"]
        assert failed["structuredContent"]["data"]["kind"] == "unavailable"
        assert SOCKET in failed["structuredContent"]["message"]
        with daemon(tmp_path):
            assert not call(server, "knowledge_assert_entity", name="Ada")["structuredContent"]["created"]
        server.end_input()
        assert server.status() == 0


def test_a_service_that_is_killed_in_the_middle_of_calls_costs_these_calls_only(tmp_path: Path) -> None:
    with serving(tmp_path, env={"FAKE_OPEN_S": "600"}) as service:
        service.says("listening on")
        with attached(tmp_path) as server:
            for id in range(12):  # more than there are connections
                server.tool(id, "knowledge_find_entities", {"query": "x"})
            server.tool("probe", "no_tool_at_all")
            assert server.line()["id"] == "probe"
            service.process.kill()
            answers = [server.line() for _ in range(12)]
            assert {answer["id"] for answer in answers} == set(range(12))
            assert {answer["result"]["structuredContent"]["data"]["kind"] for answer in answers} == {"unavailable"}
            with serving(tmp_path) as second:
                second.says("listening on")
                assert not call(server, "knowledge_find_entities", query="x")["isError"]


def test_silence_is_given_up_after_the_time_that_was_set(tmp_path: Path) -> None:
    with serving(tmp_path, env={"FAKE_OPEN_S": "600"}) as service:
        service.says("listening on")
        with attached(tmp_path, env={"LCG_ATTACHED_CALL_TIMEOUT_MS": "200"}) as server:
            failed = call(server, "knowledge_find_entities", query="x")
            assert "timed out" in failed["structuredContent"]["message"]
            assert not call(server, "knowledge_status")["isError"]


def test_progress_reaches_the_client_of_a_fake_service(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        service.says("listening on")
        with attached(tmp_path, command=FAKE) as server:
            server.tool(1, "knowledge_rebuild_from_wal", {"total": 4, "pause": 0.05}, progressToken=0)
            server.end_input()
            *notifications, result = server.rest()
    assert result["result"]["structuredContent"]["done"] == 8
    values = [note["params"]["progress"] for note in notifications]
    assert values == sorted(set(values))
    assert (values[-1], notifications[-1]["params"]["progressToken"]) == (8, 0)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "auto"])
def test_the_sdk_client_lists_calls_and_leaves(tmp_path: Path, mode: str) -> None:
    async def conversation() -> None:
        parameters = StdioServerParameters(
            command=REAL[0],
            args=[*REAL[1:], "--mcp-stdio", "--connect", SOCKET, "--scope=read,admin"],
            env=environment(),
            cwd=tmp_path,
        )
        with (tmp_path / "stderr").open("w") as errors:
            async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                assert names[0] == "knowledge_status"
                assert not {"knowledge_assert_entity", "knowledge_close"} & set(names)
                result = await client.call_tool("knowledge_status", {})
                assert isinstance(result, CallToolResult)
                assert result.structured_content == {"method": "knowledge_status", "params": {}}

    with serving(tmp_path) as service:
        service.says("listening on")
        asyncio.run(conversation())


def test_a_usage_error_stays_one(tmp_path: Path) -> None:
    arguments = [*REAL, "--mcp-stdio", "--connect", " "]
    done = subprocess.run(
        arguments, cwd=tmp_path, env=environment(), capture_output=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert b"--connect needs `auto`, or the path" in done.stderr
    assert list(tmp_path.iterdir()) == []
