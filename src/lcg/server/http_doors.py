"""The SDK's HTTP endpoints: one for each token, so that sessions and tools of one are nothing to another."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import ASGIApp

from lcg.server.framing import MAX_LINE_BYTES
from lcg.server.http_tokens import Token

MOST_SESSIONS: Final = 256
"""Sessions of one token at once. Clients of the newest revision have none."""
IDLE_SESSION_S: Final = 30 * 60.0
_LAST_WORDS_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The SDK's server for one token, and what ends the streams on which it tells of changes, in good order."""

    server: Server[Any]
    end_streams: Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Door:
    app: ASGIApp
    ready: asyncio.Event
    closing: asyncio.Event
    task: asyncio.Task[None]


class Doors:
    """Makes an endpoint when its token first comes, and ends it with all of its sessions when it is no longer known.

    Args:
        build: makes the endpoint with the tools that a token opens; None stands for no token.
    """

    def __init__(self, build: Callable[[Token | None], Endpoint]) -> None:
        self._build = build
        self._doors: dict[Token | None, _Door] = {}

    async def open(self, bearer: Token | None) -> ASGIApp:
        """Return the endpoint of a token."""
        door = self._doors.get(bearer)
        if door is None:
            # Before anything is waited for, so that whoever closes the doors knows of this one.
            door = self._doors[bearer] = self._make(bearer)
        await door.ready.wait()
        return door.app

    def keep(self, known: Iterable[Token]) -> None:
        """End the endpoints of tokens that are not among these."""
        for gone in self._doors.keys() - {None, *known}:
            self._doors.pop(gone).closing.set()

    async def close(self) -> None:
        """End all sessions."""
        doors = list(self._doors.values())
        self._doors.clear()
        for door in doors:
            door.closing.set()
        if doors:
            await asyncio.wait([door.task for door in doors], timeout=_LAST_WORDS_S)

    def _make(self, bearer: Token | None) -> _Door:
        endpoint = self._build(bearer)
        manager = StreamableHTTPSessionManager(
            endpoint.server,
            max_request_body_size=MAX_LINE_BYTES,  # ours is held before
            max_sessions=MOST_SESSIONS,
            session_idle_timeout=IDLE_SESSION_S,
        )
        ready, closing = asyncio.Event(), asyncio.Event()
        # A manager has to be left by the task that entered it.
        task = asyncio.create_task(_run(manager, endpoint, ready, closing))
        return _Door(manager.handle_request, ready, closing, task)


async def _run(
    manager: StreamableHTTPSessionManager, endpoint: Endpoint, ready: asyncio.Event, closing: asyncio.Event
) -> None:
    async with manager.run():
        ready.set()
        await closing.wait()
        endpoint.end_streams()
