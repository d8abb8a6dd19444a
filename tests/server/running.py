"""A socket server in a thread of its own, and a client that speaks raw bytes to it."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from lcg.server.calls import CallRunner
from lcg.server.socket import SocketServer, bind_socket
from tests.server.fake_service import TRAITS, FakeService

PATIENCE_S = 20.0


class Client:
    """One connection; every wait ends after a while, so a fault fails a test instead of hanging it."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(str(path))
        self._reader = self.socket.makefile("rb")

    def send(self, *lines: bytes) -> None:
        self.socket.sendall(b"".join(line + b"\n" for line in lines))

    def request(self, id: Any, method: str, params: Any = None) -> None:
        self.send(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode())

    def line(self) -> Any:
        raw = self._reader.readline()
        assert raw.endswith(b"\n"), f"no line, but {raw!r}"
        return json.loads(raw)

    def call(self, method: str, params: Any = None, id: Any = 1) -> Any:
        self.request(id, method, params)
        return self.line()

    def half_close(self) -> None:
        self.socket.shutdown(socket.SHUT_WR)

    def rest(self) -> list[Any]:
        return [json.loads(line) for line in self._reader.read().splitlines()]

    def close(self) -> None:
        self._reader.close()
        self.socket.close()


class RunningServer:
    """What a test sees of the server thread."""

    def __init__(self, path: Path, service: FakeService) -> None:
        self.path = path
        self.service = service
        self.clients: list[Client] = []
        self.stop: Callable[[], None] = lambda: None
        self.in_loop: Callable[[Callable[[], None]], object] = lambda _: None
        self.stopped = threading.Event()

    def connect(self) -> Client:
        client = Client(self.path)
        self.clients.append(client)
        return client


@contextmanager
def running_server(
    path: Path, service: FakeService | None = None, *, keep_alive_s: float = 5.0, stop_timeout_s: float = 10.0
) -> Iterator[RunningServer]:
    running = RunningServer(path, service or FakeService())
    ready = threading.Event()

    async def main() -> None:
        loop, done = asyncio.get_running_loop(), asyncio.Event()
        runner = CallRunner(running.service, TRAITS)
        server = SocketServer(runner, done.set, keep_alive_s=keep_alive_s)

        def stop() -> None:
            with suppress(RuntimeError):  # it has ended already
                loop.call_soon_threadsafe(done.set)

        running.stop = stop
        running.in_loop = loop.call_soon_threadsafe
        await server.start(bind_socket(path))
        ready.set()
        await done.wait()
        await server.stop(stop_timeout_s)
        await runner.wait_idle()

    def run() -> None:
        asyncio.run(main())
        running.stopped.set()

    thread = threading.Thread(target=run, name="socket server")
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        yield running
    finally:
        for client in running.clients:
            client.close()
        running.service.ready.set()
        running.stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def eventually(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.005)
