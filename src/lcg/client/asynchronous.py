"""The client for an event loop."""

import asyncio
import os
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

from lcg.client.transport import DEFAULT_TIMEOUT_S, Transport
from lcg.generated.client import AsyncMethods
from lcg.runtime.call import ProgressFrame
from lcg.runtime.call_params import OnProgress
from lcg.server.connection_pool import MOST_CONNECTIONS


class AsyncClient(AsyncMethods):
    """Calls a running service from one event loop; up to eight calls run at once, more wait in line.

    A call that is cancelled, or runs into `asyncio.timeout`, is stopped in the service as well: what it committed
    stays. `close` hangs up; `knowledge_close` ends the service.

    Args:
        path: the socket of the service; without it LCG_SOCKET_PATH, else that of the workspace which the current
            directory is.
        timeout_s: seconds of silence, during a call, after which the service counts as lost. A call may take much
            longer, since a service that works on it says so every five seconds.
        start: whether a service is started, by the settings in the environment, when that workspace has none. It is
            there for all who come, and ends by itself once nobody has been connected for a while.

    Raises:
        ValueError: there is a path, and `start`.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        start: bool = False,
    ) -> None:
        self._transport = Transport(path, timeout_s, start)
        # One thread waits for each connection: the transport is the one that the other client has.
        self._threads = ThreadPoolExecutor(MOST_CONNECTIONS, thread_name_prefix="lcg-client")

    async def call(
        self, method: str, params: Mapping[str, Any] | None = None, on_progress: OnProgress | None = None
    ) -> dict[str, Any]:
        """Call a method by its name, with parameters as they are on the wire.

        `on_progress` is called in the event loop, before the call returns; it must not raise.

        Raises:
            ClientError: see `lcg.client.errors`.
        """
        loop = asyncio.get_running_loop()
        cancelled = threading.Event()

        def report(frame: ProgressFrame) -> None:
            if on_progress is not None and not cancelled.is_set():
                loop.call_soon_threadsafe(on_progress, frame)

        waiting = loop.run_in_executor(self._threads, self._transport.call, method, params, report, cancelled)
        try:
            return await asyncio.shield(waiting)
        except asyncio.CancelledError:
            cancelled.set()
            waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    async def close(self) -> None:
        """Hang up, once the calls under way have ended. Safe to call twice."""
        self._transport.close()
        await asyncio.to_thread(self._threads.shutdown)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
