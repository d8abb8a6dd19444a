"""The MCP server over the fake service, as the SDK's own client sees it in memory, in both protocol eras."""

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import MCPError
from mcp.client import Client
from mcp_types import CallToolResult, TextContent

from lcg.generated.tool_specs import SCOPES, TOOL_SPECS
from lcg.runtime.tool_spec import ToolSpec
from lcg.server.calls import CallRunner
from lcg.server.framing import MAX_LINE_BYTES
from lcg.server.lifecycle import Stop
from lcg.server.mcp_server import build_server
from lcg.server.mcp_tools import Toolbox
from lcg.server.progress import ProgressRelay
from tests.server.fake_service import TRAITS, FakeService

ERAS = ["legacy", "2026-07-28"]
eras = pytest.mark.parametrize("era", ERAS)


def tool(name: str, **changes: Any) -> ToolSpec:
    """Give a made-up tool of the fake service the shape of a real one."""
    return dataclasses.replace(TOOL_SPECS[0], name=name, profiles=(), **changes)


FAKES = tuple(tool(name) for name in ("text", "nan", "no_json", "boom", "refuse", "wait", "echo"))
ALL = (*TOOL_SPECS, *FAKES)


@asynccontextmanager
async def connected(
    era: str, service: FakeService, *, scopes: tuple[str, ...] = SCOPES, stop: Stop | None = None
) -> AsyncIterator[Client]:
    server = build_server(Toolbox(ALL, scopes, "all"), CallRunner(service, TRAITS), stop or Stop())
    async with Client(server, mode=era) as client:
        yield client


def talk(era: str, conversation: Callable[[Client], Awaitable[Any]], service: FakeService | None = None) -> Any:
    async def main() -> Any:
        async with connected(era, service or FakeService()) as client:
            return await conversation(client)

    return asyncio.run(main())


def call(era: str, name: str, arguments: dict[str, Any] | None = None) -> CallToolResult:
    result = talk(era, lambda client: client.call_tool(name, arguments))
    assert isinstance(result, CallToolResult)
    return result


def text(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


@eras
def test_tools_are_listed_on_one_page_with_everything_a_client_needs(era: str) -> None:
    listed = talk(era, lambda client: client.list_tools())
    assert listed.next_cursor is None
    assert [entry.name for entry in listed.tools] == [spec.name for spec in ALL]
    for entry, spec in zip(listed.tools, ALL, strict=True):
        dumped = entry.model_dump(by_alias=True, exclude_none=True)
        assert dumped["title"] == spec.title
        assert dumped["description"] == spec.description
        assert dumped["inputSchema"] == spec.input_schema
        assert dumped["outputSchema"] == spec.output_schema
        assert {hint: dumped["annotations"][hint] for hint in spec.annotations} == spec.annotations


@eras
def test_a_success_is_compact_text_and_the_same_as_a_value(era: str) -> None:
    result = call(era, "echo", {"name": "Ada"})
    assert not result.is_error
    assert text(result) == '{"method":"echo","params":{"name":"Ada"}}'
    assert result.structured_content == json.loads(text(result))


@eras
def test_missing_arguments_are_none(era: str) -> None:
    assert call(era, "echo").structured_content == {"method": "echo", "params": {}}


@eras
def test_nan_is_null_in_both_forms(era: str) -> None:
    result = call(era, "nan")
    assert text(result) == '{"value":null}'
    assert result.structured_content == {"value": None}


@eras
def test_a_failure_is_readable_and_has_code_message_and_data(era: str) -> None:
    result = call(era, "refuse", {"name": "Ada"})
    assert result.is_error
    assert text(result) == "No such entity.\ncode -32000 kind not_found"
    assert result.structured_content == {
        "code": -32000,
        "message": "No such entity.",
        "data": {"kind": "not_found", "name": "Ada"},
    }


@eras
@pytest.mark.parametrize("name", ["boom", "no_json"])
def test_a_fault_of_ours_says_nothing_secret(era: str, name: str, caplog: pytest.LogCaptureFixture) -> None:
    result = call(era, name)
    assert result.is_error
    assert result.structured_content is not None
    assert result.structured_content["code"] == -32603
    assert "secret" not in result.model_dump_json()
    assert result.structured_content["data"]["ref"] in caplog.text


@eras
def test_a_progress_token_among_the_arguments_is_refused(era: str) -> None:
    result = call(era, "echo", {"_progress_token": 1})
    assert result.is_error
    assert result.structured_content is not None
    assert result.structured_content["code"] == -32602
    assert "_meta.progressToken" in text(result)


@eras
def test_a_result_above_100_000_characters_says_how_to_get_a_shorter_one(era: str) -> None:
    for size, warned in ((99_000, False), (100_000, True)):
        result = call(era, "text", {"size": size})
        assert not result.is_error
        assert result.structured_content == json.loads(text(result))
        warnings = result.structured_content.get("warnings", [])
        assert [warning["type"] for warning in warnings] == (["large_result"] if warned else [])
        assert all("ask for less" in warning["message"] for warning in warnings)


@eras
def test_an_answer_that_would_be_too_long_is_a_limit_failure(era: str) -> None:
    result = call(era, "text", {"size": MAX_LINE_BYTES // 2})
    assert result.is_error
    assert "kind limit" in text(result)


@eras
def test_an_unknown_tool_is_a_protocol_error(era: str) -> None:
    async def conversation(client: Client) -> MCPError:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("knowledge_find_entitys", {})
        return caught.value

    error = talk(era, conversation)
    assert error.code == -32602
    assert "`knowledge_find_entities`" in error.message
    assert error.data == {
        "tool": "knowledge_find_entitys",
        "active_scopes": list(SCOPES),
        "suggestion": "knowledge_find_entities",
    }


@eras
def test_progress_rises_over_all_phases_and_ends_before_the_result(era: str) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    async def conversation(client: Client) -> CallToolResult:
        result = await client.call_tool(
            "knowledge_rebuild_from_wal", {"total": 5, "pause": 0.02}, progress_callback=note
        )
        await asyncio.sleep(0.05)
        assert isinstance(result, CallToolResult)
        return result

    result = talk(era, conversation)
    assert result.structured_content == {"done": 10, "asked": True}
    values = [progress for progress, _, _ in seen]
    assert values == sorted(set(values))
    assert seen[-1][:2] == (10, 10)
    assert "applying: 5 of 5" in (seen[-1][2] or "")


@eras
def test_a_call_that_its_client_gives_up_is_cancelled(era: str) -> None:
    service = FakeService()

    async def conversation(client: Client) -> None:
        with pytest.raises(MCPError):
            await client.call_tool("wait", {}, read_timeout_seconds=0.1)
        for _ in range(1000):
            if service.cancelled:
                break
            await asyncio.sleep(0.01)
        again = await client.call_tool("echo", {})
        assert not again.is_error

    talk(era, conversation, service)
    assert service.cancelled == ["wait"]


@eras
def test_close_is_answered_and_asks_the_process_to_end(era: str) -> None:
    async def main() -> str:
        stop = Stop()
        async with connected(era, FakeService(), stop=stop) as client:
            result = await client.call_tool("knowledge_close", {})
            assert isinstance(result, CallToolResult)
            assert result.structured_content == {"status": "closed"}
            return await asyncio.wait_for(stop.wait(), 10)

    assert asyncio.run(main()) == "knowledge_close"


# -- which tools are visible

SCOPE_COUNTS = [
    (("read",), 14),
    (("write",), 15),
    (("cypher",), 1),
    (("admin",), 13),
    (("read", "admin"), 27),
    (SCOPES, 43),
]


@pytest.mark.parametrize(("scopes", "count"), SCOPE_COUNTS)
def test_scopes_add_up_when_every_tool_has_a_handler(scopes: tuple[str, ...], count: int) -> None:
    box = Toolbox(TOOL_SPECS, scopes, "all")
    assert len(box.visible) == count
    assert {spec.scope for spec in box.visible} == set(scopes)


def test_the_profile_core_shows_its_ten_tools() -> None:
    assert len(Toolbox(TOOL_SPECS, SCOPES, "core").visible) == 10
    refusal = Toolbox(TOOL_SPECS, SCOPES, "core").refusal("knowledge_close")
    assert "--profile all" in refusal.message


def test_a_hidden_tool_names_the_scope_that_shows_it() -> None:
    box = Toolbox(TOOL_SPECS, ("read",), "all")
    assert box.find("knowledge_close") is None
    refusal = box.refusal("knowledge_close")
    assert "`admin`" in refusal.message
    assert "--scope=read,admin" in refusal.message
    assert refusal.data == {"tool": "knowledge_close", "active_scopes": ["read"]}


def test_health_check_is_no_tool() -> None:
    assert Toolbox(TOOL_SPECS, SCOPES, "all").find("health_check") is None


# -- progress


def test_the_relay_sends_few_notifications_and_always_the_last() -> None:
    sent: list[float] = []

    async def main() -> None:
        async def send(progress: float, total: float, message: str) -> None:
            sent.append(progress)

        relay = ProgressRelay(send, interval_s=60)
        relay.report({"phase": "a", "processed": 0, "total": 100})
        await asyncio.sleep(0.05)
        for done in range(1, 101):
            relay.report({"phase": "a", "processed": done, "total": 100})
        relay.report({"phase": "b", "processed": 0, "total": 50})
        relay.report({"phase": "b", "processed": 50, "total": 50})
        await relay.finish()

    asyncio.run(main())
    assert sent == [0, 150]
