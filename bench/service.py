"""Our service as a process of its own over a workspace, and how a scenario talks to it and watches it."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from bench.scenario import Memory
from lcg.server.lock import last_owner

PROGRAM: Final = (sys.executable, "-m", "lcg")
SOCKET: Final = ".lcg/service.sock"
LOCK: Final = ".lcg/lock"
REVISION: Final = "2025-11-25"
HELLO: Final = {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
_PATIENCE_S: Final = 900.0
"""A workspace that is rebuilt takes minutes until it answers."""


def environment(more: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Return this process's environment without what would configure a server, and with the sources on the path."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LCG_", "ANTHROPIC_"))}
    project = Path(__file__).parents[1]
    paths = os.pathsep.join((str(project), str(project / "src")))
    return kept | {"PYTHONPATH": paths, "LCG_TELEMETRY": "0"} | dict(more)


class Refused(Exception):
    """A call was answered with an error."""


class SocketClient:
    """One connection to the socket of a service. For one thread."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(_PATIENCE_S)
        try:
            self._socket.connect(str(path))
        except OSError:
            self._socket.close()
            raise
        self._lines = self._socket.makefile("rb")

    def ask(self, request: bytes) -> bytes:
        """Send a line that is ready, and return the line that answers it."""
        self._socket.sendall(request)
        return self._lines.readline()

    def call(self, method: str, /, **params: Any) -> Any:
        """Call a method and return its result. Raises Refused."""
        answer = json.loads(self.ask(request_line(method, params)))
        if "error" in answer:
            raise Refused(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self._socket.close()


class StdioClient:
    """An MCP client of a server on stdin and stdout that is started here. For one thread."""

    def __init__(self, command: Sequence[str], workspace: Path, env: Mapping[str, str] | None = None) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self.process = subprocess.Popen(
            command,
            cwd=workspace,
            env=dict(env) if env is not None else environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self._input, self._output = self.process.stdin, self.process.stdout

    def initialize(self) -> None:
        """Shake hands."""
        self.request("initialize", HELLO)
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def request(self, method: str, params: Any = None) -> Any:
        """Make a request and return its result. Raises Refused."""
        answer = json.loads(self.ask(request_line(method, {} if params is None else params)))
        if "error" in answer:
            raise Refused(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def tool(self, name: str, /, **arguments: Any) -> Any:
        """Call a tool and return its result. Raises Refused."""
        result = self.request("tools/call", {"name": name, "arguments": arguments})
        if result.get("isError"):
            raise Refused(f"{name}: {result['content'][0]['text'][:300]}")
        return result

    def ask(self, request: bytes) -> bytes:
        """Send a line that is ready, and return the line that answers it."""
        self.send(request)
        return self.next_answer()

    def send(self, lines: bytes) -> None:
        """Send lines that are ready."""
        self._input.write(lines)
        self._input.flush()

    def next_answer(self) -> bytes:
        """Return the next line that answers something; notifications are passed over."""
        while line := self._output.readline():
            if b'"id"' in line:
                return line
        self._errors.seek(0)
        raise ConnectionError(f"the server ended before it answered: {self._errors.read()[-2000:].decode()}")

    def close(self) -> None:
        """End the input, and wait until the server has ended; one that does not is killed."""
        self._input.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._output.close()
        self._errors.close()


def request_line(method: str, params: Mapping[str, Any], id: int = 1) -> bytes:
    """Return a JSON-RPC request as a line."""
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"


class Service:
    """The socket service of a workspace, in a process of its own."""

    def __init__(self, workspace: Path, arguments: Sequence[str], env: Mapping[str, str]) -> None:
        self.workspace = workspace
        self.path = workspace / SOCKET
        with (workspace / "errors.txt").open("ab") as errors:
            self.process = subprocess.Popen(
                (*PROGRAM, *arguments), cwd=workspace, env=environment(env), stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=errors,
            )  # fmt: skip

    def client(self) -> SocketClient:
        """Connect, as soon as the service listens."""
        end = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return SocketClient(self.path)
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError((self.workspace / "errors.txt").read_text()[-2000:]) from None
                time.sleep(0.005)

    def wait_until_healthy(self) -> None:
        """Wait until the store is open."""
        client = self.client()
        while client.call("health_check")["state"] == "starting":
            time.sleep(0.02)
        client.close()

    def wait_until_idle(self) -> None:
        """Wait until the log is taken in, every text has its vector, and nothing is computed any more."""
        client = self.client()
        while client.call("knowledge_status").get("embedding", {}).get("rows_without_vector") != 0:
            time.sleep(0.5)
        client.close()
        used = -1.0
        while (now := cpu_seconds(self.process.pid)) > used + 0.05:
            used = now
            time.sleep(1)

    def end(self) -> None:
        """Ask it to end and wait."""
        self.process.terminate()
        self.process.wait()

    def kill(self) -> None:
        """Kill it at once."""
        self.process.kill()
        self.process.wait()


@contextmanager
def serving(
    workspace: Path,
    *,
    arguments: Sequence[str] = ("--extractor", "builtin"),
    env: Mapping[str, str] = MappingProxyType({}),
    idle: bool = True,
) -> Iterator[Service]:
    """Serve a workspace until the end of a `with` block: when it is healthy and, with `idle`, at rest.

    The workspace is served as users have it: everything is in its `.lcg/`.
    """
    service = Service(workspace, arguments, env)
    try:
        service.wait_until_healthy()
        if idle:
            service.wait_until_idle()
        yield service
    finally:
        service.end()


def end_owner(workspace: Path) -> None:
    """End the service of a workspace that somebody else has started, if there is one, and wait until it is gone."""
    owner = last_owner(workspace / LOCK)
    if owner is None:
        return
    try:
        watched = os.pidfd_open(owner.pid)
    except ProcessLookupError:
        return
    try:
        signal.pidfd_send_signal(watched, signal.SIGTERM)
        _wait_for(watched)
    except ProcessLookupError:
        pass
    finally:
        os.close(watched)


def _wait_for(watched: int) -> None:
    import select

    if not select.select([watched], [], [], 30)[0]:
        signal.pidfd_send_signal(watched, signal.SIGKILL)


def cpu_seconds(pid: int) -> float:
    """Return how long a process has computed, in seconds. On Linux."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(pid: int, process: str) -> Memory:
    """Return what a process has in memory now. On Linux."""
    kilobytes = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, value, *_ = line.split()
        kilobytes[name.rstrip(":")] = int(value)
    return Memory(process, kilobytes["Anonymous"] * 1024 / 1e6, kilobytes["Rss"] * 1024 / 1e6)


def disk_mb(folder: Path) -> float:
    """Return what the files below a folder take on the disk, in megabytes."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file()) / 1e6
