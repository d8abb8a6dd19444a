"""The pump between two descriptors and the SDK, with the test in the SDK's place."""

import asyncio
import json
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from lcg.server.stdin_pump import StdinPump

MAX_UNANSWERED = 16
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


class Ends:
    """A pump over two pipes; the test holds their other ends."""

    def __init__(self) -> None:
        source, self.feed = os.pipe()
        self.read, sink = os.pipe()
        self.ended = asyncio.Event()
        self.reason = ""
        loop = asyncio.get_running_loop()

        def on_end(reason: str) -> None:
            self.reason = reason
            with suppress(RuntimeError):  # a second reason may come when the test is over
                loop.call_soon_threadsafe(self.ended.set)

        self.pump = StdinPump(source, sink, on_end, max_unanswered=MAX_UNANSWERED)
        self.pump.start()

    async def next(self) -> SessionMessage:
        item = await asyncio.wait_for(self.pump.read_stream.receive(), 20)
        assert isinstance(item, SessionMessage)
        return item

    async def answer(self, id: int = 1) -> None:
        await self.pump.write_stream.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=id, result={})))

    async def output(self) -> Any:
        return json.loads(await asyncio.to_thread(os.read, self.read, 65536))


def with_pump(test: Callable[[Ends], Awaitable[None]]) -> None:
    async def main() -> None:
        ends = Ends()
        try:
            await test(ends)
        finally:
            os.close(ends.feed)
            await asyncio.wait_for(ends.ended.wait(), 20)
            await ends.pump.close()
            # What the SDK's server does when its input ends.
            ends.pump.read_stream.close()
            ends.pump.write_stream.close()
            await ends.pump.wait_closed()

    asyncio.run(main())


def test_messages_of_every_kind_reach_the_sdk() -> None:
    async def test(ends: Ends) -> None:
        os.write(ends.feed, PING + b'{"jsonrpc":"2.0","method":"n"}\n{"jsonrpc":"2.0","id":7,"result":{}}\n')
        kinds = [type((await ends.next()).message) for _ in range(3)]
        assert kinds == [JSONRPCRequest, JSONRPCNotification, JSONRPCResponse]
        await ends.answer()

    with_pump(test)


def test_nothing_is_due_once_every_request_is_answered_or_settled_without_an_answer() -> None:
    async def test(ends: Ends) -> None:
        os.write(ends.feed, PING + PING)
        await ends.next()
        second = (await ends.next()).metadata
        waiting = asyncio.create_task(ends.pump.wait_answered())
        await ends.answer()
        assert (await ends.output())["id"] == 1
        assert not waiting.done()
        assert isinstance(second, ServerMessageMetadata)
        assert second.on_request_unanswered is not None
        await second.on_request_unanswered()
        await asyncio.wait_for(waiting, 20)

    with_pump(test)


def test_the_end_of_input_is_told_after_the_last_line_was_passed_on() -> None:
    async def test(ends: Ends) -> None:
        os.write(ends.feed, PING[:-1])
        os.dup2(os.open(os.devnull, os.O_WRONLY), ends.feed)
        assert not ends.ended.is_set()
        await ends.next()
        await asyncio.wait_for(ends.ended.wait(), 20)
        assert ends.reason == "end of input"
        await ends.answer()

    with_pump(test)


def test_a_client_has_a_bounded_number_of_requests_in_work() -> None:
    async def test(ends: Ends) -> None:
        writer = threading.Thread(target=os.write, args=(ends.feed, PING * (MAX_UNANSWERED + 10)))
        writer.start()
        for _ in range(MAX_UNANSWERED):
            await ends.next()
        more = asyncio.create_task(ends.next())
        for _ in range(5):
            await asyncio.sleep(0.01)
        assert not more.done()
        for done in range(MAX_UNANSWERED + 10):
            await ends.answer()
            await ends.output()
            if done < 10:
                await (more if done == 0 else ends.next())
        writer.join()

    with_pump(test)


def test_a_reader_that_is_gone_is_told_of() -> None:
    async def test(ends: Ends) -> None:
        os.close(ends.read)
        os.write(ends.feed, b"bad\n")
        await asyncio.wait_for(ends.ended.wait(), 20)
        assert "stdout" in ends.reason

    with_pump(test)
