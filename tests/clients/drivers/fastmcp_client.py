"""The client of FastMCP."""

import asyncio

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from fastmcp.exceptions import ToolError
from report import GIVEN, tell


async def main() -> None:
    async with Client(StdioTransport(GIVEN["command"], GIVEN["args"])) as client:
        tools = [tool.name for tool in await client.list_tools()]
        write = await client.call_tool(*GIVEN["write"])
        read = await client.call_tool(*GIVEN["read"])
        refused = None
        try:
            await client.call_tool(*GIVEN["refused"])
        except ToolError as error:
            refused = str(error)
    tell(tools=tools, write=write.structured_content, read=read.structured_content, refused=refused)


asyncio.run(main())
