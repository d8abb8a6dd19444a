"""A Unix socket behind which a script stands in for the service, so that it can break in every way there is."""

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import LcgError
from lcg.runtime.call import Call
from lcg.server.attached import AttachedService
from lcg.server.calls import CallRunner, MethodTraits
from tests.server.running import PATIENCE_S, eventually

LONG_MS = 20_000
SHORT_MS = 600


class Peer:
    """The service's end of one connection."""

    def __init__(self, accepted: socket.socket) -> None:
        self.socket = accepted
        self.socket.settimeout(PATIENCE_S)
        self.lines = accepted.makefile("rb")
        self.requests: list[Any] = []
        self.ended = threading.Event()

    def request(self) -> Any:
        """Read a request; None when the client has hung up."""
        line = self.lines.readline()
        if not line:
            return None
        self.requests.append(json.loads(line))
        return self.requests[-1]

    def send(self, *messages: Any) -> None:
        for message in messages:
            self.write(json.dumps(message).encode() + b"\n")

    def write(self, data: bytes) -> None:
        self.socket.sendall(data)

    def answer(self, request: Any, **result: Any) -> None:
        self.send({"jsonrpc": "2.0", "id": request["id"], "result": result})


Script = Callable[[Peer], None]


def echo(peer: Peer) -> None:
    """Answer every request with what came, until the client hangs up."""
    while (request := peer.request()) is not None:
        peer.answer(request, method=request["method"], params=request["params"])


class Remote:
    """Serves the first connection with the first script, and so on; the last script serves all that follow."""

    def __init__(self, path: Path, *scripts: Script) -> None:
        self.path = path
        self.peers: list[Peer] = []
        self._scripts = list(scripts)
        self._threads: list[threading.Thread] = []
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(16)
        self._start(self._accept)

    def close(self) -> None:
        """Take no more connections and wait until those that there are have ended."""
        # A thread that waits in accept() does not notice when its socket is closed.
        self._listener.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE_S)
            assert not thread.is_alive()
        self._listener.close()
        self.path.unlink()

    def replace_scripts(self, *scripts: Script) -> None:
        """Serve the connections that come from now on otherwise."""
        self._scripts[:] = scripts

    def requests(self) -> list[list[Any]]:
        """Return what came over each connection."""
        return [peer.requests for peer in self.peers]

    def _accept(self) -> None:
        while True:
            try:
                accepted, _ = self._listener.accept()
            except OSError:
                return
            self.peers.append(Peer(accepted))
            script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
            self._start(partial(self._play, self.peers[-1], script))

    def _play(self, peer: Peer, script: Script) -> None:
        with suppress(OSError):  # the client hung up
            script(peer)
        peer.lines.close()
        peer.socket.close()
        peer.ended.set()

    def _start(self, work: Callable[[], None]) -> None:
        self._threads.append(threading.Thread(target=work, daemon=True))
        self._threads[-1].start()


@contextmanager
def remote(path: Path, *scripts: Script) -> Iterator[Remote]:
    running = Remote(path, *scripts)
    try:
        yield running
    finally:
        running.close()


class InThread:
    """An attached service whose calls are made in threads only."""

    def __init__(self, service: AttachedService) -> None:
        self._service = service

    def call(self, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        return AttachedService.call(self._service, method, params, call)

    def answers_at_once(self, method: str) -> bool:
        return False

    def works_unasked(self) -> bool:
        return False

    def close(self) -> None:
        self._service.close()


class InLoop(AttachedService):
    """An attached service that is called as a process does it: in an event loop first, in a thread what that leaves."""

    def __init__(self, path: str, timeout_ms: int) -> None:
        super().__init__(path, timeout_ms)
        self.begun: list[str] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._runner = CallRunner(InThread(self), MethodTraits(frozenset(), frozenset()), self.begin)

    def begin(self, params: Mapping[str, Any], call: Call) -> "asyncio.Future[dict[str, Any]] | None":
        begun = super().begin(params, call)
        if begun is not None:
            self.begun.append(call.method)
        return begun

    def call(self, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        return asyncio.run_coroutine_threadsafe(self._runner.run(params or {}, call), self._loop).result()

    def end_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


KINDS: list[type[AttachedService]] = [AttachedService]
"""What `attached` makes: the last of them."""


@contextmanager
def attached(tmp_path: Path, *scripts: Script, timeout_ms: int = LONG_MS) -> Iterator[tuple[AttachedService, Remote]]:
    """Attach to a scripted service; the first connection is made."""
    with remote(tmp_path / "s", *scripts) as running:
        service = KINDS[-1](str(tmp_path / "s"), timeout_ms)
        service.attach()
        eventually(lambda: len(running.peers) == 1)
        try:
            yield service, running
        finally:
            service.close()
            if isinstance(service, InLoop):
                service.end_loop()


def ask(service: AttachedService, method: str = "echo", **params: Any) -> dict[str, Any]:
    return service.call(method, params, Call(method))


def failure(service: AttachedService, method: str = "echo", **params: Any) -> LcgError:
    with pytest.raises(LcgError) as caught:
        ask(service, method, **params)
    return caught.value


def frame(phase: str = "applying", processed: Any = 1, total: Any = 2) -> dict[str, Any]:
    return {"type": "progress", "phase": phase, "processed": processed, "total": total, "message": "m"}
