"""One client on the socket: its lines in, its answers out, one request after another."""

import asyncio
import logging
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol, cast

from lcg.errors import LcgError
from lcg.runtime.call import Call, ProgressFrame
from lcg.server.calls import CLOSE_METHOD, CallRunner, unexpected
from lcg.server.envelope import (
    KEEP_ALIVE_PHASE,
    TOKEN_PARAM,
    InvalidRequest,
    Request,
    encode_error,
    encode_result,
    overlong_request,
    parse_request,
    to_json,
)
from lcg.server.framing import Line, LineSplitter, Overlong

log = logging.getLogger(__name__)

_NEVER: Final = threading.Event()
"""Stands where a call could be cancelled, for calls that are over before anybody could."""

QUEUE_LINES: Final = 256
QUEUE_BYTES: Final = 1024 * 1024
"""How much of a client's pipelined requests is read ahead before its socket has to wait."""


class Hub(Protocol):
    """What a connection needs of the server that it belongs to."""

    runner: CallRunner
    keep_alive_s: float

    def joined(self, connection: "Connection") -> None:
        """Note a new connection."""

    def left(self, connection: "Connection") -> None:
        """Forget a connection that is closed."""

    def watch(self) -> None:
        """See to it that `tick` is called while any call runs."""

    def close_requested(self) -> None:
        """Begin to stop: a client asked for it and was answered."""


class Connection(asyncio.Protocol):
    """Reads lines, runs them in order through the runner, writes the answers.

    A client that only ends its own direction still gets the answers due. One that is gone altogether has its
    running call cancelled and its waiting requests dropped. A client that does not read is not read from either.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._splitter = LineSplitter()
        self._lines: deque[Line] = deque()
        self._queued_bytes = 0
        self._ahead: Request | None = None  # the first of the lines, when it was read already
        self._reading_paused = False
        self._no_more_requests = False
        self._gone = False
        self._worker: asyncio.Task[None] | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._running: Call | None = None
        self._frames_wanted = False
        self._late_frame: bytes | None = None
        self._started = self._last_frame = 0.0

    # -- what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast(asyncio.Transport, transport)
        self._loop = asyncio.get_running_loop()
        self._hub.joined(self)

    def data_received(self, data: bytes) -> None:
        """Take bytes from the client."""
        lines = self._splitter.feed(data)
        if self._worker is None and not self._gone:
            lines = self._answer_at_once(lines)
        if lines or self._no_more_requests:
            self._take(lines)

    def eof_received(self) -> bool:
        """Take the end of the client's requests; True keeps our direction open for the answers."""
        lines = self._splitter.finish()
        self._no_more_requests = True
        if self._worker is None and not self._gone:
            lines = self._answer_at_once(lines)
        self._take(lines)
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """End: both directions are closed."""
        self._leave()
        self._hub.left(self)

    def pause_writing(self) -> None:
        """Stop answering until the client has read."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Go on answering."""
        self._writable.set()
        if self._late_frame is not None:
            self._write_late_frame()

    # -- what the server calls

    def finish(self) -> None:
        """Take no more requests, and close once those already read are answered."""
        self._no_more_requests = True
        self._transport.pause_reading()
        self._reading_paused = True
        self._close_when_done()

    def abort(self) -> None:
        """Close at once."""
        self._leave()
        self._transport.abort()

    @property
    def is_busy(self) -> bool:
        """Whether a call is running."""
        return self._running is not None

    def tick(self) -> None:
        """Look after a running call: cut a client that is gone, send a keep-alive that is due."""
        if self._running is None:
            return
        now = time.monotonic()
        if self._is_hung_up():
            self.abort()
        elif self._frames_wanted and now - self._last_frame >= self._hub.keep_alive_s:
            message = f"{self._running.method} has been running for {now - self._started:.0f} s"
            self._send_frame(self._running, {"phase": KEEP_ALIVE_PHASE, "processed": 0, "total": 0, "message": message})

    # -- requests

    def _take(self, lines: list[Line]) -> None:
        if self._gone:
            return
        for line in lines:
            self._lines.append(line)
            self._queued_bytes += _size(line)
        if not self._reading_paused and not self._no_more_requests and self._is_full():
            self._reading_paused = True
            self._transport.pause_reading()
        if self._lines and self._worker is None:
            self._worker = self._loop.create_task(self._work())
        else:
            self._close_when_done()

    def _answer_at_once(self, lines: list[Line]) -> list[Line]:
        """Answer the first of these lines as far as that takes no time, without a task for it; return the others."""
        runner = self._hub.runner
        for number, line in enumerate(lines):
            if isinstance(line, Overlong):
                return lines[number:]
            try:
                request = parse_request(line)
            except LcgError:  # which whoever serves the line finds out again
                return lines[number:]
            params, method = request.params, request.method
            if request.is_notification or not runner.takes_no_time(method) or not self._writable.is_set():
                self._ahead = request
                return lines[number:]
            params.pop(TOKEN_PARAM, None)
            try:
                result = runner.run_at_once(params, Call(method, None, _NEVER, request.id))
                answer = encode_result(request.id, result, method)
            except LcgError as error:
                answer = encode_error(request.id, error)
            self._transport.write(answer)
        return []

    def _is_full(self) -> bool:
        return len(self._lines) > QUEUE_LINES or self._queued_bytes > QUEUE_BYTES

    async def _work(self) -> None:
        try:
            while self._lines and not self._gone:
                line = self._lines.popleft()
                self._queued_bytes -= _size(line)
                if self._reading_paused and not self._no_more_requests and not self._is_full():
                    self._reading_paused = False
                    self._transport.resume_reading()
                await self._serve(line)
                await self._writable.wait()
        except Exception:
            log.exception("a connection failed and is closed")
            self.abort()
        finally:
            self._worker = None
        self._close_when_done()

    def _close_when_done(self) -> None:
        if self._no_more_requests and self._worker is None and not self._lines:
            self._transport.close()

    async def _serve(self, line: Line) -> None:
        if isinstance(line, Overlong):
            self._write(encode_error(None, overlong_request()))
            return
        ahead, self._ahead = self._ahead, None
        try:
            request = ahead or parse_request(line)
        except InvalidRequest as error:
            self._write(encode_error(error.id, error))
        except LcgError as error:
            self._write(encode_error(None, error))
        else:
            await self._answer(request)

    async def _answer(self, request: Request) -> None:
        call = self._start_call(request)
        closing = False
        try:
            result = await self._hub.runner.run(request.params, call)
            answer = encode_result(request.id, result, request.method)
            closing = request.method == CLOSE_METHOD
        except LcgError as error:
            answer = encode_error(request.id, error)
        except Exception as error:  # a result that is no JSON
            answer = encode_error(request.id, unexpected(request.method, error))
        finally:
            self._running = None
        if not request.is_notification:
            self._write_late_frame()
            self._write(answer)
        if closing:
            self._hub.close_requested()

    def _start_call(self, request: Request) -> Call:
        token = request.params.pop(TOKEN_PARAM, None)
        # A notification is never answered, so nothing is sent before the answer either.
        self._frames_wanted = token is not None and not request.is_notification
        self._late_frame = None
        self._started = self._last_frame = time.monotonic()
        call = Call(request.method, request_id=request.id)
        if self._frames_wanted and request.method in self._hub.runner.traits.reports_progress:
            call.report = self._reporter(call)
        self._running = call
        self._hub.watch()
        return call

    # -- progress

    def _reporter(self, call: Call) -> Callable[[ProgressFrame], None]:
        def report(frame: ProgressFrame) -> None:
            try:
                self._loop.call_soon_threadsafe(self._send_frame, call, dict(frame))
            except RuntimeError:  # the loop is closed: the process ends
                call.cancelled.set()

        return report

    def _send_frame(self, call: Call, frame: ProgressFrame) -> None:
        if self._running is not call or self._gone:
            return
        self._last_frame = time.monotonic()
        line = to_json({"type": "progress", **frame}) + b"\n"
        if self._writable.is_set():
            self._write(line)
        else:
            # A client that reads slowly gets the newest frame, not a growing pile of old ones.
            self._late_frame = line

    def _write_late_frame(self) -> None:
        line, self._late_frame = self._late_frame, None
        if line is not None:
            self._write(line)

    # -- the wire

    def _write(self, data: bytes) -> None:
        if not self._gone:
            self._transport.write(data)

    def _leave(self) -> None:
        self._gone = True
        self._lines.clear()
        self._queued_bytes = 0
        self._writable.set()
        if self._running is not None:
            self._running.cancelled.set()

    def _is_hung_up(self) -> bool:
        # Reading cannot tell a client that is gone from one that only ended its own direction, and is not done at
        # all while the queue is full. On Linux POLLHUP means both directions; elsewhere a failing write has to do.
        if sys.platform != "linux" or self._transport.is_closing():
            return False
        poll = select.poll()
        poll.register(self._transport.get_extra_info("socket").fileno(), 0)
        return any(event & select.POLLHUP for _, event in poll.poll(0))


def _size(line: Line) -> int:
    return 0 if isinstance(line, Overlong) else len(line)
