"""The toolset of Pydantic AI."""

import asyncio

from fastmcp.client.transports import StdioTransport
from pydantic_ai.mcp import MCPToolset
from report import GIVEN, parsed, tell


async def main() -> None:
    # By itself it waits five seconds for the start, which is short for a busy machine.
    async with MCPToolset(StdioTransport(command=GIVEN["command"], args=GIVEN["args"]), init_timeout=60) as toolset:
        tools = [tool.name for tool in await toolset.list_tools()]
        write = parsed(await toolset.direct_call_tool(*GIVEN["write"]))
        read = parsed(await toolset.direct_call_tool(*GIVEN["read"]))
        refused = None
        try:
            await toolset.direct_call_tool(*GIVEN["refused"])
        except Exception as error:  # of a kind that differs between its versions
            refused = str(error)
    tell(tools=tools, write=write, read=read, refused=refused)


asyncio.run(main())
