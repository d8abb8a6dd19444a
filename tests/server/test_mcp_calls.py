"""Calls of tools that need no SDK are answered as it would answer them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.server.mcp_lists import HANDSHAKE_VERSIONS, MODERN_VERSION
from tests.server.fake_service import FakeService
from tests.server.stdio_peer import MODERN, Message, Peer, serve

CALLS: tuple[Message, ...] = (
    {"name": "knowledge_status"},
    {"name": "knowledge_status", "arguments": None},
    {"name": "knowledge_find_entities", "arguments": {"query": "Grüße 😀 \u2028", "n": 1.5, "none": None}},
    {"name": "knowledge_find_entities", "arguments": {"_progress_token": 1}},
    {"name": "no_such_tool", "arguments": {}},
    {"name": ""},
    {"name": "knowledge_assert_entity", "arguments": {"name": "x" * 150_000}},
)


class Refusing(FakeService):
    """Refuses what writes."""

    def call(self, method: str, params: Any, call: Any) -> dict[str, Any]:
        if method == "knowledge_assert_entity" and len(params["name"]) < 10:
            raise OperationFailed(ErrorKind.CONFLICT, "Refused, as asked.", name=params["name"])
        return super().call(method, params, call)


@pytest.mark.parametrize("version", [*HANDSHAKE_VERSIONS, MODERN_VERSION])
def test_calls_are_answered_as_the_sdk_answers_them_in_every_revision(version: str) -> None:
    calls = [*CALLS, {"name": "knowledge_assert_entity", "arguments": {"name": "Ada"}}]
    answered: list[list[Message]] = []

    def conversation(*, by_sdk: bool) -> Callable[[Peer], Awaitable[None]]:
        meta = dict(MODERN) if version == MODERN_VERSION else {}
        if by_sdk and meta:
            meta["io.modelcontextprotocol/logLevel"] = "error"  # odd enough to be left to it

        async def converse(peer: Peer) -> None:
            if by_sdk and not meta:
                peer.send("tools/list", id="too early")
                assert "error" in await peer.line()
            if not meta:
                peer.handshake(version)
                await peer.line()
            answers = []
            for call in calls:
                # In a thread: the server that is to read it runs in this one.
                await asyncio.to_thread(peer.send, "tools/call", call | ({"_meta": meta} if meta else {}), id=1)
                answers.append(await peer.line())
            answered.append(answers)

        return converse

    for by_sdk in (False, True):
        assert serve(conversation(by_sdk=by_sdk), Refusing()) == []
    ours, theirs = answered
    for call, one, other in zip(calls, ours, theirs, strict=True):
        assert one == other, call
