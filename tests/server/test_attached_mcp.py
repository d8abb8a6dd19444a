"""MCP tools of an attached process: which it shows, and what comes of a call through a real socket server."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from mcp.client import Client
from mcp_types import CallToolResult

from lcg.generated.tool_specs import SCOPES, TOOL_SPECS
from lcg.runtime.call import Call
from lcg.server.attached import AttachedService, attached_traits
from lcg.server.calls import CallRunner
from lcg.server.command_line import parse_command_line
from lcg.server.framing import MAX_LINE_BYTES
from lcg.server.lifecycle import Stop
from lcg.server.mcp_server import build_server
from lcg.server.mcp_tools import Toolbox
from lcg.settings import UsageError, read_attached_settings
from tests.server.fake_service import FakeService
from tests.server.running import RunningServer, eventually, running_server
from tests.server.test_mcp import ALL, eras, text

EVERYTHING = list(TOOL_SPECS)
FLAG = "--allow-remote-close"


# -- which tools are visible


@pytest.mark.parametrize(
    ("scopes", "flags", "count"),
    [
        (SCOPES, (), 42),
        (("admin",), (), 12),
        (("read", "write"), (), 29),
        (SCOPES, (FLAG,), 43),
        (("admin",), (FLAG,), 13),
    ],
)
def test_close_is_only_shown_to_those_who_ask_for_it(
    scopes: tuple[str, ...], flags: tuple[str, ...], count: int
) -> None:
    box = Toolbox(EVERYTHING, scopes, "all", flags)
    assert len(box.visible) == count
    assert (box.find("knowledge_close") is not None) is (FLAG in flags and "admin" in scopes)


def test_the_refusal_of_close_names_the_flag_or_first_the_scope() -> None:
    refusal = Toolbox(EVERYTHING, SCOPES, "all", ()).refusal("knowledge_close")
    assert FLAG in refusal.message
    assert refusal.data == {"tool": "knowledge_close", "active_scopes": list(SCOPES)}
    assert "`admin`" in Toolbox(EVERYTHING, ("read",), "all", ()).refusal("knowledge_close").message


# -- calls through a real socket server


@contextmanager
def attached(
    path: Path, *, keep_alive_s: float = 5.0, timeout_ms: int = 20_000, ready: bool = True
) -> Iterator[tuple[AttachedService, RunningServer]]:
    with running_server(path / "s", FakeService(ready=ready), keep_alive_s=keep_alive_s) as running:
        service = AttachedService(str(path / "s"), timeout_ms)
        service.attach()
        # A server that is stopped in the moment in which it accepts leaves a connection to the garbage collector.
        service.call("health_check", {}, Call("health_check"))
        try:
            yield service, running
        finally:
            service.close()


def talk(
    era: str, service: AttachedService, conversation: Callable[[Client], Awaitable[Any]], stop: Stop | None = None
) -> Any:
    async def main() -> Any:
        box = Toolbox(ALL, SCOPES, "all", (FLAG,))
        server = build_server(box, CallRunner(service, attached_traits(box)), stop or Stop())
        async with Client(server, mode=era) as client:
            return await conversation(client)

    return asyncio.run(main())


@eras
@pytest.mark.parametrize(
    ("name", "arguments"),
    [("echo", {"name": "Ada"}), ("refuse", {"name": "Ada"}), ("nan", {}), ("no_such_method_here", {})],
)
def test_an_answer_is_the_same_as_from_a_process_that_owns_the_graph(
    era: str, name: str, arguments: dict[str, Any], tmp_path: Path
) -> None:
    async def conversation(client: Client) -> Any:
        try:
            return (await client.call_tool(name, arguments)).model_dump()
        except MCPError as error:
            return error.code, error.message, error.data

    async def owner() -> Any:
        box = Toolbox(ALL, SCOPES, "all")
        server = build_server(box, CallRunner(FakeService(), attached_traits(box)), Stop())
        async with Client(server, mode=era) as client:
            return await conversation(client)

    with attached(tmp_path) as (service, _):
        assert talk(era, service, conversation) == asyncio.run(owner())


@eras
def test_a_token_among_the_arguments_is_refused_here(era: str, tmp_path: Path) -> None:
    async def conversation(client: Client) -> None:
        refused = await client.call_tool("echo", {"_progress_token": 1})
        assert isinstance(refused, CallToolResult)
        assert refused.is_error
        assert "_meta.progressToken" in text(refused)

    with attached(tmp_path) as (service, running):
        talk(era, service, conversation)
        assert running.service.seen == ["health_check"]


@eras
def test_progress_of_the_service_reaches_the_client(era: str, tmp_path: Path) -> None:
    seen: list[tuple[float, float | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total))

    async def conversation(client: Client) -> Any:
        arguments = {"total": 5, "pause": 0.02}
        result = await client.call_tool("knowledge_rebuild_from_wal", arguments, progress_callback=note)
        await asyncio.sleep(0.05)
        return result.structured_content

    with attached(tmp_path) as (service, _):
        assert talk(era, service, conversation) == {"done": 10, "asked": True}
    values = [progress for progress, _ in seen]
    assert values == sorted(set(values))
    assert seen[-1] == (10, 10)


def test_a_long_call_is_kept_alive_and_its_client_not_told(tmp_path: Path) -> None:
    frames: list[Any] = []
    with attached(tmp_path, keep_alive_s=0.1, timeout_ms=1000) as (service, _):
        assert service.call("wait", {"seconds": 2.5}, Call("wait", frames.append)) == {"waited": True}
    assert frames == []


def test_a_call_waits_for_a_service_that_is_starting(tmp_path: Path) -> None:
    with attached(tmp_path, keep_alive_s=0.1, timeout_ms=1000, ready=False) as (service, running):
        threading.Timer(1.5, running.service.ready.set).start()
        assert service.call("echo", {}, Call("echo"))["method"] == "echo"


@eras
def test_a_call_that_its_client_gives_up_is_stopped_in_the_service(era: str, tmp_path: Path) -> None:
    async def conversation(client: Client) -> None:
        with pytest.raises(MCPError):
            await client.call_tool("wait", {}, read_timeout_seconds=0.1)
        await asyncio.to_thread(eventually, lambda: running.service.cancelled == ["wait"])
        again = await client.call_tool("echo", {})
        assert isinstance(again, CallToolResult)
        assert not again.is_error

    with attached(tmp_path) as (service, running):
        talk(era, service, conversation)


@eras
def test_large_answers_pass_and_those_over_the_limit_say_so(era: str, tmp_path: Path) -> None:
    async def conversation(client: Client) -> None:
        large = await client.call_tool("text", {"size": 20 * 1024 * 1024})
        assert isinstance(large, CallToolResult)
        assert large.structured_content is not None
        assert len(large.structured_content["text"]) == 20 * 1024 * 1024
        # Over MCP an answer stands on its line twice, so one that fits on the socket may be too long here.
        for size in (MAX_LINE_BYTES // 2, 60 * 1024 * 1024, MAX_LINE_BYTES):
            result = await client.call_tool("text", {"size": size})
            assert isinstance(result, CallToolResult)
            assert result.is_error
            assert "kind limit" in text(result)

    with attached(tmp_path) as (service, _):
        talk(era, service, conversation)


@eras
def test_close_ends_the_service_and_not_this_process(era: str, tmp_path: Path) -> None:
    stop = Stop()

    async def conversation(client: Client) -> None:
        result = await client.call_tool("knowledge_close", {})
        assert isinstance(result, CallToolResult)
        assert result.structured_content == {"status": "closed"}
        await asyncio.to_thread(running.stopped.wait)
        for _ in range(2):
            later = await client.call_tool("echo", {})
            assert isinstance(later, CallToolResult)
            assert "kind unavailable" in text(later)
            assert str(tmp_path / "s") in text(later)
        assert len((await client.list_tools()).tools) == len(ALL)

    with attached(tmp_path) as (service, running):
        talk(era, service, conversation, stop)
    assert stop.reason is None


# -- what may stand on the command line and in the environment


def test_options_of_the_service_are_pointed_out_and_ignored() -> None:
    arguments = ["--mcp-stdio", "--connect", "s", "--extractor", "builtin", "--embedder-uds=x", FLAG]
    options = parse_command_line(arguments)
    assert (options.connect, options.allow_remote_close) == ("s", True)
    assert [note.partition(" ")[0] for note in options.notes] == ["--embedder-uds", "--extractor"]


def test_options_of_the_service_are_kept_for_one_that_has_to_be_started() -> None:
    arguments = [
        "--mcp-stdio",
        "--connect=auto",
        "--scope",
        "read",
        "--extractor",
        "builtin",
        "--embedder-uds=x y",
        FLAG,
    ]
    options = parse_command_line(arguments)
    assert (options.connect, options.notes) == ("auto", ())
    assert sorted(options.of_service) == ["--embedder-uds=x y", "--extractor=builtin"]
    assert parse_command_line(options.of_service).embedder_uds == "x y"


def test_only_variables_of_the_attached_process_are_read() -> None:
    env = {"LCG_ATTACHED_CALL_TIMEOUT_MS": "7", "LCG_SHUTDOWN_TIMEOUT_MS": "8", "LCG_EXTRACTOR": "x", "LCG_ENGINE": "y"}
    settings = read_attached_settings(env)
    assert (settings.attached_call_timeout_ms, settings.shutdown_timeout_ms, settings.notes) == (7, 8, ())
    assert read_attached_settings({}).attached_call_timeout_ms == 30_000
    with pytest.raises(UsageError, match=r"CALL_TIMEOUT_MS must be an integer of at least 1 .*; got '0'"):
        read_attached_settings({"LCG_ATTACHED_CALL_TIMEOUT_MS": "0"})
