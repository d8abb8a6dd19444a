"""The SDK's MCP server with our tools, resources and prompts, for whatever transport."""

from typing import Any, Final

import mcp_types as types
import orjson
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.caching import CacheableMethod, CacheHint

from lcg import __version__
from lcg.generated.tool_specs import SERVER_NAME, SERVER_TITLE
from lcg.runtime.tool_spec import ToolSpec
from lcg.server.calls import CallRunner
from lcg.server.lifecycle import Stop
from lcg.server.mcp_lists import LISTS_TTL_MS, instructions
from lcg.server.mcp_prompts import Prompts
from lcg.server.mcp_resources import Resources
from lcg.server.mcp_tools import Toolbox
from lcg.server.mcp_updates import Updates
from lcg.server.tool_calls import CannotCall, ToolCalls

_LASTING: Final[tuple[CacheableMethod, ...]] = (
    *("tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"),
)
"""What never changes while the process lives."""


def build_server(toolbox: Toolbox, runner: CallRunner, stop: Stop, updates: Updates | None = None) -> Server[Any]:
    """Return the SDK's server with our handlers; it serves both protocol eras.

    `updates` is for whoever wants to close it; its streams end with their connections in any case.
    """
    tools = [_tool(spec) for spec in toolbox.visible]
    resources, prompts = Resources(toolbox, runner), Prompts(toolbox, runner)
    watched = updates or Updates(resources)
    calls = ToolCalls(toolbox, runner, stop, watched.note_write)

    async def list_tools(
        context: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            # Progress is reported whether or not a token came: only the SDK knows, and drops what nobody asked for.
            answer = await calls.call(
                params.name, params.arguments or {}, context.request_id, context.session.report_progress
            )
        except CannotCall as refusal:
            raise MCPError(refusal.code, refusal.message, dict(refusal.data)) from None
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=answer.text)],
            structured_content=orjson.loads(answer.structured),
            is_error=answer.is_error,
        )

    return Server(
        SERVER_NAME,
        version=__version__,
        title=SERVER_TITLE,
        instructions=instructions(toolbox),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=resources.list_all,
        on_list_resource_templates=resources.list_templates,
        on_read_resource=resources.read,
        on_subscribe_resource=watched.subscribe,
        on_unsubscribe_resource=watched.unsubscribe,
        on_subscriptions_listen=watched.listen,
        on_list_prompts=prompts.list_all,
        on_get_prompt=prompts.get,
        on_completion=prompts.complete,
        cache_hints=dict.fromkeys(_LASTING, CacheHint(ttl_ms=LISTS_TTL_MS, scope="private")),
    )


def _tool(spec: ToolSpec) -> types.Tool:
    return types.Tool(
        name=spec.name,
        title=spec.title,
        description=spec.description,
        input_schema=dict(spec.input_schema),
        output_schema=dict(spec.output_schema),
        annotations=types.ToolAnnotations.model_validate(spec.annotations),
    )
