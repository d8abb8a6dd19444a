"""Child processes that serve, and how a test talks to them and sees them end."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

ROOT = Path(__file__).parents[2]
FAKE = (sys.executable, "-m", "tests.e2e.fake_server")
REAL = (sys.executable, "-m", "lcg")
PATIENCE_S = 30.0


def environment(more: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Return this process's environment without what would configure the server, and with the sources on the path."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LCG_", "GRAPHITI_", "LIMINIS_", "ANTHROPIC_"))
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
        with server.process as process:
            process.kill()
        server._collector.join(PATIENCE_S)
