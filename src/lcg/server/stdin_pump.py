"""MCP over the process's own stdin and stdout, as the pair of streams that the SDK serves.

The SDK's own stdio transport drops bad lines without a word, has no limit of length, forgets calls in flight when
its input ends, and cannot be stopped while it waits for a line. This one answers bad lines, knows which requests are
unanswered, and does its blocking reads and writes in threads, so pipes, terminals and regular files all work and
nobody who shares them finds them switched to non-blocking mode.
"""

import asyncio
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import anyio
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from lcg.errors import LcgError
from lcg.server.envelope import encode_error, overlong_request
from lcg.server.framing import Line, LineSplitter, Overlong
from lcg.server.mcp_messages import read_message

log = logging.getLogger(__name__)

_SDK_REFUSAL: Final = "Invalid request parameters"
"""All that the SDK says of parameters that it cannot read, and of a request before the handshake."""

READ_BYTES: Final = 64 * 1024
MAX_UNANSWERED: Final = 1024


class StdinPump:
    """Carries lines between two descriptors and the SDK.

    Args:
        source: descriptor that requests are read from.
        sink: descriptor that answers are written to.
        on_end: called, on any thread, when the input has ended or nobody reads the answers any more.
        max_unanswered: requests that are worked on at once; further ones wait in the pipe.
    """

    def __init__(
        self, source: int, sink: int, on_end: Callable[[str], None], *, max_unanswered: int = MAX_UNANSWERED
    ) -> None:
        self._source = source
        self._sink = sink
        self._on_end = on_end
        self._to_server, self.read_stream = create_context_streams[SessionMessage | Exception](0)
        self.write_stream, self._from_server = create_context_streams[SessionMessage](0)
        self._loop = asyncio.get_running_loop()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="stdout")
        self._due = 0
        self._all_answered = asyncio.Event()
        self._all_answered.set()
        self._room = asyncio.Semaphore(max_unanswered)
        self._stopped = False
        self._broken = False
        self._writing: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to read and write."""
        self._writing = self._loop.create_task(self._write_answers())
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    def stop_reading(self) -> None:
        """Take no more requests; what comes later is dropped."""
        self._stopped = True

    async def wait_answered(self) -> None:
        """Wait until every request that was read is answered, its bytes written."""
        await self._all_answered.wait()

    async def close(self) -> None:
        """End the SDK's input, which ends its server."""
        self._stopped = True
        self._to_server.close()

    async def wait_closed(self) -> None:
        """Wait until the SDK's server has ended its output and all of it is written."""
        if self._writing is not None:
            await self._writing

    # -- in

    def _read(self) -> None:
        splitter = LineSplitter()
        reason = "end of input"
        while not self._stopped:
            try:
                data = os.read(self._source, READ_BYTES)
            except OSError as error:
                reason = f"reading stdin failed: {error.strerror}"
                data = b""
            lines = splitter.feed(data) if data else splitter.finish()
            if lines and not self._on_loop(lines):
                return
            if not data:
                break
        self._on_end(reason)

    def _on_loop(self, lines: list[Line]) -> bool:
        # Waiting for the result is the back-pressure: no further bytes are read before these are taken.
        coroutine = self._accept_all(lines)
        try:
            asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()
        except RuntimeError:  # the loop is closed
            coroutine.close()
            return False
        except Exception:
            log.exception("reading stdin failed")
            return False
        return True

    async def _accept_all(self, lines: list[Line]) -> None:
        self._owe()  # lines that were read are not done with before the last of them is passed on
        try:
            for line in lines:
                try:
                    message = _read_message(line)
                except LcgError as error:
                    await self._write(encode_error(None, error))
                else:
                    await self._forward(message)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._stopped = True
        finally:
            self._settle()

    async def _forward(self, message: Any) -> None:
        metadata = None
        if isinstance(message, JSONRPCRequest):
            await self._room.acquire()
            self._owe()
            metadata = ServerMessageMetadata(on_request_unanswered=self._request_done)
        await self._to_server.send(SessionMessage(message, metadata))

    async def _request_done(self) -> None:
        self._room.release()
        self._settle()

    def _owe(self) -> None:
        self._due += 1
        self._all_answered.clear()

    def _settle(self) -> None:
        self._due -= 1
        if self._due == 0:
            self._all_answered.set()

    # -- out

    async def _write_answers(self) -> None:
        async with self._from_server:
            async for item in self._from_server:
                message = _explained(item.message)
                await self._write(message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                if isinstance(message, JSONRPCResponse | JSONRPCError):
                    await self._request_done()

    async def _write(self, data: bytes) -> None:
        if self._broken:
            return
        try:
            await self._loop.run_in_executor(self._writer, _write_all, self._sink, data)
        except OSError as error:
            self._broken = True
            self._on_end(f"writing stdout failed: {error.strerror}")


def _explained(message: JSONRPCMessage) -> JSONRPCMessage:
    if not isinstance(message, JSONRPCError) or message.error.message != _SDK_REFUSAL:
        return message
    text = (
        f"{_SDK_REFUSAL}: no `initialize` came before this request, or its `params` have not the shape that MCP gives "
        "them; `tools/call` takes `name`, a text, and `arguments`, an object and not its text. Nothing was called."
    )
    return JSONRPCError(jsonrpc="2.0", id=message.id, error=ErrorData(code=message.error.code, message=text))


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _read_message(line: Line) -> JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError:
    if isinstance(line, Overlong):
        raise overlong_request()
    return read_message(line)
