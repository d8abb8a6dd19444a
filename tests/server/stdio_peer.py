"""The client of an MCP server that runs in the same process, over two pipes."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from lcg.generated.tool_specs import SCOPES, TOOL_SPECS
from lcg.server import mcp_stdio
from lcg.server.lifecycle import Stop
from lcg.server.mcp_lists import MODERN_VERSION
from lcg.server.mcp_tools import Toolbox
from tests.server.fake_service import TRAITS, FakeService

Message = dict[str, Any]
MODERN: Message = {
    "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Peer:
    """The client of a server that runs in this process: it writes lines and reads lines."""

    def __init__(self, service: FakeService, stop: Stop) -> None:
        self.source, self.feed = os.pipe()
        self.read, self.sink = os.pipe()
        self.service = service
        self.stop = stop
        self._held = b""

    def send(self, method: str, params: Message | None = None, id: Any = None) -> None:
        message: Message = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        os.write(self.feed, json.dumps(message if id is None else message | {"id": id}).encode() + b"\n")

    def handshake(self, version: str = "2025-11-25") -> None:
        client = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self.send("initialize", client, id="handshake")
        self.send("notifications/initialized")

    def call(self, id: Any, name: str = "knowledge_status", meta: Message | None = None, **arguments: Any) -> None:
        self.send("tools/call", {"name": name, "arguments": arguments, "_meta": meta or {}}, id=id)

    async def line(self) -> Message:
        while b"\n" not in self._held:
            read = await asyncio.wait_for(asyncio.to_thread(os.read, self.read, 65536), 20)
            assert read, "the server ended"
            self._held += read
        line, self._held = self._held.split(b"\n", 1)
        message: Message = json.loads(line)
        return message

    async def answers(self, count: int) -> dict[Any, Message]:
        """Return so many answers by id; none may come twice."""
        found: dict[Any, Message] = {}
        while len(found) < count:
            message = await self.line()
            assert message["id"] not in found
            found[message["id"]] = message
        return found


def serve(
    conversation: Callable[[Peer], Awaitable[None]],
    service: FakeService | None = None,
    timeout_s: float = 5.0,
    toolbox: Toolbox | None = None,
) -> list[Message]:
    """Serve one client; return what it was still told after its input ended."""

    async def main() -> list[Message]:
        stop = Stop()
        peer = Peer(service or FakeService(), stop)
        serving = asyncio.create_task(
            mcp_stdio.serve_stdio(
                peer.service,
                TRAITS,
                toolbox or Toolbox(TOOL_SPECS, SCOPES, "all"),
                stop,
                (peer.source, peer.sink),
                timeout_s,
            )
        )
        try:
            await conversation(peer)
        finally:
            with suppress(OSError):
                os.close(peer.feed)
            await asyncio.wait_for(serving, 20)
            os.close(peer.sink)
        rest = []
        with suppress(AssertionError):
            while True:
                rest.append(await peer.line())
        assert peer.service.closed == 1
        return rest

    return asyncio.run(main())
