"""What is answered without the SDK is what the SDK answers, and it can take over at any moment."""

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from lcg.generated.tool_specs import PROFILES, SCOPES, TOOL_SPECS
from lcg.server.calls import CallRunner
from lcg.server.envelope import Request
from lcg.server.lifecycle import Stop
from lcg.server.mcp_lists import HANDSHAKE_VERSIONS, MODERN_VERSION, PreparedResults
from lcg.server.mcp_messages import read_message
from lcg.server.mcp_server import build_server
from lcg.server.mcp_session import Session, ToolRequest
from lcg.server.mcp_tools import Toolbox
from tests.server.fake_service import TRAITS, FakeService

LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
CLIENT = {"name": "test", "version": "1"}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
}

Message = dict[str, Any]
Ask = Callable[[Message], Awaitable[Message]]


def with_sdk(test: Callable[[Ask], Awaitable[None]], toolbox: Toolbox) -> None:
    """Run a test that can send messages to the SDK's server and get its answers."""

    async def main() -> None:
        server = build_server(toolbox, CallRunner(FakeService(), TRAITS), Stop())
        to_server, reads = create_context_streams[SessionMessage | Exception](0)
        writes, from_server = create_context_streams[SessionMessage](0)
        serving = asyncio.create_task(server.run(reads, writes, server.create_initialization_options()))

        async def ask(message: Message) -> Message:
            await to_server.send(SessionMessage(read_message(json.dumps(message).encode())))
            if "id" not in message:
                return {}
            answer = (await asyncio.wait_for(from_server.receive(), 20)).message
            dumped: Message = answer.model_dump(mode="json", by_alias=True, exclude_unset=True)
            return dumped

        try:
            await test(ask)
        finally:
            to_server.close()
            from_server.close()
            await serving

    asyncio.run(main())


def request(method: str, params: Message | None = None, id: int = 1) -> Message:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}}


def initialize(version: str, capabilities: Any = None, client: Any = None) -> Message:
    return request(
        "initialize",
        {
            "protocolVersion": version,
            "capabilities": {} if capabilities is None else capabilities,
            "clientInfo": CLIENT if client is None else client,
        },
    )


def take(session: Session, message: Message) -> bytes | ToolRequest | None:
    return session.take(Request(message["method"], message["params"], message.get("id")))


def toolboxes() -> list[Toolbox]:
    subsets = [scopes for size in range(1, len(SCOPES) + 1) for scopes in itertools.combinations(SCOPES, size)]
    return [
        Toolbox(TOOL_SPECS, scopes, profile, flags)
        for scopes in subsets
        for profile in ("all", *PROFILES)
        for flags in (None, (), ("--allow-remote-close",))
    ]


ALL = Toolbox(TOOL_SPECS, SCOPES, "all")


def test_every_revision_that_the_sdk_knows_is_known_here() -> None:
    assert tuple(HANDSHAKE_PROTOCOL_VERSIONS) == HANDSHAKE_VERSIONS
    assert tuple(MODERN_PROTOCOL_VERSIONS) == (MODERN_VERSION,)


@pytest.mark.parametrize("version", [*HANDSHAKE_VERSIONS, "2026-07-28", "1999-01-01", ""])
def test_handshake_and_lists_are_those_of_the_sdk_in_every_revision(version: str) -> None:
    async def test(ask: Ask) -> None:
        session = Session(PreparedResults(ALL))
        for message in (initialize(version), *map(request, LISTS), request("ping")):
            found = take(session, message)
            assert isinstance(found, bytes)
            assert json.loads(found) == (await ask(message))["result"], message

    with_sdk(test, ALL)


def test_discovery_and_lists_are_those_of_the_sdk_in_the_newest_revision() -> None:
    async def test(ask: Ask) -> None:
        session = Session(PreparedResults(ALL))
        for method in ("server/discover", *LISTS):
            found = take(session, request(method, {"_meta": MODERN}))
            assert isinstance(found, bytes)
            assert json.loads(found) == (await ask(request(method, {"_meta": MODERN})))["result"], method

    with_sdk(test, ALL)


def test_lists_are_those_of_the_sdk_for_all_scopes_profiles_and_flags() -> None:
    for toolbox in toolboxes():
        prepared = PreparedResults(toolbox)

        async def test(ask: Ask, prepared: PreparedResults = prepared) -> None:
            expected = (await ask(initialize("2025-11-25")))["result"]
            assert json.loads(prepared.initialize("2025-11-25")) == expected
            for method in LISTS:
                assert json.loads(prepared.lists[method]) == (await ask(request(method)))["result"]

        with_sdk(test, toolbox)


# -- what is taken, and what is left

ODD: Sequence[Message] = (
    request("tools/list", {"cursor": "x"}),
    request("tools/list", {"_meta": MODERN}),
    request("tools/list", {"_meta": None}),
    request("tools/list", {"_meta": {"progressToken": True}}),
    request("tools/list", {"_meta": {"progressToken": 1.5}}),
    request("tools/list", {"_meta": {"io.modelcontextprotocol/logLevel": "info"}}),
    request("tools/call"),
    request("tools/call", {"name": 5}),
    request("tools/call", {"name": "knowledge_status", "arguments": "{}"}),
    request("tools/call", {"name": "knowledge_status", "arguments": {}, "task": {}}),
    request("server/discover"),
    request("prompts/get", {"name": "recall"}),
    request("resources/read", {"uri": "knowledge://guide"}),
    request("no/such"),
    initialize("2025-11-25"),
)


@pytest.mark.parametrize("message", ODD, ids=lambda message: json.dumps(message["params"])[:40] + message["method"])
def test_whatever_is_not_plain_is_left_to_the_sdk(message: Message) -> None:
    session = Session(PreparedResults(ALL))
    take(session, initialize("2025-06-18"))
    assert take(session, message) is None


@pytest.mark.parametrize("version", ["2025-11-25", MODERN_VERSION])
def test_a_call_of_a_tool_is_taken_in_both_eras(version: str) -> None:
    session = Session(PreparedResults(ALL))
    meta: Message = {"progressToken": 0, "traceparent": "00-1"}
    if version == MODERN_VERSION:
        meta |= MODERN
    else:
        take(session, initialize(version))
    found = take(session, request("tools/call", {"name": "t", "arguments": {"a": 1}, "_meta": meta}))
    assert isinstance(found, ToolRequest)
    assert (found.name, found.arguments, found.progress_token) == ("t", {"a": 1}, 0)
    found = take(session, request("tools/call", {"name": "t", "_meta": meta if version == MODERN_VERSION else {}}))
    assert isinstance(found, ToolRequest)
    assert found.arguments == {}


def test_a_session_that_begins_without_a_handshake_is_left_to_the_sdk_for_good() -> None:
    session = Session(PreparedResults(ALL))
    assert take(session, request("ping")) == b"{}"
    assert take(session, request("tools/list")) is None
    assert take(session, initialize("2025-11-25")) is None
    assert take(session, request("tools/list")) is None
    assert [message["method"] for message in session.history()] == ["ping"]


def test_a_second_handshake_is_left_to_the_sdk_and_so_is_all_that_follows() -> None:
    session = Session(PreparedResults(ALL))
    assert take(session, initialize("2024-11-05")) is not None
    assert take(session, initialize("2025-11-25")) is None
    assert take(session, request("tools/list")) is None


@pytest.mark.parametrize(
    "meta",
    [
        MODERN | {"io.modelcontextprotocol/protocolVersion": "2027-01-01"},
        MODERN | {"io.modelcontextprotocol/clientCapabilities": {"roots": 5}},
        MODERN | {"io.modelcontextprotocol/clientInfo": {"name": "n"}},
        MODERN | {"io.modelcontextprotocol/logLevel": "info"},
        {"io.modelcontextprotocol/protocolVersion": MODERN_VERSION},
    ],
)
def test_odd_envelopes_are_left_to_the_sdk_and_plain_ones_after_them_are_not(meta: Message) -> None:
    session = Session(PreparedResults(ALL))
    assert take(session, request("tools/list", {"_meta": meta})) is None
    assert take(session, request("tools/list")) is None
    assert take(session, initialize("2025-11-25")) is None
    assert take(session, request("ping", {"_meta": MODERN})) is None
    assert isinstance(take(session, request("tools/list", {"_meta": MODERN})), bytes)


# -- whatever a client says of itself

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=3,
)
objects = st.dictionaries(
    st.sampled_from(["form", "url", "list", "context", "listChanged", "a"]), json_values, max_size=2
)
capabilities = st.dictionaries(
    st.sampled_from(["roots", "sampling", "elicitation", "tasks", "experimental", "extensions", "other"]),
    st.one_of(
        objects, st.just({}), st.just({"listChanged": True}), st.just({"form": {"applyDefaults": True}}), json_values
    ),
    max_size=3,
)
clients = st.fixed_dictionaries(
    {"name": st.just("n") | json_values, "version": st.just("1") | json_values},
    optional={
        "title": st.just("t") | json_values,
        "description": st.just("d"),
        "websiteUrl": st.sampled_from(["https://example.org", "no url"]) | json_values,
        "icons": st.just([{"src": "data:,", "mimeType": "image/png"}]) | json_values,
        "other": json_values,
    },
)


@settings(max_examples=150, deadline=None)
@given(version=st.sampled_from([*HANDSHAKE_VERSIONS, "x"]), capabilities=capabilities, client=clients)
def test_a_handshake_that_is_answered_here_is_one_that_the_sdk_answers_alike(
    version: str, capabilities: Message, client: Message
) -> None:
    message = initialize(version, capabilities, client)
    found = take(Session(PreparedResults(ALL)), message)
    if not isinstance(found, bytes):
        return

    async def test(ask: Ask) -> None:
        assert (await ask(message)).get("result") == json.loads(found), message

    with_sdk(test, ALL)


@settings(max_examples=150, deadline=None)
@given(capabilities=capabilities, client=clients)
def test_an_envelope_that_is_taken_here_is_one_that_the_sdk_takes(capabilities: Message, client: Message) -> None:
    meta = MODERN | {
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": client,
    }
    message = request("prompts/list", {"_meta": meta})
    found = take(Session(PreparedResults(ALL)), message)
    if not isinstance(found, bytes):
        return

    async def test(ask: Ask) -> None:
        assert (await ask(message)).get("result") == json.loads(found), message

    with_sdk(test, ALL)


# -- the SDK joins


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_the_history_brings_the_sdk_to_where_the_client_believes_it_to_be(version: str) -> None:
    session = Session(PreparedResults(ALL))
    take(session, request("ping", id=7))
    take(session, initialize(version, {"roots": {"listChanged": True}}))
    session.note(Request("notifications/initialized", {}, None, True))
    session.note(Request("notifications/initialized", {}, None, True))
    take(session, request("tools/list", id=8))
    take(session, request("tools/call", {"name": "knowledge_status"}, id=9))
    history = session.history()
    assert [message["method"] for message in history] == ["ping", "initialize", "notifications/initialized"]

    async def test(ask: Ask) -> None:
        for message in history:
            assert "error" not in await ask(message)
        assert "result" in await ask(request("prompts/get", {"name": "recall", "arguments": {"topic": "x"}}))
        # Of the handshake's era for good.
        assert (await ask(request("tools/list", {"_meta": MODERN})))["error"]["code"] == -32600

    with_sdk(test, ALL)


def test_the_history_of_the_newest_revision_calls_no_tool() -> None:
    session = Session(PreparedResults(ALL))
    take(session, request("tools/call", {"name": "knowledge_status", "_meta": MODERN}))
    take(session, request("tools/list", {"_meta": MODERN}))
    history = session.history()
    assert [message["method"] for message in history] == ["server/discover"]

    async def test(ask: Ask) -> None:
        for message in history:
            assert "error" not in await ask(message)
        assert (await ask(initialize("2025-11-25")))["error"]["code"] == -32022

    with_sdk(test, ALL)
