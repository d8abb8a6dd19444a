"""The SDK of OpenAI for agents, and what it makes of every schema for its strict mode."""

import asyncio
import copy

from agents.mcp import MCPServerStdio
from agents.strict_schema import ensure_strict_json_schema
from report import GIVEN, parsed, tell


def is_strict(schema) -> bool:
    if schema.get("type") != "object":
        return all(is_strict(part) for part in schema.values() if isinstance(part, dict))
    properties = schema.get("properties", {})
    closed = schema["additionalProperties"] is False and sorted(schema.get("required", [])) == sorted(properties)
    return closed and all(is_strict(part) for part in properties.values())


async def main() -> None:
    params = {"command": GIVEN["command"], "args": GIVEN["args"]}
    async with MCPServerStdio(params=params, client_session_timeout_seconds=60) as server:
        tools = [tool.name for tool in await server.list_tools()]
        write = await server.call_tool(*GIVEN["write"])
        read = await server.call_tool(*GIVEN["read"])
        refused = await server.call_tool(*GIVEN["refused"])
    strict = {tool["name"]: ensure_strict_json_schema(copy.deepcopy(tool["inputSchema"])) for tool in GIVEN["tools"]}
    tell(
        tools=tools,
        write=parsed(write.content[0].text),
        read=parsed(read.content[0].text),
        refused=refused.content[0].text if refused.is_error else None,
        converted=[name for name, schema in strict.items() if is_strict(schema)],
    )


asyncio.run(main())
