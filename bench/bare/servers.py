"""Starts the bare servers, for scenarios."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from bench.service import PROGRAM, SocketClient, StdioClient, environment

HERE: Final = Path(__file__).parent
_PATIENCE_S: Final = 60.0


def our_tools(folder: Path) -> Path:
    """Ask our own server for its tools, started in an empty folder, and keep them in a file there for a bare one."""
    client = StdioClient((*PROGRAM, "--mcp-stdio"), folder)
    try:
        client.initialize()
        path = folder / "tools.json"
        path.write_text(json.dumps(client.request("tools/list")["tools"]), encoding="utf-8")
        return path
    finally:
        client.close()


def mcp_command(tools: Path, *arguments: str) -> Sequence[str]:
    """Return the command that starts the SDK's server with these tools."""
    return (sys.executable, "-P", str(HERE / "mcp_server.py"), str(tools), *arguments)


@contextmanager
def mcp_over_http(tools: Path) -> Iterator[str]:
    """Serve HTTP with the SDK's server until the end of a `with` block; give host and port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with _running(mcp_command(tools, str(port))):
        _wait(lambda: socket.create_connection(("127.0.0.1", port)).close())
        yield f"127.0.0.1:{port}"


@contextmanager
def echo(path: Path, result: Any) -> Iterator[SocketClient]:
    """Serve the echo on a socket until the end of a `with` block; give a client of it."""
    with _running((sys.executable, "-P", str(HERE / "echo.py"), str(path), json.dumps(result))):
        _wait(lambda: SocketClient(path).close())
        client = SocketClient(path)
        try:
            yield client
        finally:
            client.close()


@contextmanager
def _running(command: Sequence[str]) -> Iterator[None]:
    process = subprocess.Popen(command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def _wait(attempt: Any) -> None:
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            attempt()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return
