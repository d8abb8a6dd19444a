"""Calls of an attached process that need no thread: a request out, its answer in, both in the event loop.

Only what is plain goes this way: a connection stands ready and takes the whole request at once. Whatever else there is
to do, dialling, sending anew, writing what is long, is left to a thread, which may wait.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lcg.runtime.call import Call, ProgressFrame
from lcg.server.connection_pool import ConnectionPool
from lcg.server.socket_client import RemoteError, ServiceConnection, Silent, gave_up

_LOOK_S: Final = 0.05
"""How often calls that run are looked at: whether they were given up, and whether the service is silent."""

Explain = Callable[[Exception, str, ServiceConnection], Exception]
"""Turns what went wrong with a method, over this connection, into what the client is told."""


@dataclass(slots=True)
class _Running:
    connection: ServiceConnection
    request_id: int
    call: Call
    on_frame: Callable[[ProgressFrame], None]
    done: "asyncio.Future[dict[str, Any]]"
    silent_at: float


class Relay:
    """Carries calls over the idle connections of a pool. For one event loop.

    Args:
        pool: lends the connections.
        explain: says what went wrong.
        idle_s: seconds without any byte after which the service counts as silent.
    """

    def __init__(self, pool: ConnectionPool, explain: Explain, idle_s: float) -> None:
        self._pool = pool
        self._explain = explain
        self._idle_s = idle_s
        self._running: dict[int, _Running] = {}  # by descriptor
        self._ticker: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(
        self, params: Mapping[str, Any], call: Call, on_frame: Callable[[ProgressFrame], None]
    ) -> "asyncio.Future[dict[str, Any]] | None":
        """Send a request; the future has the result, or raises `LcgError`. None: nothing was sent, a thread has to.

        A call that is given up (`call.cancelled`) ends at the next look, with its connection.
        """
        connection = self._pool.take_idle()
        if connection is None:
            return None
        request_id = None
        try:
            request_id = connection.send_at_once(call.method, params)
        finally:
            if request_id is None:
                self._pool.give_back(connection)
        if request_id is None:
            return None
        # Asked once: that costs a system call.
        loop = self._loop = self._loop or asyncio.get_running_loop()
        descriptor = connection.fileno()
        done: asyncio.Future[dict[str, Any]] = loop.create_future()
        self._running[descriptor] = _Running(
            connection, request_id, call, on_frame, done, time.monotonic() + self._idle_s
        )
        loop.add_reader(descriptor, self._read, descriptor)
        if self._ticker is None:
            self._ticker = loop.call_later(_LOOK_S, self._look)
        return done

    def _read(self, descriptor: int) -> None:
        running = self._running[descriptor]
        try:
            answer = running.connection.receive_at_once(running.request_id, running.on_frame)
        except Exception as error:
            self._end(descriptor, self._explain(error, running.call.method, running.connection))
            return
        if answer is None:
            running.silent_at = time.monotonic() + self._idle_s
        else:
            self._end(descriptor, answer)

    def _look(self) -> None:
        self._ticker = None
        now = time.monotonic()
        for descriptor, running in list(self._running.items()):
            if running.call.cancelled.is_set():
                self._end(descriptor, gave_up())
            elif now >= running.silent_at:
                self._end(descriptor, self._explain(Silent(), running.call.method, running.connection))
        if self._running:
            self._ticker = asyncio.get_running_loop().call_later(_LOOK_S, self._look)

    def _end(self, descriptor: int, outcome: dict[str, Any] | Exception) -> None:
        running = self._running.pop(descriptor)
        # Before it is closed: the number may be somebody else's a moment later.
        assert self._loop is not None
        self._loop.remove_reader(descriptor)
        if isinstance(outcome, Exception) and not isinstance(outcome, RemoteError):
            running.connection.close()
        self._pool.give_back(running.connection)
        if running.done.done():  # whoever waited gave it up
            return
        if isinstance(outcome, Exception):
            running.done.set_exception(outcome)
        else:
            running.done.set_result(outcome)
