"""The pump between two descriptors and whoever answers, with the test in that place."""

import asyncio
import os
import socket
import tempfile
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from lcg.server.framing import Line
from lcg.server.stdin_pump import StdinPump

MAX_UNANSWERED = 16
LONG = b"x" * 1_000_000 + b"\n"

Descriptors = tuple[int, int, int, int]
"""What the pump reads, what it writes, and the other end of each."""


def pipes() -> Descriptors:
    """Two pipes, which the event loop watches."""
    source, feed = os.pipe()
    read, sink = os.pipe()
    return source, sink, feed, read


def sockets() -> Descriptors:
    """Two pairs of sockets, as some clients give them to their servers."""
    ours, theirs = zip(*(socket.socketpair() for _ in range(2)), strict=True)
    return ours[0].detach(), ours[1].detach(), theirs[0].detach(), theirs[1].detach()


def terminals() -> Descriptors:
    """Pseudo terminals, which are read and written in threads."""
    (feed, source), (read, sink) = os.openpty(), os.openpty()
    for terminal in (source, sink):
        import tty

        tty.setraw(terminal)
    return source, sink, feed, read


class Ends:
    """A pump over two descriptors; the test holds their other ends."""

    def __init__(self, made: Descriptors) -> None:
        source, sink, self.feed, self.read = made
        self.lines: asyncio.Queue[Line] = asyncio.Queue()
        self.ended = asyncio.Event()
        self.reason = ""
        loop = asyncio.get_running_loop()

        def on_end(reason: str) -> None:
            self.reason = reason
            with suppress(RuntimeError):  # a second reason may come when the test is over
                loop.call_soon_threadsafe(self.ended.set)

        self.pump = StdinPump(source, sink, on_end, max_unanswered=MAX_UNANSWERED)
        self.pump.start(self.accept)

    def accept(self, line: Line) -> None:
        self.pump.owe()
        self.lines.put_nowait(line)

    async def next(self) -> Line:
        return await asyncio.wait_for(self.lines.get(), 20)

    async def output(self, size: int = 65536) -> bytes:
        return await asyncio.to_thread(os.read, self.read, size)


def run(test: Callable[[Ends], Awaitable[None]], made: Descriptors) -> None:
    async def main() -> None:
        await test(Ends(made))

    try:
        asyncio.run(main())
    finally:
        for descriptor in made[2:]:
            with suppress(OSError):
                os.close(descriptor)


every_kind = pytest.mark.parametrize("make", [pipes, sockets, terminals])


@every_kind
def test_lines_come_in_their_order_however_they_are_cut(make: Callable[[], Descriptors]) -> None:
    async def test(ends: Ends) -> None:
        for part in (b"one\ntw", b"o\n", b"\nthree\nfo"):
            os.write(ends.feed, part)
            await asyncio.sleep(0.01)
        assert [await ends.next() for _ in range(3)] == [b"one", b"two", b"three"]

    run(test, make())


@every_kind
def test_answers_are_written_whole_and_in_their_order_long_ones_among_them(make: Callable[[], Descriptors]) -> None:
    async def test(ends: Ends) -> None:
        expected = b"a\n" + LONG + b"b\n" + LONG + b"c\n"
        for line in (b"a\n", LONG, b"b\n", LONG, b"c\n"):
            ends.pump.write(line)
        written = b""
        while len(written) < len(expected):
            written += await ends.output()
        assert written == expected
        await ends.pump.wait_written()

    run(test, make())


def test_nothing_is_due_once_every_request_is_answered_or_settled_without_an_answer() -> None:
    async def test(ends: Ends) -> None:
        os.write(ends.feed, b"one\ntwo\n")
        await ends.next()
        await ends.next()
        waiting = asyncio.create_task(ends.pump.wait_answered())
        ends.pump.answer(b"answer\n")
        assert await ends.output() == b"answer\n"
        await asyncio.sleep(0.01)
        assert not waiting.done()
        ends.pump.settle()
        await asyncio.wait_for(waiting, 20)

    run(test, pipes())


@every_kind
def test_the_end_of_input_is_told_after_the_last_line_was_passed_on(make: Callable[[], Descriptors]) -> None:
    async def test(ends: Ends) -> None:
        os.write(ends.feed, b"first\nlast" if make is not terminals else b"first\nlast\n")
        assert await ends.next() == b"first"
        if make is terminals:
            assert await ends.next() == b"last"
        assert not ends.ended.is_set()
        os.close(ends.feed)
        await asyncio.wait_for(ends.ended.wait(), 20)
        if make is not terminals:  # the end of a terminal is an error of its own
            assert ends.reason == "end of input"
            assert await ends.next() == b"last"

    run(test, make())


def test_a_file_is_read_to_its_end_and_written() -> None:
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as sink:
        source.write(b"one\ntwo")
        source.seek(0)

        async def test(ends: Ends) -> None:
            assert [await ends.next(), await ends.next()] == [b"one", b"two"]
            await asyncio.wait_for(ends.ended.wait(), 20)
            assert ends.reason == "end of input"
            ends.pump.answer(b"answer\n")
            await ends.pump.wait_written()

        run(test, (source.fileno(), sink.fileno(), -1, -1))
        sink.seek(0)
        assert sink.read() == b"answer\n"


@every_kind
def test_a_client_has_a_bounded_number_of_requests_in_work(make: Callable[[], Descriptors]) -> None:
    async def test(ends: Ends) -> None:
        more = MAX_UNANSWERED + 10
        writer = threading.Thread(target=os.write, args=(ends.feed, b"request\n" * more))
        writer.start()
        for _ in range(MAX_UNANSWERED):
            await ends.next()
        await asyncio.sleep(0.05)
        assert ends.lines.empty()
        for done in range(more):
            ends.pump.answer(b"answer\n")
            if done < 10:
                await ends.next()
        await asyncio.wait_for(ends.pump.wait_answered(), 20)
        writer.join()
        os.write(ends.feed, b"another\n")
        assert await ends.next() == b"another"

    run(test, make())


def test_lines_that_were_read_are_passed_on_although_no_more_is_read() -> None:
    async def test(ends: Ends) -> None:
        os.write(ends.feed, b"request\n" * (MAX_UNANSWERED + 2))
        for _ in range(MAX_UNANSWERED):
            await ends.next()
        ends.pump.stop_reading()
        os.write(ends.feed, b"too late\n")
        waiting = asyncio.create_task(ends.pump.wait_answered())
        for _ in range(MAX_UNANSWERED):
            ends.pump.answer(b"answer\n")
        assert [await ends.next(), await ends.next()] == [b"request", b"request"]
        assert not waiting.done()
        ends.pump.answer(b"answer\n")
        ends.pump.answer(b"answer\n")
        await asyncio.wait_for(waiting, 20)
        assert ends.lines.empty()

    run(test, pipes())


@pytest.mark.parametrize("make", [pipes, sockets])
def test_a_reader_that_is_gone_is_told_of_and_keeps_nothing_due(make: Callable[[], Descriptors]) -> None:
    async def test(ends: Ends) -> None:
        os.close(ends.read)
        os.write(ends.feed, b"one\ntwo\n")
        await ends.next()
        await ends.next()
        ends.pump.answer(b"short\n")
        ends.pump.answer(LONG)
        await asyncio.wait_for(ends.ended.wait(), 20)
        assert "stdout" in ends.reason
        await asyncio.wait_for(ends.pump.wait_answered(), 20)

    run(test, make())


@pytest.mark.parametrize("make", [pipes, sockets])
def test_a_client_that_does_not_read_stops_nothing_else(make: Callable[[], Descriptors]) -> None:
    async def test(ends: Ends) -> None:
        lines: Any = [b"%d\n" % number * 1000 for number in range(100)]
        for line in lines:
            ends.pump.write(line)
        os.write(ends.feed, b"still here\n")
        assert await ends.next() == b"still here"
        expected, written = b"".join(lines), b""
        while len(written) < len(expected):
            written += await ends.output()
        assert written == expected

    run(test, make())


def test_nobody_who_shares_the_descriptors_finds_them_switched_to_non_blocking_mode() -> None:
    async def test(ends: Ends) -> None:
        os.write(ends.feed, b"one\n")
        await ends.next()
        ends.pump.answer(b"answer\n")
        await ends.output()
        assert all(os.get_blocking(descriptor) for descriptor in made[:2])

    made = pipes()
    run(test, made)


@every_kind
def test_descriptors_that_somebody_else_switched_to_non_blocking_mode_serve_as_well(
    make: Callable[[], Descriptors],
) -> None:
    async def test(ends: Ends) -> None:
        os.write(ends.feed, b"one\n")
        assert await ends.next() == b"one"
        ends.pump.answer(LONG)
        written = b""
        while len(written) < len(LONG):
            written += await ends.output()
        os.write(ends.feed, b"two\n")
        assert await ends.next() == b"two"

    made = make()
    for descriptor in made[:2]:
        os.set_blocking(descriptor, False)
    run(test, made)
