"""The Unix socket: binding it safely, and serving every client that connects."""

import asyncio
import contextlib
import errno
import os
import socket
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from lcg.server.calls import CallRunner
from lcg.server.connection import Connection
from lcg.server.holders import peer_pid

KEEP_ALIVE_S: Final = 5.0
"""Longest silence towards a client that asked for frames."""

_TICK_S: Final = 0.25
_TURNS_TO_CONNECT: Final = 4
"""Turns of the event loop after which whoever was accepted has a `Connection`, which can be closed in good order."""
_WITHDRAW_PAUSE_S: Final = 0.02
BACKLOG: Final = 4096
"""How many clients may wait to be accepted. One that comes later and does not wait itself is refused by the system."""
MAX_PATH_BYTES: Final = 107 if sys.platform == "linux" else 103


class BindError(Exception):
    """The socket cannot be had; the message says why and what to do."""


def bind_socket(path: Path) -> socket.socket:
    """Return a listening socket at `path`, for this user only from its first moment.

    Makes the parent directory. Removes a socket file that nobody serves any more, never one that is alive.

    Raises:
        BindError: the path is too long, taken by a live service or by something else, or not writable.
    """
    size = len(os.fsencode(path))
    if size > MAX_PATH_BYTES:
        raise BindError(
            f"the socket path has {size} bytes, a Unix socket takes at most {MAX_PATH_BYTES}: {path}. "
            "Set LCG_SOCKET_PATH to a shorter path (a relative one counts as it is written)."
        )
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_stale(path)
        old_umask = os.umask(0o177)
        try:
            server.bind(os.fspath(path))
        finally:
            os.umask(old_umask)
        server.listen(BACKLOG)
    except OSError as error:
        server.close()
        raise BindError(f"cannot bind the socket {path}: {error.strerror or error}. Check LCG_SOCKET_PATH.") from error
    except BindError:
        server.close()
        raise
    server.setblocking(False)
    return server


def _aside(path: Path) -> Path:
    return path.with_name(f"{path.name}.ending")


def _remove_stale(path: Path) -> None:
    _aside(path).unlink(missing_ok=True)
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise BindError(f"{path} exists and is no socket, so it is not removed. Move it away or set LCG_SOCKET_PATH.")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        outcome = probe.connect_ex(os.fspath(path))
        owner = peer_pid(probe) if outcome == 0 else None
    if outcome == errno.ECONNREFUSED:
        path.unlink(missing_ok=True)
    elif outcome != errno.ENOENT:
        who = f"process {owner}, a service that is running" if owner else "a service that is running"
        raise BindError(f"{path} belongs to {who}. Stop it, or set LCG_SOCKET_PATH to another path.")


async def stop_listening(server: asyncio.Server) -> None:
    """Accept nobody any more. Whoever was accepted has a connection then, which asyncio alone would leave to itself."""
    for listening in server.sockets:
        asyncio.get_running_loop().remove_reader(listening.fileno())
    for _ in range(_TURNS_TO_CONNECT):
        await asyncio.sleep(0)
    server.close()


class SocketServer:
    """Accepts clients on a bound socket and gives each a `Connection`.

    Args:
        runner: runs the calls.
        on_close: called when a client's knowledge_close was answered.
        keep_alive_s: longest silence in seconds towards a client that asked for frames.
    """

    def __init__(self, runner: CallRunner, on_close: Callable[[], None], *, keep_alive_s: float = KEEP_ALIVE_S) -> None:
        self.runner = runner
        # A frame may be late by one tick, so it is due one tick earlier.
        self._tick_s = min(_TICK_S, keep_alive_s / 4)
        self.keep_alive_s = keep_alive_s - self._tick_s
        self._on_close = on_close
        self._connections: set[Connection] = set()
        self._all_left = asyncio.Event()
        self._all_left.set()
        self._stopping = False
        self._deserted_since = time.monotonic()
        self._ticker: asyncio.TimerHandle | None = None
        self._server: asyncio.Server | None = None
        self._identity: tuple[Path, int] | None = None

    async def start(self, bound: socket.socket) -> None:
        """Begin to accept clients on a socket from `bind_socket`."""
        path = Path(bound.getsockname())
        self._identity = (path, path.lstat().st_ino)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_unix_server(lambda: Connection(self), sock=bound, backlog=BACKLOG)

    async def stop(self, timeout_s: float) -> None:
        """Accept nobody any more, answer what was already read, and close, within the time given.

        Halfway through that time, calls that still run are cancelled; at its end connections are cut.
        """
        self._stopping = True
        if self._server is not None:
            await stop_listening(self._server)
            self._unlink()
        for connection in list(self._connections):
            connection.finish()
        if not await self._left_within(timeout_s / 2):
            self.runner.cancel_all()
            await self._left_within(timeout_s / 2)
        for connection in list(self._connections):
            connection.abort()
        if self._ticker is not None:
            self._ticker.cancel()

    @property
    def deserted_s(self) -> float:
        """For how many seconds nobody has been connected; 0 while anybody is."""
        return 0.0 if self._connections else time.monotonic() - self._deserted_since

    async def withdraw(self) -> bool:
        """Take the socket out of sight, so that nobody can connect any more; False when somebody just did.

        Then it is put back. Whoever had connected is in line already and is accepted while this waits, so no call is
        lost: a client either is served, or finds no socket.
        """
        if self._identity is None:
            return not self._connections
        path, inode = self._identity
        aside = _aside(path)
        with contextlib.suppress(OSError):
            if path.lstat().st_ino == inode:
                path.replace(aside)
                self._identity = (aside, inode)
        for _ in range(_TURNS_TO_CONNECT):
            await asyncio.sleep(_WITHDRAW_PAUSE_S)
        if self._connections and self._identity[0] == aside:
            aside.replace(path)
            self._identity = (path, inode)
        return not self._connections

    async def _left_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._all_left.wait(), seconds)
        return self._all_left.is_set()

    def _unlink(self) -> None:
        # Only our own file: after a forced removal another service may have taken the path.
        if self._identity is not None:
            path, inode = self._identity
            with contextlib.suppress(OSError):
                if path.lstat().st_ino == inode:
                    path.unlink()

    # -- what connections call

    def joined(self, connection: Connection) -> None:
        """Note a new connection."""
        self._connections.add(connection)
        self._all_left.clear()
        if self._stopping:  # it was accepted already, but not yet made
            connection.finish()

    def left(self, connection: Connection) -> None:
        """Forget a connection that is closed."""
        self._connections.discard(connection)
        if not self._connections:
            self._deserted_since = time.monotonic()
            self._all_left.set()

    def watch(self) -> None:
        """See to it that connections are looked after while any call runs."""
        if self._ticker is None:
            self._ticker = asyncio.get_running_loop().call_later(self._tick_s, self._tick)

    def _tick(self) -> None:
        self._ticker = None
        busy = [connection for connection in self._connections if connection.is_busy]
        for connection in busy:
            connection.tick()
        if busy:
            self.watch()

    def close_requested(self) -> None:
        """Begin to stop: a client asked for it and was answered."""
        self._on_close()
