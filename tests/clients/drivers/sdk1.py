"""The first generation of the Python SDK."""

import asyncio

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from report import GIVEN, parsed, tell


async def main() -> None:
    server = StdioServerParameters(command=GIVEN["command"], args=GIVEN["args"])
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        write = await session.call_tool(*GIVEN["write"])
        read = await session.call_tool(*GIVEN["read"])
        refused = await session.call_tool(*GIVEN["refused"])
    assert parsed(read.content[0].text) == read.structuredContent
    tell(
        tools=tools,
        write=write.structuredContent,
        read=read.structuredContent,
        refused=refused.content[0].text if refused.isError else None,
    )


asyncio.run(main())
