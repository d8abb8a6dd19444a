"""The SDK's server as the rest of a session that began without it."""

import asyncio
from typing import Any, Final

from mcp.server import Server
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import ErrorData, JSONRPCError, JSONRPCMessage, JSONRPCRequest, JSONRPCResponse

from lcg.server.calls import CallRunner
from lcg.server.envelope import to_json
from lcg.server.lifecycle import Stop
from lcg.server.mcp_messages import read_message
from lcg.server.mcp_resources import Resources
from lcg.server.mcp_server import build_server
from lcg.server.mcp_session import Message
from lcg.server.mcp_tools import Toolbox
from lcg.server.mcp_updates import Updates
from lcg.server.stdin_pump import StdinPump

_REFUSAL: Final = "Invalid request parameters"
"""All that the SDK says of parameters that it cannot read, and of a request before the handshake."""


class SdkSession:
    """One session of the SDK's server.

    Args:
        toolbox, runner, stop: what it serves with.
        pump: where its messages go.
    """

    def __init__(self, toolbox: Toolbox, runner: CallRunner, stop: Stop, pump: StdinPump) -> None:
        self.updates = Updates(Resources(toolbox, runner))
        self._pump = pump
        self._to_server, reads = create_context_streams[SessionMessage | Exception](0)
        writes, self._from_server = create_context_streams[SessionMessage](0)
        server: Server[Any] = build_server(toolbox, runner, stop, self.updates)
        self._serving = asyncio.create_task(server.run(reads, writes, server.create_initialization_options()))
        self._serving.add_done_callback(lambda _: stop.request("the MCP server ended"))
        self._answering: asyncio.Task[None] | None = None

    async def replay(self, history: list[Message]) -> None:
        """Tell the server what was settled before it came; its answers go nowhere."""
        for message in history:
            await self._to_server.send(SessionMessage(read_message(to_json(message))))
            if "id" in message:
                await self._from_server.receive()
        self._answering = asyncio.create_task(self._answer())

    async def forward(self, line: bytes) -> None:
        """Pass on one message, which is already noted as due. Of a request, this says when it is so no longer.

        Raises:
            LcgError: it is no message; nothing was passed on.
        """
        message = read_message(line)
        metadata = None
        if isinstance(message, JSONRPCRequest):
            metadata = ServerMessageMetadata(on_request_unanswered=self._settle)
        await self._to_server.send(SessionMessage(message, metadata))

    async def close(self, timeout_s: float) -> None:
        """End the server's input, which ends it, and wait until all that it still says is written.

        Raises:
            Exception: what ended the server, if that was a fault.
        """
        self._to_server.close()
        tasks = {task for task in (self._serving, self._answering) if task is not None}
        await asyncio.wait(tasks, timeout=max(0.0, timeout_s))
        if self._serving.done():
            self._serving.result()

    async def _settle(self) -> None:
        self._pump.settle()

    async def _answer(self) -> None:
        async with self._from_server:
            async for item in self._from_server:
                message = _explained(item.message)
                line = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
                if isinstance(message, JSONRPCResponse | JSONRPCError):
                    self._pump.answer(line)
                else:
                    self._pump.write(line)


def _explained(message: JSONRPCMessage) -> JSONRPCMessage:
    if not isinstance(message, JSONRPCError) or message.error.message != _REFUSAL:
        return message
    text = (
        f"{_REFUSAL}: no `initialize` came before this request, or its `params` have not the shape that MCP gives "
        "them; `tools/call` takes `name`, a text, and `arguments`, an object and not its text. Nothing was called."
    )
    return JSONRPCError(jsonrpc="2.0", id=message.id, error=ErrorData(code=message.error.code, message=text))
