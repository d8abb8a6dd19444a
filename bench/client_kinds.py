"""The ways in which a program can write into a graph, for `bench.clients`: one class for each kind of client.

Run as `python -m bench.client_kinds KIND MARK COUNT [HOST:PORT]` in a workspace, this process is one such client. It
says `ready`, waits for a line, asserts COUNT entities named `MARK 0`, `MARK 1` and so on, one after another, and prints
the name of each one that was acknowledged. An entity whose call fails is asserted again until it is acknowledged.
"""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, Final, Protocol

METHOD: Final = "knowledge_assert_entity"
SOCKET: Final = ".lcg/service.sock"
REVISION: Final = "2025-11-25"
HELLO: Final = {
    "protocolVersion": REVISION,
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
PATIENCE_S: Final = 120.0
"""How long a client goes on asking for one entity."""

_PAUSE_S: Final = 0.1


class NotAcknowledged(Exception):
    """The call failed; what it did is unknown."""


class Client(Protocol):
    """What asserts entities, one call after another."""

    def write(self, name: str) -> None:
        """Assert one entity.

        Raises:
            NotAcknowledged: it failed.
        """
        ...

    def close(self) -> None:
        """Leave."""
        ...


class Attached:
    """An MCP client: over stdin and stdout of a process that attaches to the owner, or starts one."""

    def __init__(self, _: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "lcg", "--mcp-stdio", "--connect", "auto"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        self._ask("initialize", HELLO)
        self._send({"method": "notifications/initialized"})

    def write(self, name: str) -> None:
        """Assert one entity. See `Client.write`."""
        result = self._ask("tools/call", {"name": METHOD, "arguments": {"name": name}})
        if result["isError"]:
            raise NotAcknowledged(result["content"][0]["text"])

    def close(self) -> None:
        """Leave. See `Client.close`."""
        self._input.close()
        self._process.wait()
        self._output.close()

    def _ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self._send({"id": 1, "method": method, "params": params})
        return json.loads(self._output.readline())["result"]

    def _send(self, message: Mapping[str, Any]) -> None:
        self._input.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._input.flush()


class Direct:
    """A program on the socket of the service, which dials again after each failure."""

    def __init__(self, _: str) -> None:
        self._socket: socket.socket | None = None
        self._lines: IO[bytes] | None = None

    def write(self, name: str) -> None:
        """Assert one entity. See `Client.write`."""
        request = {"jsonrpc": "2.0", "id": 1, "method": METHOD, "params": {"name": name}}
        try:
            connected, lines = self._connection()
            connected.sendall(json.dumps(request).encode() + b"\n")
            line = lines.readline()
        except OSError as error:
            self.close()
            raise NotAcknowledged(str(error)) from error
        if not line.endswith(b"\n"):
            self.close()
            raise NotAcknowledged("the connection ended")
        answer = json.loads(line)
        if "error" in answer:
            raise NotAcknowledged(answer["error"]["message"])

    def close(self) -> None:
        """Leave. See `Client.close`."""
        if self._lines is not None:
            self._lines.close()
        if self._socket is not None:
            self._socket.close()
        self._socket = self._lines = None

    def _connection(self) -> tuple[socket.socket, IO[bytes]]:
        if self._socket is None or self._lines is None:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._socket.connect(SOCKET)
            self._lines = self._socket.makefile("rb")
        return self._socket, self._lines


class Http:
    """An MCP client over HTTP, in a session of the revisions that have sessions."""

    def __init__(self, address: str) -> None:
        self._connection = HTTPConnection(address, timeout=PATIENCE_S)
        self._headers = {
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
            "mcp-protocol-version": REVISION,
        }
        answer = self._post({"id": 1, "method": "initialize", "params": HELLO})
        self._headers["mcp-session-id"] = answer.headers["mcp-session-id"]
        answer.read()
        self._post({"method": "notifications/initialized"}).read()

    def write(self, name: str) -> None:
        """Assert one entity. See `Client.write`."""
        params = {"name": METHOD, "arguments": {"name": name}}
        try:
            text = self._post({"id": 1, "method": "tools/call", "params": params}).read().decode()
        except (OSError, HTTPException) as error:
            self.close()
            raise NotAcknowledged(str(error)) from error
        # An answer is one JSON text, or the last event of a stream.
        answer = json.loads(text if text.startswith("{") else text[text.rindex("data:") + 5 :])
        if "error" in answer or answer["result"]["isError"]:
            raise NotAcknowledged(text)

    def close(self) -> None:
        """Leave. See `Client.close`."""
        self._connection.close()

    def _post(self, message: Mapping[str, Any]) -> HTTPResponse:
        self._connection.request("POST", "/mcp", json.dumps({"jsonrpc": "2.0", **message}), self._headers)
        return self._connection.getresponse()


KINDS: Final[Mapping[str, Callable[[str], Client]]] = MappingProxyType(
    {"attached": Attached, "socket": Direct, "http": Http}
)
"""What can be measured; a new way into the graph is one more entry. Each is given the address of HTTP, if any."""


def serve(kind: str, mark: str, count: int, address: str) -> None:
    """Be one client."""
    client = KINDS[kind](address)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(count):
        name = f"{mark} {number}"
        _insist(client, name)
        print(name, flush=True)
    client.close()


def _insist(client: Client, name: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            client.write(name)
        except NotAcknowledged as failure:
            if time.monotonic() >= end:
                raise SystemExit(f"{name} is not acknowledged after {PATIENCE_S:g} s: {failure}") from failure
            time.sleep(_PAUSE_S)
        else:
            return


def everything_in(workspace: Path) -> set[str]:
    """Return the names of all entities of a workspace that has a service."""
    names: set[str] = set()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connected:
        connected.connect(str(workspace / SOCKET))
        with connected.makefile("rb") as lines:
            while True:
                params = {"num_results": 1000, "offset": len(names)}
                request = {"jsonrpc": "2.0", "id": 1, "method": "knowledge_list_entities", "params": params}
                connected.sendall(json.dumps(request).encode() + b"\n")
                result = json.loads(lines.readline())["result"]
                names |= {node["name"] for node in result["nodes"]}
                if not result["has_more"]:
                    return names


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "")
