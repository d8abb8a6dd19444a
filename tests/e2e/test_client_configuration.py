"""What `lcg mcp-config` prints is all that a client needs, wherever that client starts its servers."""

import json
import subprocess
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult

from tests.processes import PATIENCE_S, REAL, environment

pytestmark = pytest.mark.e2e


def configured(workspace: Path, client: str) -> dict[str, Any]:
    """Return the entry that is printed for a client."""
    done = subprocess.run(
        [*REAL, "mcp-config", client, "--user", "--workspace", str(workspace)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    entry: dict[str, Any] = json.loads(done.stdout)["mcpServers"]["lcg"]
    return entry


def test_two_clients_that_start_elsewhere_share_the_graph_of_the_workspace(tmp_path: Path) -> None:
    workspace = tmp_path / "a workspace"
    workspace.mkdir()

    async def call(client: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        entry = configured(workspace, client)
        parameters = StdioServerParameters(
            command=entry["command"],
            args=entry["args"],
            # The service that the first one starts ends soon after the last one has gone.
            env=environment({"LCG_IDLE_EXIT_SECS": "1"}),
            cwd="/",
        )
        with (tmp_path / "stderr").open("a") as errors:
            async with Client(stdio_client(parameters, errlog=errors)) as connection:
                answer = await connection.call_tool(name, arguments)
        assert isinstance(answer, CallToolResult)
        assert not answer.is_error, answer
        return answer.structured_content or {}

    async def both() -> list[str]:
        await call("claude-desktop", "knowledge_assert_entity", {"name": "Ada Lovelace"})
        found = await call("cursor", "knowledge_find_entities", {"query": "Ada", "num_results": 1})
        return [node["name"] for node in found["nodes"]]

    assert anyio.run(both) == ["Ada Lovelace"]
    assert (workspace / ".lcg/service.log").is_file()
    assert [path.name for path in workspace.iterdir()] == [".lcg"]
