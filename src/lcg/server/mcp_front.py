"""The first to read what an MCP client says on stdin: answers what it can, and has the SDK answer the rest.

The lists and the handshake are ready before the first byte comes, and calls of tools need nothing of the SDK, whose
import takes longer and more memory than everything else here together. So most sessions never load it.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeGuard

import orjson

from lcg.errors import LcgError
from lcg.server.calls import CallRunner, unexpected
from lcg.server.envelope import Request, encode_error, overlong_request, to_json
from lcg.server.framing import Line, Overlong
from lcg.server.lifecycle import Stop
from lcg.server.mcp_messages import read_request
from lcg.server.mcp_session import Message, Session, ToolRequest
from lcg.server.mcp_tools import Toolbox
from lcg.server.progress import Send
from lcg.server.stdin_pump import StdinPump
from lcg.server.tool_calls import Begun, CannotCall, ToolAnswer, ToolCalls

if TYPE_CHECKING:
    from lcg.server.mcp_sdk import SdkSession

_Running = asyncio.Future[Any]
_CANCELLED: Final = "notifications/cancelled"
_CLOSED: Final = to_json({"code": -32000, "message": "Connection closed"})
"""What is said of a call that the end of the process cuts off, in the SDK's words."""


class Front:
    """Takes the lines of one client and sees to it that each request has its answer.

    Args:
        pump: where answers go.
        session: says what can be answered here.
        toolbox, runner, stop: what tools are called with.
        load_sdk: imports the SDK and returns what makes its session; called in a thread.
    """

    def __init__(
        self,
        pump: StdinPump,
        session: Session,
        toolbox: Toolbox,
        runner: CallRunner,
        stop: Stop,
        load_sdk: Callable[[], "Callable[[], SdkSession]"],
    ) -> None:
        self._pump = pump
        self._session = session
        self._calls = ToolCalls(toolbox, runner, stop, self._note_write)
        self._stop = stop
        self._load_sdk = load_sdk
        self._running: dict[str | int, _Running] = {}
        self._for_sdk: asyncio.Queue[tuple[bytes, bool]] = asyncio.Queue()
        self._relaying: asyncio.Task[None] | None = None
        self._sdk: SdkSession | None = None

    def accept(self, line: Line) -> None:
        """Take one line; in the event loop."""
        if isinstance(line, Overlong):
            self._pump.write(encode_error(None, overlong_request()))
            return
        try:
            message = read_request(line)
        except LcgError as error:
            self._pump.write(encode_error(None, error))
            return
        if message is None:
            self._give_to_sdk(line, is_request=False)
        elif message.is_notification:
            self._accept_notification(message, line)
        else:
            self._pump.owe()
            self._accept_request(message, line)

    def end_streams(self) -> None:
        """End what has no end of its own, so that it is answered."""
        if self._sdk is not None:
            self._sdk.updates.close()

    async def close(self, timeout_s: float) -> None:
        """Cut off what is not answered yet, and end the SDK's part.

        Raises:
            Exception: a fault that ended the SDK's part.
        """
        running = set(self._running.values())
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=max(0.0, timeout_s))
        if self._relaying is not None and not self._relaying.done():
            self._relaying.cancel()
            await asyncio.wait({self._relaying})
        if self._sdk is not None:
            await self._sdk.close(timeout_s)
        if self._relaying is not None and not self._relaying.cancelled():
            self._relaying.result()

    # -- requests

    def _accept_request(self, request: Request, line: bytes) -> None:
        id = request.id
        assert isinstance(id, str | int)
        found = self._session.take(request)
        if isinstance(found, bytes):
            self._pump.answer(_result(id, found))
        elif found is None:
            self._give_to_sdk(line, is_request=True)
        else:
            self._begin_call(id, found)

    def _begin_call(self, id: str | int, request: ToolRequest) -> None:
        key = _key(id)
        # Progress takes a task, and so does whatever needs a thread.
        begun = self._calls.begin(request.name, request.arguments, id) if request.progress_token is None else None
        if isinstance(begun, ToolAnswer):
            self._pump.answer(_result(id, _call_result(begun, request.ending)))
            return
        if begun is None:
            running: _Running = asyncio.get_running_loop().create_task(self._call(id, request))
            finish: Callable[[], bytes] = running.result
        else:
            running, finish = begun.result, partial(self._finish, id, request, begun)
        self._running[key] = running
        running.add_done_callback(partial(self._ended, id, key, finish))

    def _finish(self, id: str | int, request: ToolRequest, begun: Begun) -> bytes:
        return _result(id, _call_result(self._calls.end(begun), request.ending))

    async def _call(self, id: str | int, request: ToolRequest) -> bytes:
        send = None if request.progress_token is None else self._progress_sender(request.progress_token)
        try:
            answer = await self._calls.call(request.name, request.arguments, id, send)
        except CannotCall as refusal:
            return _error(id, to_json({"code": refusal.code, "message": refusal.message, "data": refusal.data}))
        return _result(id, _call_result(answer, request.ending))

    def _progress_sender(self, token: str | int) -> Send:
        async def send(progress: float, total: float, message: str) -> None:
            params = {"progressToken": token, "progress": progress, "total": total, "message": message}
            self._pump.write(to_json({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}) + b"\n")

        return send

    def _ended(self, id: str | int, key: str | int, finish: Callable[[], bytes], done: _Running) -> None:
        is_known = self._running.get(key) is done
        if is_known:
            del self._running[key]
        if not done.cancelled():
            try:
                answer = finish()
            except BaseException as error:
                answer = encode_error(id, _unexpected(error))
            self._pump.answer(answer)
        elif is_known:
            self._pump.answer(_error(id, _CLOSED))
        else:  # the client cancelled it, and is told nothing more of it
            self._pump.settle()

    # -- notifications

    def _accept_notification(self, notification: Request, line: bytes) -> None:
        if notification.method == _CANCELLED:
            named = notification.params.get("requestId")
            running = self._running.pop(_key(named), None) if _is_id(named) else None
            if running is not None:
                running.cancel()
                return
        if self._relaying is not None:
            self._give_to_sdk(line, is_request=False)
        else:
            self._session.note(notification)

    # -- the SDK

    def _note_write(self) -> None:
        # Nobody can have asked to be told of changes before it is there.
        if self._sdk is not None:
            self._sdk.updates.note_write()

    def _give_to_sdk(self, line: bytes, *, is_request: bool) -> None:
        if self._relaying is None:
            self._relaying = asyncio.get_running_loop().create_task(self._relay(self._session.history()))
            self._relaying.add_done_callback(lambda _: self._stop.request("the MCP server ended"))
        if not is_request:
            # Nothing is answered, but what waits is counted, so that no client can pile up any number of lines.
            self._pump.owe()
        self._for_sdk.put_nowait((line, is_request))

    async def _relay(self, history: list[Message]) -> None:
        make = await asyncio.to_thread(self._load_sdk)
        self._sdk = make()
        await self._sdk.replay(history)
        while True:
            line, is_request = await self._for_sdk.get()
            try:
                await self._sdk.forward(line)
            except LcgError as error:
                self._pump.answer(encode_error(None, error))
            else:
                if not is_request:
                    self._pump.settle()


def _unexpected(error: BaseException) -> LcgError:
    return unexpected("tools/call", error if isinstance(error, Exception) else RuntimeError(repr(error)))


def _is_id(value: object) -> TypeGuard[str | int]:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _key(id: str | int) -> str | int:
    """Return what a request is known by: clients cancel `7` also as `"7"`."""
    if isinstance(id, str):
        try:
            return int(id)
        except ValueError:
            return id
    return id


def _result(id: str | int, result: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (_id(id), result)


def _error(id: str | int, error: bytes) -> bytes:
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}\n' % (_id(id), error)


def _id(id: str | int) -> bytes:
    return to_json(id)


def _call_result(answer: ToolAnswer, ending: bytes) -> bytes:
    return b'{"content":[{"type":"text","text":%b}],"structuredContent":%b,"isError":%b%b' % (
        orjson.dumps(answer.text),
        answer.structured,
        b"true" if answer.is_error else b"false",
        ending,
    )
