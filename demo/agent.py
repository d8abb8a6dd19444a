"""The demo's agent: it starts the standalone server as a child process and calls its tools over MCP."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import TextContent

SERVER_LOG = "server.log"


class ToolFailed(Exception):
    """A tool refused or failed; the message is the server's."""


def server_command(*more: str) -> tuple[str, list[str]]:
    """Return program and arguments that serve an agent from this checkout's environment."""
    return str(Path(sys.executable).with_name("lcg")), ["--mcp-stdio", *more, "--extractor", "builtin"]


class Agent:
    """A connected agent."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its result.

        Raises:
            ToolFailed: the tool answered with an error.
        """
        answer = await self._client.call_tool(tool, arguments)
        if answer.is_error:
            text = " ".join(part.text for part in answer.content if isinstance(part, TextContent))
            raise ToolFailed(f"{tool}: {text}")
        result: dict[str, Any] = answer.structured_content or {}
        return result


@asynccontextmanager
async def connected(workspace: Path) -> AsyncIterator[Agent]:
    """Start a server that owns the workspace, and give an agent that talks to it; the server ends with the block.

    What the server says on stderr goes to a file in the workspace. The SDK hands only a few harmless variables on to
    the child, so no setting of the caller's environment changes what it does.
    """
    command, arguments = server_command()
    parameters = StdioServerParameters(command=command, args=arguments, cwd=workspace)
    with (workspace / SERVER_LOG).open("w", encoding="utf-8") as log:
        async with Client(stdio_client(parameters, errlog=log)) as client:
            yield Agent(client)
