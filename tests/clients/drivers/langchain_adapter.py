"""LangChain's adapter: tools of a server as tools of an agent."""

import asyncio

from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from report import GIVEN, parsed, tell


async def main() -> None:
    server = {"transport": "stdio", "command": GIVEN["command"], "args": GIVEN["args"]}
    async with MultiServerMCPClient({"lcg": server}).session("lcg") as session:
        tools = {tool.name: tool for tool in await load_mcp_tools(session)}

        async def call(name, arguments):
            return await tools[name].ainvoke(arguments)

        write = parsed(await call(*GIVEN["write"]))
        read = parsed(await call(*GIVEN["read"]))
        # As an agent calls it: a failure is a message for the model.
        name, arguments = GIVEN["refused"]
        refused = await tools[name].ainvoke({"type": "tool_call", "id": "1", "name": name, "args": arguments})
    tell(tools=list(tools), write=write, read=read, refused=refused.text if refused.status == "error" else None)


asyncio.run(main())
