"""Clients of every kind over the real program, all of which are talked to in one way."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import StdioServerParameters
from mcp.client import Client as SdkClient
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult

from tests.processes import PATIENCE_S, REAL, Refused, Server, Talker, daemon, environment, serving

BUILTIN = ("--extractor", "builtin")
EVERY_SCOPE = ("--scope", "read,write,cypher,admin")
ATTACHED = ("--connect", ".lcg/service.sock", "--allow-remote-close")
ERAS = ("legacy", "2026-07-28")


class McpTalker:
    """The SDK's client, for callers that do not wait in coroutines."""

    def __init__(self, portal: BlockingPortal, client: SdkClient) -> None:
        self._portal = portal
        self._client = client

    def result(self, method: str, **params: Any) -> Any:
        answer = self._portal.call(self._call, method, params)
        assert isinstance(answer, CallToolResult)
        return checked(method, answer.model_dump(by_alias=True))

    async def _call(self, method: str, params: dict[str, Any]) -> Any:
        with anyio.fail_after(PATIENCE_S):
            return await self._client.call_tool(method, params)

    def rows(self, query: str, **parameters: Any) -> list[list[Any]]:
        return rows_of(self, query, parameters)

    def tools(self) -> list[str]:
        """Return the names of the tools that are listed."""
        return [tool.name for tool in self._portal.call(self._client.list_tools).tools]


def checked(method: str, answer: dict[str, Any]) -> Any:
    """Return the result of a tool call, whose two forms have to agree. Raises Refused for a failure."""
    (block,) = answer["content"]
    assert block["type"] == "text"
    value = answer["structuredContent"]
    if answer.get("isError"):
        assert value["message"] in block["text"]
        raise Refused(method, value)
    assert json.loads(block["text"]) == value
    return value


def rows_of(talker: Talker, query: str, parameters: dict[str, Any]) -> list[list[Any]]:
    """Return all rows of a Cypher query."""
    answer = talker.result("knowledge_query_cypher", query=query, parameters=parameters, max_rows=100_000)
    assert not answer["truncated"]
    rows: list[list[Any]] = answer["rows"]
    return rows


@contextmanager
def over_mcp(workspace: Path, *arguments: str, era: str) -> Iterator[McpTalker]:
    """Start the program for one MCP client in a workspace, and let the SDK's client talk to it."""
    parameters = StdioServerParameters(
        command=REAL[0],
        args=[*REAL[1:], "--mcp-stdio", *EVERY_SCOPE, *arguments],
        env=environment(),
        cwd=workspace,
    )
    with (workspace / "stderr").open("a") as errors, _talking(stdio_client(parameters, errlog=errors), era) as talker:
        yield talker


@contextmanager
def over_http(server: Server, *, era: str) -> Iterator[McpTalker]:
    """Let the SDK's client talk to a process that serves HTTP."""
    with _talking(f"{server.http_url()}/mcp", era) as talker:
        yield talker


@contextmanager
def _talking(target: Any, era: str) -> Iterator[McpTalker]:
    with start_blocking_portal() as portal:
        connection = portal.wrap_async_context_manager(SdkClient(target, mode=era))
        client = connection.__enter__()
        try:
            talker = McpTalker(portal, client)
            # Without a handshake, as in the newer era, starting the program would count as part of the first call.
            talker.tools()
            yield talker
        finally:  # without the fault of a test, which would come back wrapped in groups
            connection.__exit__(None, None, None)


@contextmanager
def standalone(workspace: Path, *, era: str) -> Iterator[Talker]:
    """Let the SDK's client talk to a process that owns a workspace."""
    with over_mcp(workspace, *BUILTIN, era=era) as talker:
        yield talker


@contextmanager
def attached(workspace: Path, *, era: str) -> Iterator[Talker]:
    """Run the service of a workspace, and let the SDK's client talk to a process that is attached to it."""
    with daemon(workspace), over_mcp(workspace, *ATTACHED, era=era) as talker:
        yield talker


@contextmanager
def over_socket(workspace: Path) -> Iterator[Talker]:
    """Run the service of a workspace, and talk to its socket."""
    with daemon(workspace) as service, service.client() as client:
        yield client


@contextmanager
def http(workspace: Path, *, era: str) -> Iterator[Talker]:
    """Let the SDK's client talk over HTTP to a process that owns a workspace."""
    arguments = ("--http", "127.0.0.1:0", *EVERY_SCOPE, *BUILTIN)
    with serving(workspace, *arguments, command=REAL) as server, over_http(server, era=era) as talker:
        yield talker


KINDS: dict[str, Callable[[Path], AbstractContextManager[Talker]]] = {
    "socket": over_socket,
    **{f"standalone-{era}": partial(standalone, era=era) for era in ERAS},
    **{f"attached-{era}": partial(attached, era=era) for era in ERAS},
    **{f"http-{era}": partial(http, era=era) for era in ERAS},
}
"""By kind of client: how it comes to a workspace that nobody serves yet."""


def kill_the_owner(talker: Talker) -> None:
    """Kill the process that owns the workspace, as nothing but a power failure would."""
    os.kill(talker.result("knowledge_status")["pid"], signal.SIGKILL)
