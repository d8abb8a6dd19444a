"""The SDK that the program itself is built on, as a client: both eras, over every transport."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, TextContent

from lcg.server.backend import product
from lcg.server.calls import CallRunner
from lcg.server.lifecycle import Stop
from lcg.server.mcp_server import build_server
from lcg.server.mcp_tools import Toolbox
from lcg.settings import Settings
from tests.clients.conversation import SCOPES, Conversation
from tests.clients.workspace import PATIENCE, Workspace

Report = dict[str, Any]


def over_stdio(workspace: Workspace, talk: Conversation, era: str) -> Report:
    """Let the SDK start the program."""
    command, *words = workspace.command
    parameters = StdioServerParameters(command=command, args=words)

    async def conversation() -> Report:
        with open(os.devnull, "w") as errors:
            return await _talk(stdio_client(parameters, errlog=errors), talk, era)

    return anyio.run(conversation)


def over_http(workspace: Workspace, talk: Conversation, era: str) -> Report:
    """Let the SDK talk to the service."""
    return anyio.run(_talk, workspace.url, talk, era)


def in_memory(talk: Conversation, era: str) -> Report:
    """Let the SDK talk to a server in this process, which owns a workspace of its own."""
    backend = product()
    with tempfile.TemporaryDirectory() as folder:
        service = backend.open_service(_settings(Path(folder)))
        try:
            server = build_server(Toolbox(backend.tools, SCOPES, "all"), CallRunner(service, backend.traits), Stop())
            return anyio.run(_talk, server, talk, era)
        finally:
            service.close()


def _settings(root: Path) -> Settings:
    lcg = root / ".lcg"
    return Settings(
        db_path=lcg / "db" / "g.db",
        wal_dir=lcg / "wal",
        search_dir=lcg / "search",
        workspace_root=root,
        telemetry=False,
    )


async def _talk(target: Any, talk: Conversation, era: str) -> Report:
    with anyio.fail_after(PATIENCE):
        async with Client(target, mode=era) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            write, read, refused = [
                await client.call_tool(name, arguments) for name, arguments in (talk.write, talk.read, talk.refused)
            ]
    return {"tools": tools, "write": _value(write), "read": _value(read), "refused": _refusal(refused)}


def _value(answer: object) -> Any:
    assert isinstance(answer, CallToolResult)
    assert json.loads(_text(answer)) == answer.structured_content
    return answer.structured_content


def _refusal(answer: object) -> str | None:
    assert isinstance(answer, CallToolResult)
    return _text(answer) if answer.is_error else None


def _text(answer: CallToolResult) -> str:
    block = answer.content[0]
    assert isinstance(block, TextContent)
    return block.text
