"""Child processes that serve, and how a test talks to them and sees them end."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

ROOT = Path(__file__).parents[1]
FAKE = (sys.executable, "-m", "tests.e2e.fake_server")
REAL = (sys.executable, "-m", "lcg")
PATIENCE_S = 30.0


def environment(more: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Return this process's environment without what would configure the server, and with the sources on the path.

    Only the engine stays, so that all tests can be run on another one.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name == "LCG_ENGINE" or not name.startswith(("LCG_", "GRAPHITI_", "LIMINIS_", "ANTHROPIC_"))
    }
    return kept | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"} | dict(more)


class Server:
    """A serving child process with its three streams; stderr is collected."""

    def __init__(self, command: tuple[str, ...], workspace: Path, env: dict[str, str], stdin: Any) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=workspace,
            env=env,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._errors: list[str] = []
        self._grew = threading.Condition()
        self._collector = threading.Thread(target=self._collect, daemon=True)
        self._collector.start()

    def _collect(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._grew:
                self._errors.append(line.decode())
                self._grew.notify_all()

    @property
    def errors(self) -> str:
        return "".join(self._errors)

    def says(self, text: str) -> None:
        """Wait until the process has written this to stderr."""
        with self._grew:
            assert self._grew.wait_for(lambda: text in self.errors, PATIENCE_S), self.errors

    def http_url(self) -> str:
        """Return where the process listens for HTTP, once it does."""
        self.says("/mcp\n")
        found = re.search(r"listening on (http://\S+)/mcp$", self.errors, re.MULTILINE)
        assert found, self.errors
        return found[1]

    def send(self, *lines: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()

    def request(self, id: Any, method: str, params: Any = None) -> None:
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        self.send(json.dumps(message if params is None else message | {"params": params}).encode())

    def line(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"no answer; stderr: {self.errors}"
        return json.loads(line)

    def initialize(self, version: str = "2025-11-25") -> Any:
        self.request(
            "init",
            "initialize",
            {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
        )
        answer = self.line()
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return answer

    def tool(self, id: Any, name: str, arguments: Any = None, **meta: Any) -> None:
        params: dict[str, Any] = {"name": name, "arguments": arguments or {}}
        self.request(id, "tools/call", params | ({"_meta": meta} if meta else {}))

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def rest(self) -> list[Any]:
        assert self.process.stdout is not None
        return [json.loads(line) for line in self.process.stdout]

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def status(self) -> int:
        """Wait for the end and return the exit status."""
        status = self.process.wait(PATIENCE_S)
        self._collector.join(PATIENCE_S)
        return status


@contextmanager
def serving(
    workspace: Path,
    *arguments: str,
    command: tuple[str, ...] = FAKE,
    stdin: Any = subprocess.PIPE,
    env: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Server]:
    """Start a server in a workspace; whatever is left of it is killed at the end."""
    server = Server((*command, *arguments), workspace, environment(env), stdin)
    try:
        yield server
    finally:
        server.process.kill()
        # Before its streams are closed here: the collector would fail over one.
        server._collector.join(PATIENCE_S)
        with server.process:
            pass


class Refused(Exception):
    """A call was answered with an error."""

    def __init__(self, method: str, error: dict[str, Any]) -> None:
        super().__init__(f"{method}: {error}")
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.data: dict[str, Any] = error.get("data") or {}

    @property
    def kind(self) -> str | None:
        """The error's kind, if it has one."""
        return self.data.get("kind")


class ConnectionEnded(Exception):
    """The server went away before it answered."""


class Talker(Protocol):
    """A client of any kind."""

    def result(self, method: str, **params: Any) -> Any:
        """Call a method and return its result. Raises Refused when it was answered with an error."""

    def rows(self, query: str, **parameters: Any) -> list[list[Any]]:
        """Return all rows of a Cypher query."""


class Client:
    """One connection to the socket service of a workspace. For one thread."""

    def __init__(self, server: Server, workspace: Path) -> None:
        server.says("listening on .lcg/service.sock")
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE_S)
        try:
            self._socket.connect(str(workspace / ".lcg" / "service.sock"))
        except OSError as error:
            self._socket.close()
            raise ConnectionEnded(str(error)) from error
        self._lines = self._socket.makefile("rb")

    def send(self, method: str, params: Any = None) -> None:
        """Send a request without waiting for its answer. Answers come in the order of the requests."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError as error:
            raise ConnectionEnded(str(error)) from error

    def answer(self) -> Any:
        """Return the next answer as it came."""
        try:
            line = self._lines.readline()
        except TimeoutError:
            raise
        except OSError as error:
            raise ConnectionEnded(str(error)) from error
        if not line.endswith(b"\n"):
            raise ConnectionEnded(f"{len(line)} bytes of an answer came")
        return json.loads(line)

    def call(self, method: str, params: Any = None) -> Any:
        """Call a method and return the answer as it came."""
        self.send(method, params)
        return self.answer()

    def result(self, method: str, **params: Any) -> Any:
        """Call a method and return its result.

        Raises:
            Refused: it was answered with an error.
            ConnectionEnded: it was not answered.
        """
        self.send(method, params)
        return self.next_result(method)

    def next_result(self, method: str = "a sent request") -> Any:
        """Return the result of the oldest request that was sent and not answered. Raises as `result`."""
        answer = self.answer()
        if "error" in answer:
            raise Refused(method, answer["error"])
        return answer["result"]

    def rows(self, query: str, **parameters: Any) -> list[list[Any]]:
        """Return all rows of a Cypher query."""
        answer = self.result("knowledge_query_cypher", query=query, parameters=parameters, max_rows=100_000)
        assert not answer["truncated"]
        rows: list[list[Any]] = answer["rows"]
        return rows

    def at_end(self) -> bool:
        """Wait for the end of the connection; True when nothing else came."""
        return self._lines.read() == b""

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._lines.close()
        self._socket.close()


class Daemon(Server):
    """The real socket service of a workspace."""

    def __init__(self, workspace: Path, env: Mapping[str, str], prefix: Sequence[str]) -> None:
        self.workspace = workspace
        command = (*prefix, *REAL, "--extractor", "builtin")
        super().__init__(command, workspace, environment(env), subprocess.DEVNULL)

    def client(self) -> Client:
        """Connect, once the service listens."""
        return Client(self, self.workspace)

    def wait_until(self, state: str) -> dict[str, Any]:
        """Wait for a state that health_check reports, and return the report."""
        deadline = time.monotonic() + PATIENCE_S
        with self.client() as client:
            while True:
                try:
                    health: dict[str, Any] = client.result("health_check")
                except ConnectionEnded as ended:
                    raise AssertionError(f"exit status {self.status()}: {self.errors}") from ended
                if health["state"] == state:
                    return health
                assert health["state"] == "starting", (health, self.errors)
                assert time.monotonic() < deadline, self.errors
                time.sleep(0.01)

    def kill(self) -> None:
        """Kill it at once and wait until it is gone."""
        self.process.kill()
        self.status()

    def end(self) -> int:
        """Ask it to end, wait, and return its exit status."""
        self.signal(signal.SIGTERM)
        return self.status()


@contextmanager
def daemon(
    workspace: Path,
    *,
    state: str | None = "healthy",
    env: Mapping[str, str] = MappingProxyType({}),
    prefix: Sequence[str] = (),
) -> Iterator[Daemon]:
    """Start the real socket service and wait for a state (None: for nothing); what is left of it is killed.

    `prefix` is a command that runs the command given to it.
    """
    server = Daemon(workspace, env, prefix)
    try:
        if state is not None:
            server.wait_until(state)
        yield server
    finally:
        server.process.kill()
        # Before its streams are closed here: the collector would fail over one.
        server._collector.join(PATIENCE_S)
        with server.process:
            pass
