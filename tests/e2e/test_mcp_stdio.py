"""The standalone MCP process over real pipes: raw lines, the SDK's client, and every way to end."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult

from lcg import __version__
from tests.processes import FAKE, PATIENCE_S, REAL, environment, serving

pytestmark = pytest.mark.e2e

NOTHING_EVER_OPENS = {"FAKE_OPEN_S": "600"}
OPENED = "to stdout: must land on stderr"
"""What the fake service says when it is opened."""


def test_the_handshake_and_the_tool_list_come_before_the_service_is_ready(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio", "--scope=read", env=NOTHING_EVER_OPENS) as server:
        result = server.initialize("2025-03-26")["result"]
        assert result["protocolVersion"] == "2025-03-26"
        assert result["serverInfo"] == {
            "name": "liminis-context-graph",
            "title": "LCG context graph",
            "version": __version__,
        }
        assert "tools" in result["capabilities"]
        assert "--scope" in result["instructions"]
        server.request(1, "tools/list")
        listed = server.line()["result"]
        assert "nextCursor" not in listed
        assert all(tool["annotations"].keys() >= {"readOnlyHint", "destructiveHint"} for tool in listed["tools"])
        server.request(2, "ping")
        assert server.line()["result"] == {}
        server.tool(3, "knowledge_status")
        assert server.line()["result"]["isError"] is False
        server.end_input()
        assert server.status() == 0


def test_an_unknown_protocol_version_is_answered_with_the_latest_of_the_handshake(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio") as server:
        assert server.initialize("1999-01-01")["result"]["protocolVersion"] == "2025-11-25"


def test_bad_lines_are_answered_and_the_session_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio") as server:
        server.initialize()
        bad = [
            (b"hello", -32700),
            (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}', -32700),
            (b'"\\ud800"', -32700),
            (b"\xff", -32700),
            (b"[]", -32600),
            (b"5", -32600),
            (b'{"id":1,"method":"ping"}', -32600),
            (b'{"jsonrpc":"2.0","id":1}', -32600),
            (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
            (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
            (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600),
        ]
        for line, code in bad:
            server.send(b"", line + b"\r")
            answer = server.line()
            assert (answer["error"]["code"], answer["id"]) == (code, None), line
        server.send(b"x" * (64 * 1024 * 1024 + 2))
        answer = server.line()
        assert (answer["error"]["code"], answer["error"]["data"]["kind"], answer["id"]) == (-32000, "limit", None)
        server.send(b'{"jsonrpc":"2.0","id":99,"result":{}}')
        server.send(b'\xef\xbb\xbf {"jsonrpc":"2.0","id":1,"method":"ping"} \r')
        assert server.line() == {"jsonrpc": "2.0", "id": 1, "result": {}}
        server.request(2, "no/such")
        assert server.line()["error"]["code"] == -32601


def test_parameters_that_are_no_mcp_and_a_missing_handshake_are_explained(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio") as server:
        server.request(1, "tools/list")
        assert "`initialize`" in server.line()["error"]["message"]
        server.initialize()
        for params in (None, {}, {"name": 5}, {"name": "knowledge_status", "arguments": "{}"}):
            server.request(2, "tools/call", params)
            answer = server.line()
            assert (answer["id"], answer["error"]["code"]) == (2, -32602)
            assert "`arguments`, an object" in answer["error"]["message"]


def test_only_the_protocol_reaches_stdout(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio") as server:
        server.says(OPENED)
        server.initialize()
        server.end_input()
        assert server.rest() == []
        assert server.status() == 0
        assert "service closed" in server.errors


def test_requests_already_read_are_answered_after_the_end_of_input(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio", env={"FAKE_OPEN_S": "0.2"}) as server:
        server.initialize()
        for number in range(100):
            server.tool(number, "knowledge_find_entities", {"query": "x" * 1000})
        server.tool("slow", "knowledge_rebuild_from_wal", {"total": 5, "pause": 0.02})
        server.end_input()
        answers = server.rest()
        assert {answer["id"] for answer in answers} == {*range(100), "slow"}
        assert not any(answer["result"]["isError"] for answer in answers)
        assert server.status() == 0


def test_requests_may_come_from_a_regular_file(tmp_path: Path) -> None:
    script = tmp_path / "script"
    initialize = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    lines: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "knowledge_status"}},
    ]
    script.write_text("\n".join(json.dumps(line) for line in lines))
    with script.open("rb") as stdin, serving(tmp_path, "--mcp-stdio", stdin=stdin) as server:
        assert sorted(answer["id"] for answer in server.rest()) == [0, 1]
        assert server.status() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_cleanly_and_its_sender_is_named(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path, "--mcp-stdio") as server:
        server.initialize()
        server.says(OPENED)
        server.signal(number)
        assert server.status() == 0
        assert f"received {number.name}" in server.errors
        if sys.platform == "linux":
            assert f"sender pid={os.getpid()}\n" in server.errors
        assert "service closed" in server.errors


def test_a_signal_lets_running_calls_answer_and_cancels_those_that_wait_too_long(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio", env=NOTHING_EVER_OPENS | {"LCG_SHUTDOWN_TIMEOUT_MS": "1000"}) as server:
        server.initialize()
        server.tool(1, "knowledge_find_entities", {"query": "x"})
        server.request(2, "ping")
        assert server.line()["id"] == 2
        server.signal(signal.SIGTERM)
        (answer,) = server.rest()
        assert answer["id"] == 1
        assert answer["result"]["structuredContent"]["data"]["kind"] == "cancelled"
        assert server.status() == 0


def test_a_signal_during_startup_ends_it(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio") as server:
        server.says(OPENED)
        server.signal(signal.SIGTERM)
        assert server.status() == 0


def test_close_is_answered_and_the_process_ends_though_input_stays_open(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio", "--scope", "admin") as server:
        server.initialize()
        server.tool(1, "knowledge_close")
        assert server.line()["result"]["structuredContent"] == {"status": "closed"}
        assert server.status() == 0
        assert "service closed" in server.errors


def test_a_client_that_stops_listening_ends_it(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio") as server:
        server.initialize()
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.request(1, "ping")
        assert server.status() == 0


def test_a_cancelled_call_is_not_answered_and_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio", env=NOTHING_EVER_OPENS) as server:
        server.initialize()
        server.tool(1, "knowledge_find_entities", {"query": "x"})
        server.send(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
        server.request(2, "ping")
        server.end_input()
        assert [answer["id"] for answer in server.rest()] == [2]
        assert server.status() == 0


def test_progress_comes_with_its_token_rising_and_before_the_result(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio") as server:
        server.initialize()
        server.tool(1, "knowledge_rebuild_from_wal", {"total": 4, "pause": 0.05}, progressToken=0)
        server.end_input()
        *notifications, result = server.rest()
    assert result["result"]["structuredContent"]["done"] == 8
    values = [note["params"]["progress"] for note in notifications]
    assert values == sorted(set(values))
    assert (values[-1], notifications[-1]["params"]["total"]) == (8, 8)
    assert {note["params"]["progressToken"] for note in notifications} == {0}


def test_a_call_without_a_token_gets_no_notification(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio") as server:
        server.initialize()
        server.tool(1, "knowledge_rebuild_from_wal", {"total": 4})
        server.tool(2, "knowledge_find_entities", {}, progressToken="t")
        server.end_input()
        assert sorted(answer["id"] for answer in server.rest()) == [1, 2]


PARENT = """
import subprocess, sys
child = subprocess.Popen(sys.argv[1:])
sys.stderr.write(f"child {child.pid}\\n")
sys.stderr.flush()
child.wait()
"""


def test_the_death_of_the_parent_ends_it_though_its_input_stays_open(tmp_path: Path) -> None:
    with serving(tmp_path, command=(sys.executable, "-c", PARENT, *FAKE, "--mcp-stdio")) as parent:
        parent.initialize()
        parent.says(OPENED)
        parent.process.kill()
        parent.process.wait(PATIENCE_S)
        # The child holds the other end of this pipe; only its end closes it.
        assert parent.rest() == []
        parent.says("service closed")


def test_a_second_process_in_a_workspace_fails_at_once(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio") as owner:
        owner.initialize()
        with serving(tmp_path, "--mcp-stdio") as second:
            assert second.status() == 1
            assert f"process {owner.process.pid} " in second.errors
            assert "lcg --mcp-stdio --connect .lcg/service.sock" in second.errors
        owner.request(1, "ping")
        assert owner.line()["id"] == 1


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "auto"])
def test_the_sdk_client_lists_calls_and_leaves(tmp_path: Path, mode: str) -> None:
    async def conversation() -> None:
        parameters = StdioServerParameters(
            command=FAKE[0], args=[*FAKE[1:], "--mcp-stdio", "--scope=read,admin"], env=environment(), cwd=tmp_path
        )
        with (tmp_path / "stderr").open("w") as errors:
            async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                assert names[0] == "knowledge_status"
                assert "knowledge_assert_entity" not in names
                result = await client.call_tool("knowledge_status", {})
                assert isinstance(result, CallToolResult)
                assert result.structured_content == {"method": "knowledge_status", "params": {}}

    asyncio.run(conversation())


def test_the_real_program_serves_remembers_and_leaves(tmp_path: Path) -> None:
    for expected in ("created", "existing"):
        with serving(tmp_path, "--mcp-stdio", command=REAL) as server:
            server.initialize()
            server.tool(1, "knowledge_assert_entity", {"name": "Ada"})
            answer = server.line()["result"]
            assert answer["isError"] is False, answer
            assert answer["structuredContent"]["created"] is (expected == "created")
            server.tool(2, "knowledge_find_entities", {"query": "Ada"})
            assert server.line()["result"]["structuredContent"]["nodes"][0]["name"] == "Ada"
            server.end_input()
            assert server.status() == 0


def test_handshake_lists_and_calls_do_not_import_the_sdk(tmp_path: Path) -> None:
    command = (sys.executable, "-X", "importtime", "-m", "lcg", "--mcp-stdio")
    with serving(tmp_path, command=command) as server:
        server.initialize()
        for number, method in enumerate(("ping", "tools/list", "prompts/list", "resources/list")):
            server.request(number, method)
            assert "result" in server.line()
        server.tool(5, "knowledge_find_entities", {"query": "Ada"})
        assert server.line()["result"]["isError"] is False
        server.end_input()
        assert server.status() == 0
    imported = set(re.findall(r"^import time:.*\| +(\S+)$", server.errors, re.MULTILINE))
    assert "lcg.server.mcp_front" in imported
    assert not {"mcp", "mcp_types", "pydantic", "starlette"} & imported


def test_help_does_not_need_a_workspace(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = subprocess.run([*REAL, "--help"], cwd=tmp_path, env=environment(), capture_output=True, check=False)
    assert done.returncode == 0
    assert list(tmp_path.iterdir()) == []
