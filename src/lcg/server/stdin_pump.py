"""Lines between the process's own stdin and stdout and whoever answers them.

It knows how many requests are unanswered. Pipes and sockets are read and written by the event loop, by calls that will
not block; they are not switched to non-blocking mode, since they may be shared. Whatever else, terminals and files
among them, is read and written in threads, and so is what is long.
"""

import asyncio
import logging
import os
import select
import stat
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from lcg.server.framing import Line, LineSplitter

log = logging.getLogger(__name__)

READ_BYTES: Final = 64 * 1024
MAX_UNANSWERED: Final = 1024


class StdinPump:
    """Carries lines between two descriptors and whoever answers.

    Args:
        source: descriptor that requests are read from.
        sink: descriptor that answers are written to.
        on_end: called, on any thread, when the input has ended or nobody reads the answers any more.
        max_unanswered: requests that are worked on at once; further ones wait in the pipe.
    """

    def __init__(
        self,
        source: int,
        sink: int,
        on_end: Callable[[str], None],
        *,
        max_unanswered: int = MAX_UNANSWERED,
    ) -> None:
        self._source = source
        self._accept: Callable[[Line], None] = _nothing
        self._on_end = on_end
        self._max_unanswered = max_unanswered
        self._loop = asyncio.get_running_loop()
        self._writer = _Writer(sink, self._loop, on_end)
        self._splitter = LineSplitter()
        self._waiting: deque[Line] = deque()
        self._passing = False
        self._ended: str | None = None
        self._by_loop = _is_pollable(source)
        self._reads = False
        self._stopped = False
        self._room = threading.Event()
        self._due = 0
        self._all_answered = asyncio.Event()
        self._all_answered.set()

    def start(self, accept: Callable[[Line], None]) -> None:
        """Begin to read. `accept` is called in the event loop with each line, and tells by `owe` what is due for it."""
        self._accept = accept
        if self._by_loop:
            self._set_reading(True)
        else:
            self._room.set()
            threading.Thread(target=self._read_blocking, name="stdin", daemon=True).start()

    def stop_reading(self) -> None:
        """Take no more requests. What was read is passed on, what comes later is dropped."""
        self._stopped = True
        self._set_reading(False)
        self._room.set()

    # -- out

    def owe(self) -> None:
        """Note that an answer is due."""
        self._due += 1
        self._all_answered.clear()

    def settle(self) -> None:
        """Note that an answer was written, or that none will be."""
        self._due -= 1
        if self._waiting and not self._passing:  # whoever passes on sees by itself that there is room
            self._pass_on()
        if self._due == 0:
            self._all_answered.set()

    def answer(self, line: bytes) -> None:
        """Write an answer that was due, line end included."""
        self._writer.write(line, self.settle)

    def write(self, line: bytes) -> None:
        """Write something that was not due, line end included."""
        self._writer.write(line, _nothing)

    async def wait_answered(self) -> None:
        """Wait until every request that was read is answered, its bytes written."""
        await self._all_answered.wait()

    async def wait_written(self) -> None:
        """Wait until everything is written."""
        await self._writer.wait()

    # -- in

    def _set_reading(self, reads: bool) -> None:
        if self._by_loop and reads != self._reads:
            self._reads = reads
            if reads:
                self._loop.add_reader(self._source, self._read_ready)
            else:
                self._loop.remove_reader(self._source)

    def _read_ready(self) -> None:
        try:
            self._take(*_read(self._source))
        except BlockingIOError:  # somebody else who reads here was quicker
            return

    def _read_blocking(self) -> None:
        while not self._stopped:
            try:
                data, reason = _read(self._source)
            except BlockingIOError:  # somebody who shares it has switched it to non-blocking mode
                _wait(self._source, select.POLLIN)
                continue
            self._room.clear()
            try:
                self._loop.call_soon_threadsafe(self._take, data, reason)
            except RuntimeError:  # the loop is closed
                return
            if not data:
                return
            self._room.wait()  # no further bytes are read before these are taken

    def _take(self, data: bytes, reason: str) -> None:
        if self._stopped:
            return
        self._waiting.extend(self._splitter.feed(data) if data else self._splitter.finish())
        if not data:
            self._ended = reason
            self._set_reading(False)
        self._pass_on()

    def _pass_on(self) -> None:
        self._passing = True
        while self._waiting and self._due < self._max_unanswered:
            try:
                self._accept(self._waiting.popleft())
            except Exception:
                log.exception("a line from stdin could not be taken")
        self._passing = False
        if self._waiting or self._stopped:
            self._set_reading(False)
        elif self._ended is not None:
            reason, self._ended, self._stopped = self._ended, None, True
            self._on_end(reason)
        else:
            self._set_reading(True)
            self._room.set()


class _Writer:
    """Writes lines in their order, each whole, and calls back when one is written or can never be."""

    def __init__(self, sink: int, loop: asyncio.AbstractEventLoop, on_end: Callable[[str], None]) -> None:
        self._sink = sink
        self._loop = loop
        self._on_end = on_end
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="stdout")
        self._queue: deque[tuple[bytes, Callable[[], None]]] = deque()
        self._draining: asyncio.Task[None] | None = None
        self._broken = False
        self._poll: select.poll | None = None
        if _is_pollable(sink):
            self._poll = select.poll()
            self._poll.register(sink, select.POLLOUT)

    def write(self, line: bytes, then: Callable[[], None]) -> None:
        if self._draining is None and self._takes_at_once(line):
            try:
                line = line[os.write(self._sink, line) :]
            except BlockingIOError:
                pass
            except OSError as error:
                self._fail(error)
        if self._broken or not line:
            then()
            return
        self._queue.append((line, then))
        if self._draining is None:
            self._draining = self._loop.create_task(self._drain())

    async def wait(self) -> None:
        if self._draining is not None:
            await asyncio.shield(self._draining)

    def _takes_at_once(self, line: bytes) -> bool:
        # What has room for anything has room for so much, and takes it as a whole.
        return (
            self._poll is not None
            and not self._broken
            and len(line) <= select.PIPE_BUF
            and any(event & select.POLLOUT for _, event in self._poll.poll(0))
        )

    async def _drain(self) -> None:
        try:
            while self._queue:
                line, then = self._queue.popleft()
                if not self._broken:
                    try:
                        await self._loop.run_in_executor(self._thread, _write_all, self._sink, line)
                    except OSError as error:
                        self._fail(error)
                then()
        finally:
            self._draining = None

    def _fail(self, error: OSError) -> None:
        if not self._broken:
            self._broken = True
            self._on_end(f"writing stdout failed: {error.strerror}")


def _is_pollable(descriptor: int) -> bool:
    """Whether the system can tell when a read or a small write of this descriptor will not block."""
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _read(source: int) -> tuple[bytes, str]:
    """Return the next bytes; or none, and why there are none."""
    try:
        return os.read(source, READ_BYTES), "end of input"
    except BlockingIOError:
        raise
    except OSError as error:
        return b"", f"reading stdin failed: {error.strerror}"


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(descriptor, view) :]
        except BlockingIOError:  # somebody who shares it has switched it to non-blocking mode
            _wait(descriptor, select.POLLOUT)


def _wait(descriptor: int, event: int) -> None:
    poll = select.poll()
    poll.register(descriptor, event)
    poll.poll()


def _nothing(*_: object) -> None:
    """Do nothing."""
