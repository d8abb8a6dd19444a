"""The end of a service that was started for clients which are gone."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from lcg.server.lifecycle import Stop
from lcg.server.socket import SocketServer

_log = logging.getLogger(__name__)
_LOOK_S: Final = 5.0
_SHORTEST_LOOK_S: Final = 0.05


async def end_when_idle(server: SocketServer, is_busy: Callable[[], bool], idle_s: float, stop: Stop) -> None:
    """Ask to end once nobody has been connected for so many seconds and nothing is under way.

    Whoever connects at that very moment is served, and the wait begins anew.
    """
    while True:
        deserted_s = server.deserted_s
        if deserted_s >= idle_s and not is_busy() and await server.withdraw():
            _log.info("no client for %.0f s", deserted_s)
            stop.request("no client")
            return
        await asyncio.sleep(min(max(idle_s - deserted_s, _SHORTEST_LOOK_S), _LOOK_S))
