"""A server made with the low-level server of the MCP SDK, which lists given tools and does nothing when one is called.

Run `python -P bench/bare/mcp_server.py TOOLS [PORT]`: TOOLS is a file with the tools as JSON, as a client is given
them. It serves stdin and stdout, or HTTP on a port of this machine.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server


def server_of(tools: list[dict[str, Any]]) -> Server[Any]:
    """Return a server that lists these tools."""
    listed = types.ListToolsResult(tools=[types.Tool.model_validate(tool) for tool in tools])
    done = types.CallToolResult(content=[types.TextContent(type="text", text='{"status":"not_found"}')])

    async def on_list_tools(context: Any, params: Any) -> types.ListToolsResult:
        return listed

    async def on_call_tool(context: Any, params: Any) -> types.CallToolResult:
        return done

    return Server("bare", on_list_tools=on_list_tools, on_call_tool=on_call_tool)


async def serve_stdio(server: Server[Any]) -> None:
    """Serve until the input ends."""
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def serve_http(server: Server[Any], port: int) -> None:
    """Serve until the process is told to end."""
    import uvicorn

    uvicorn.run(server.streamable_http_app(json_response=True), port=port, log_level="warning", timeout_keep_alive=600)


if __name__ == "__main__":
    served = server_of(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    if len(sys.argv) > 2:
        serve_http(served, int(sys.argv[2]))
    else:
        asyncio.run(serve_stdio(served))
