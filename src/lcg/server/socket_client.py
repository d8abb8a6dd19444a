"""One connection to a running service: a request out, its answer in, one call at a time."""

import os
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.runtime.call import ProgressFrame
from lcg.server.envelope import TOKEN_PARAM, overlong_request, to_json
from lcg.server.framing import MAX_LINE_BYTES, Line, LineSplitter, Overlong
from lcg.server.holders import peer_pid

_READ_BYTES: Final = 256 * 1024
_AT_ONCE_BYTES: Final = 16 * 1024
"""The system takes a line of this length as a whole or not at all where nothing else waits to be read."""
_LOOK_S: Final = 0.05
"""How often a waiting call looks whether it was given up."""


class DialFailed(Exception):
    """Nobody serves at the path; the text says why."""


class Broken(Exception):
    """The other side is gone; the text says how that showed."""


class Silent(Exception):
    """The other side neither took nor sent a byte for the whole idle limit."""


class BadAnswer(Exception):
    """The other side sent what no service sends."""

    def __init__(self, what: str, kind: ErrorKind = ErrorKind.UNAVAILABLE) -> None:
        super().__init__(what)
        self.kind = kind


class RemoteError(LcgError):
    """A failure that the service answered with; code, message and data are passed on as they came."""

    def __init__(self, code: int, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(message, data)
        self.code = code


class ServiceConnection:
    """A connection to the socket of a service, for one thread at a time.

    It closes itself as soon as request and answer may be out of step: after a break, silence, nonsense, or a call
    that was given up. The service notices that and stops what it does for the call.

    Attributes:
        closed: whether it is closed.
        pid: the process that listens at the other end, where the system tells.
    """

    def __init__(self, connected: socket.socket, idle_s: float) -> None:
        self._socket = connected
        self._idle_s = idle_s
        self._poll = select.poll()
        self._splitter = LineSplitter()
        self._lines: deque[Line] = deque()
        self._last_id = 0
        self.closed = False
        self.pid = peer_pid(connected)

    @classmethod
    def dial(cls, path: str, idle_s: float, cancelled: threading.Event) -> "ServiceConnection":
        """Connect.

        Args:
            path: the socket of the service.
            idle_s: seconds without any byte after which the other side counts as silent.
            cancelled: set when the caller gives up.

        Raises:
            DialFailed: nobody listens there.
            OperationFailed: `cancelled`.
        """
        connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connected.setblocking(False)
        end = time.monotonic() + idle_s
        try:
            while True:
                try:
                    connected.connect(path)
                    return cls(connected, idle_s)
                except BlockingIOError:  # the service is there, but its queue of newcomers is full
                    stop_if(cancelled)
                    if time.monotonic() >= end:
                        raise
                    time.sleep(_LOOK_S)
        except OSError as error:
            connected.close()
            raise DialFailed(_reason(error)) from error
        except BaseException:
            connected.close()
            raise

    def send(self, method: str, params: Mapping[str, Any], cancelled: threading.Event) -> int:
        """Write one request and return its id, with which `receive` waits for the answer.

        It asks for progress frames, since they tell a long call from a dead service.

        Raises:
            Broken, Silent: it was not written whole; the connection is closed.
            OperationFailed: `limit`, the line would be too long and nothing was sent; or `cancelled`.
        """
        request_id = self._last_id + 1
        line = _request_line(request_id, method, params)
        if len(line) > MAX_LINE_BYTES:
            raise overlong_request()
        self._last_id = request_id
        try:
            self._write(line + b"\n", cancelled)
        except BaseException:
            self.close()
            raise
        return request_id

    def send_at_once(self, method: str, params: Mapping[str, Any]) -> int | None:
        """Write one request as `send` does, but without waiting; None when it was not sent and `send` has to.

        What is wrong with the connection then is for `send` to find out and to tell.
        """
        request_id = self._last_id + 1
        line = _request_line(request_id, method, params)
        if len(line) >= _AT_ONCE_BYTES:
            return None
        try:
            sent = self._socket.send(line + b"\n")
        except OSError:
            return None
        if sent <= len(line):  # half a request is none, and whatever followed it would be nonsense
            self.close()
            return None
        self._last_id = request_id
        return request_id

    def receive_at_once(
        self, request_id: int, on_frame: Callable[[ProgressFrame], None]
    ) -> "dict[str, Any] | RemoteError | None":
        """Read as `receive` does, but what is there only; None when the answer has not come yet.

        The connection stays open in any case.

        Raises:
            Broken, BadAnswer: as `receive`.
        """
        self._read()
        while self._lines:
            answer = _take_line(self._lines.popleft(), request_id, on_frame)
            if answer is not None:
                return answer
        return None

    def fileno(self) -> int:
        """Return the descriptor, which can be read when something has come."""
        return self._socket.fileno()

    def receive(
        self, request_id: int, on_frame: Callable[[ProgressFrame], None], cancelled: threading.Event
    ) -> dict[str, Any] | RemoteError:
        """Read until the answer to a request has come, and return its result, or the error in it.

        Every progress frame on the way goes to `on_frame`. Answers to other requests are passed over.

        Raises:
            Broken, Silent, BadAnswer: no answer came; whether the call took effect is unknown. The connection is
                closed.
            OperationFailed: `cancelled`; the connection is closed.
        """
        try:
            while True:
                answer = _take_line(self._next_line(cancelled), request_id, on_frame)
                if answer is not None:
                    return answer
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Hang up. Safe to call twice."""
        self.closed = True
        self._socket.close()

    def _write(self, data: bytes, cancelled: threading.Event) -> None:
        left = memoryview(data)
        while left:
            self._wait(select.POLLOUT, cancelled)
            try:
                left = left[self._socket.send(left) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise Broken(_reason(error)) from error

    def _next_line(self, cancelled: threading.Event) -> Line:
        while not self._lines:
            self._wait(select.POLLIN, cancelled)
            self._read()
        return self._lines.popleft()

    def _read(self) -> None:
        try:
            data = self._socket.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError as error:
            raise Broken(_reason(error)) from error
        if not data:
            raise Broken("end of stream")
        self._lines.extend(self._splitter.feed(data))

    def _wait(self, event: int, cancelled: threading.Event) -> None:
        self._poll.register(self._socket, event)
        end = time.monotonic() + self._idle_s
        while True:
            stop_if(cancelled)
            left = end - time.monotonic()
            if self._poll.poll(max(0.0, min(left, _LOOK_S)) * 1000):
                return
            if left <= 0:
                raise Silent


def stop_if(cancelled: threading.Event) -> None:
    """Raise `cancelled` when the caller gave up."""
    if cancelled.is_set():
        raise gave_up()


def gave_up() -> OperationFailed:
    """Return what a call ends with that its caller gave up."""
    return OperationFailed(ErrorKind.CANCELLED, "operation cancelled")


def _request_line(request_id: int, method: str, params: Mapping[str, Any]) -> bytes:
    return to_json(
        {"jsonrpc": "2.0", "id": request_id, "method": method, "params": {**params, TOKEN_PARAM: request_id}}
    )


def _take_line(
    line: Line, request_id: int, on_frame: Callable[[ProgressFrame], None]
) -> dict[str, Any] | RemoteError | None:
    """Return the answer that a line is, or None when it is something else; a frame goes to `on_frame`."""
    message = _read_object(line)
    if "id" not in message and message.get("type") == "progress":
        on_frame({key: value for key, value in message.items() if key != "type"})
    elif type(message.get("id")) is int and message["id"] == request_id:
        return _read_answer(message)
    return None


def _read_object(line: Line) -> dict[str, Any]:
    if isinstance(line, Overlong):
        raise BadAnswer(f"a line of more than {MAX_LINE_BYTES:,} bytes", ErrorKind.LIMIT)
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise BadAnswer("a line that is no JSON") from None
    if not isinstance(value, dict):
        raise BadAnswer("a line that is no JSON object")
    return value


def _read_answer(message: dict[str, Any]) -> dict[str, Any] | RemoteError:
    result, error = message.get("result"), message.get("error")
    if isinstance(result, dict) and error is None:
        return result
    if isinstance(error, dict) and type(error.get("code")) is int and isinstance(error.get("message"), str):
        data = error.get("data")
        return RemoteError(error["code"], error["message"], data if isinstance(data, dict) else {})
    raise BadAnswer("an answer with neither a result nor an error that can be read")


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)
