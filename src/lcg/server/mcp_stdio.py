"""MCP over stdin and stdout, for whatever service is behind it."""

import asyncio
import contextlib
import socket
import time
from typing import Any, Final

import mcp_types as types
import orjson
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.caching import CacheableMethod, CacheHint

from lcg import __version__
from lcg.errors import LcgError
from lcg.generated.agents import INSTRUCTIONS
from lcg.generated.errors import ErrorCode
from lcg.generated.tool_specs import SERVER_NAME, SERVER_TITLE
from lcg.runtime.agent_texts import compose
from lcg.runtime.call import Call, Service
from lcg.runtime.tool_spec import ToolSpec
from lcg.server.calls import CLOSE_METHOD, CallRunner, MethodTraits, unexpected
from lcg.server.envelope import ask_for_less, oversized_answer, to_json
from lcg.server.framing import MAX_LINE_BYTES
from lcg.server.lifecycle import Stop, close_service
from lcg.server.mcp_prompts import Prompts
from lcg.server.mcp_resources import LISTS_TTL_MS, Resources
from lcg.server.mcp_tools import Toolbox, failure_content, failure_text, refuse_token
from lcg.server.mcp_updates import Updates
from lcg.server.progress import ProgressRelay
from lcg.server.socket import SocketServer
from lcg.server.stdin_pump import StdinPump
from lcg.services.warnings import large_result

_LASTING: Final[tuple[CacheableMethod, ...]] = (
    *("tools/list", "prompts/list", "resources/list", "resources/templates/list", "server/discover"),
)
"""What never changes while the process lives."""
_LARGE_RESULT_CHARACTERS: Final = 100_000
_ENVELOPE_BYTES: Final = 4096
"""Room for what stands around a result on its line."""


def build_server(toolbox: Toolbox, runner: CallRunner, stop: Stop, updates: Updates | None = None) -> Server[Any]:
    """Return the SDK's server with our handlers; it serves both protocol eras.

    `updates` is for whoever wants to close it; its streams end with their connections in any case.
    """
    tools = [_tool(spec) for spec in toolbox.visible]
    resources, prompts = Resources(toolbox, runner), Prompts(toolbox, runner)
    watched = updates or Updates(resources)

    async def list_tools(
        context: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        spec = toolbox.find(params.name)
        if spec is None:
            refusal = toolbox.refusal(params.name)
            raise MCPError(ErrorCode.INVALID_PARAMS, refusal.message, refusal.data)
        try:
            answer = await _run(spec, params.arguments or {}, context, runner)
        except LcgError as error:
            return _failure(error)
        except Exception as error:  # the SDK would put the text of any other exception on the wire
            return _failure(unexpected(spec.name, error))
        if not spec.annotations["readOnlyHint"]:
            watched.note_write()
        if spec.name in runner.traits.ends_process:
            stop.request(spec.name)
        return answer

    return Server(
        SERVER_NAME,
        version=__version__,
        title=SERVER_TITLE,
        instructions=compose(INSTRUCTIONS, toolbox.names, paragraph="\n"),
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


async def _run(
    spec: ToolSpec, arguments: dict[str, Any], context: ServerRequestContext[Any, Any], runner: CallRunner
) -> types.CallToolResult:
    refuse_token(spec.name, arguments)
    call = Call(spec.name, request_id=context.request_id)
    if not spec.progress:
        return _success(spec, await runner.run(arguments, call))
    # Reported whether or not a token came: only the SDK knows, and it drops what nobody asked for.
    relay = ProgressRelay(context.session.report_progress)
    call.report = relay.report
    try:
        result = await runner.run(arguments, call)
    except asyncio.CancelledError:
        relay.abandon()
        raise
    except LcgError:
        await relay.finish()
        raise
    await relay.finish()
    return _success(spec, result)


def _success(spec: ToolSpec, result: dict[str, Any]) -> types.CallToolResult:
    text = to_json(result)
    characters = len(text.decode())
    if characters > _LARGE_RESULT_CHARACTERS and _takes_warnings(spec):
        warning = large_result(characters, ask_for_less(spec.name))
        text = to_json({**result, "warnings": [*result.get("warnings", ()), warning]})
    # The result stands on the line twice, once as a value and once as text, where quotes are escaped.
    size = len(text) + len(orjson.dumps(text.decode())) + _ENVELOPE_BYTES
    if size > MAX_LINE_BYTES:
        return _failure(oversized_answer(spec.name, size))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text.decode())],
        # Read back, so that both forms say the same, whatever the result was made of.
        structured_content=orjson.loads(text),
        is_error=False,
    )


def _takes_warnings(spec: ToolSpec) -> bool:
    """Whether records may stand among the warnings: one method has texts there."""
    declared = spec.output_schema["properties"].get("warnings", {})
    return bool(declared.get("items", {}).get("type") != "string")


def _failure(error: LcgError) -> types.CallToolResult:
    content = orjson.loads(to_json(failure_content(error)))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=failure_text(error))], structured_content=content, is_error=True
    )


async def serve_stdio(
    service: Service,
    traits: MethodTraits,
    toolbox: Toolbox,
    stop: Stop,
    descriptors: tuple[int, int],
    timeout_s: float,
    bound: socket.socket | None = None,
) -> None:
    """Serve one client on two descriptors until its input ends or somebody asks to stop, then close the service.

    Other processes are served on `bound` meanwhile; when this client goes, they have to find another service.

    Requests already read are answered first, within `timeout_s`; after a part of that time running calls are
    cancelled, so that they can answer too.
    """
    runner = CallRunner(service, traits)
    updates = Updates(Resources(toolbox, runner))
    server = build_server(toolbox, runner, stop, updates)
    pump = StdinPump(*descriptors, on_end=stop.request)
    serving = asyncio.create_task(
        server.run(pump.read_stream, pump.write_stream, server.create_initialization_options())
    )
    serving.add_done_callback(lambda _: stop.request("the MCP server ended"))
    others = SocketServer(runner, lambda: stop.request(CLOSE_METHOD))
    if bound is not None:
        await others.start(bound)
    pump.start()
    await stop.wait()
    deadline = time.monotonic() + timeout_s
    pump.stop_reading()
    updates.close()
    leaving = asyncio.create_task(others.stop(timeout_s * 0.7))
    if not await _within(pump.wait_answered(), timeout_s * 0.4):
        runner.cancel_all()
        await _within(pump.wait_answered(), timeout_s * 0.3)
    await leaving
    runner.cancel_all()
    await pump.close()
    await asyncio.wait({serving}, timeout=max(0.0, deadline - time.monotonic()))
    await _within(pump.wait_closed(), deadline - time.monotonic())
    await asyncio.to_thread(close_service, service, deadline)
    if serving.done():
        serving.result()  # a fault that ended the SDK's server is ours to report


async def _within(waiting: Any, seconds: float) -> bool:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(waiting, seconds)
        return True
    return False
