"""Turns the progress frames of a call into MCP notifications: few, rising, the last one never lost."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Final

from lcg.runtime.call import ProgressFrame

INTERVAL_S: Final = 0.12
"""Pause between two notifications; with the last one, which waits for nothing, that is at most ten a second."""

Send = Callable[[float, float, str], Awaitable[None]]
"""Sends units done and units known so far, both over all phases, and a sentence."""


class ProgressRelay:
    """Takes frames from the thread that does the work and sends the newest one now and then."""

    def __init__(self, send: Send, *, interval_s: float = INTERVAL_S) -> None:
        self._send = send
        self._interval_s = interval_s
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()
        self._newest: tuple[float, float, str] | None = None
        self._phase = ""
        self._done_before = 0.0
        self._done = 0.0
        self._sent = -1.0
        self._wake = asyncio.Event()
        self._finished = asyncio.Event()
        self._task = self._loop.create_task(self._run())

    def report(self, frame: ProgressFrame) -> None:
        """Take a frame; any thread."""
        phase = str(frame.get("phase", ""))
        with self._lock:
            if phase != self._phase:
                self._phase, self._done_before, self._done = phase, self._done_before + self._done, 0.0
            self._done = max(self._done, float(frame.get("processed", 0)))
            total = float(frame.get("total", 0))
            progress = self._done_before + self._done
            known = max(self._done_before + total, progress)
            message = f"{phase}: {self._done:.0f} of {total:.0f}. {frame.get('message', '')}".strip()
            self._newest = (progress, known, message)
        try:
            self._loop.call_soon_threadsafe(self._wake.set)
        except RuntimeError:  # the loop is closed: nobody listens any more
            return

    async def finish(self) -> None:
        """Send what is left and end."""
        self._finished.set()
        self._wake.set()
        await self._task

    def abandon(self) -> None:
        """End without another word."""
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._send_newest()
            if self._finished.is_set():
                return
            try:
                await asyncio.wait_for(self._finished.wait(), self._interval_s)
            except TimeoutError:
                continue

    async def _send_newest(self) -> None:
        with self._lock:
            newest, self._newest = self._newest, None
        if newest is not None and newest[0] > self._sent:
            self._sent = newest[0]
            await self._send(*newest)
