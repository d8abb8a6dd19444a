"""A provider to test against: answers on loopback or a Unix socket, as scripted, and remembers what it was asked."""

import json
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Body = Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """A request as it came. Header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """One scripted answer.

    `body` is JSON to be, or bytes as they are. `length` is what content-length claims, when that is to be a lie; the
    connection closes after such an answer. `wait_s` passes before anything is sent. `drop` closes without an answer.
    """

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    wait_s: float = 0.0
    drop: bool = False

    def content(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


def ok(body: Any) -> Answer:
    return Answer(body)


def slow(body: Any, wait_s: float) -> Answer:
    """An answer after a while; the server's end cuts the wait short."""
    return Answer(body, wait_s=wait_s)


def error(status: int, message: str = "", retry_after: str | None = None) -> Answer:
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return Answer({"error": {"message": message, "type": "stub"}}, status, headers)


def no_json(text: str = "<html>no</html>") -> Answer:
    return Answer(text.encode())


def closing_mid_body(body: Any) -> Answer:
    content = json.dumps(body).encode()
    return Answer(content[: len(content) // 2], length=len(content))


def closing_at_once() -> Answer:
    return Answer(drop=True)


class StubServer:
    """A running provider. Scripted answers are given first, in order; then `default` makes each answer.

    `asked` has all requests so far. Without a default an unscripted request is answered 599.
    """

    def __init__(self, default: Callable[[Asked], Answer] | None = None) -> None:
        self.default = default
        self.asked: list[Asked] = []
        self.stopping = threading.Event()
        self.url = ""
        self._script: list[Answer] = []
        self._lock = threading.Lock()

    def then(self, *answers: Answer) -> "StubServer":
        """Append to the script."""
        with self._lock:
            self._script.extend(answers)
        return self

    def answer(self, asked: Asked) -> Answer:
        with self._lock:
            self.asked.append(asked)
            if self._script:
                return self._script.pop(0)
        return self.default(asked) if self.default else error(599, "nothing scripted")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    stub: StubServer

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", "0"))
        body = json.loads(self.rfile.read(size))
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self.stub.answer(Asked(self.path, headers, body))
        if answer.wait_s:
            self.stub.stopping.wait(answer.wait_s)
        if answer.drop:
            self.close_connection = True
            return
        content = answer.content()
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content) if answer.length is None else answer.length))
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = self.close_connection or answer.length is not None

    def address_string(self) -> str:
        return "client"

    def log_message(self, format: str, *args: Any) -> None:
        """Stay silent."""


class _TcpServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of many tests."""


class _UnixServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of many tests."""


@contextmanager
def serving_stub(
    default: Callable[[Asked], Answer] | None = None, uds: Path | None = None, tls: ssl.SSLContext | None = None
) -> Iterator[StubServer]:
    """Run a stub on a free loopback port, or on a Unix socket, for the length of a `with` block."""
    stub = StubServer(default)
    handler = type("Handler", (_Handler,), {"stub": stub})
    server: socketserver.BaseServer
    if uds is None:
        server = _TcpServer(("127.0.0.1", 0), handler)
        stub.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_address[1]}"
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
    else:
        server = _UnixServer(str(uds), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield stub
    finally:
        stub.stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()
        if uds is not None:
            uds.unlink(missing_ok=True)
