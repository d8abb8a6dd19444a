"""Telling MCP clients that a resource has changed, in both protocol eras, wherever the change was made.

Somebody else may write to the graph: another client of the service, or of the one that this process is attached to. So
while anybody listens, the resources are looked at every few seconds, and at once after a write of one's own client.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection
from typing import Any, Final

import mcp_types as types
from mcp.server import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated

from lcg.errors import LcgError
from lcg.server.mcp_resources import Resources

log = logging.getLogger(__name__)

PERIOD_S: Final = 3.0
_LEAST_S: Final = 0.2
"""The shortest time between two looks, however much is written."""


class Updates:
    """Who wants to know of changes, and what the resources were like when they were looked at last.

    Args:
        resources: what is watched.
        period_s: seconds between two looks, while anybody listens.
    """

    def __init__(self, resources: Resources, period_s: float = PERIOD_S) -> None:
        self._resources = resources
        self._period_s = period_s
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        # Those of the newest one, by stream.
        self._streams: dict[object, frozenset[str]] = {}
        # Those of the older revisions, by connection: a session to send with, and the addresses.
        self._subscribers: dict[int, tuple[ServerSession, set[str]]] = {}
        self._known: dict[str, bytes] = {}
        self._written = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None

    # -- what clients ask

    async def listen(
        self, context: ServerRequestContext[Any, Any], params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Serve `subscriptions/listen`, the stream of the newest revision."""
        # What is not there never changes, and is no fault.
        uris = self._resources.changing & set(params.notifications.resource_subscriptions or ())
        await self._begin(uris)
        stream = object()
        self._streams[stream] = uris
        try:
            return await self._listening(context, params)
        finally:
            del self._streams[stream]

    async def subscribe(
        self, context: ServerRequestContext[Any, Any], params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Answer `resources/subscribe` of the older revisions.

        Raises:
            MCPError: there is no such resource.
        """
        uri = self._resources.find(str(params.uri)).uri
        await self._begin({uri} & self._resources.changing)
        key, forget = self._connection(context.session)
        if key not in self._subscribers:
            self._subscribers[key] = (context.session, set())
            forget(lambda: self._subscribers.pop(key, None))
        self._subscribers[key][1].add(uri)
        return types.EmptyResult()

    async def unsubscribe(
        self, context: ServerRequestContext[Any, Any], params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Answer `resources/unsubscribe` of the older revisions."""
        key, _ = self._connection(context.session)
        if key in self._subscribers:
            self._subscribers[key][1].discard(str(params.uri))
        return types.EmptyResult()

    # -- what the server says

    def note_write(self) -> None:
        """Look soon: a call of one's own client changed something."""
        self._written.set()

    def close(self) -> None:
        """End every stream, each with its answer, and look no more."""
        self._listening.close()
        self._subscribers.clear()
        if self._watching is not None:
            self._watching.cancel()

    # -- looking

    @property
    def wanted(self) -> frozenset[str]:
        """The addresses that anybody wants to hear of."""
        subscribed = (uris for _, uris in self._subscribers.values())
        return frozenset().union(*self._streams.values(), *subscribed) & self._resources.changing

    async def _begin(self, uris: Collection[str]) -> None:
        """Look once at what nobody has watched so far, so that every change from now on shows, and go on looking."""
        if not self._is_watching:
            self._known.clear()
        with contextlib.suppress(LcgError):
            self._known |= await self._resources.states(set(uris) - self._known.keys())
        # Somebody else may have begun meanwhile.
        if uris and not self._is_watching:
            self._watching = asyncio.create_task(self._watch())

    @property
    def _is_watching(self) -> bool:
        return self._watching is not None and not self._watching.done()

    async def _watch(self) -> None:
        # The first look is later than the subscription that began this, so nobody is missed.
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._written.wait(), self._period_s)
            self._written.clear()
            if not self.wanted:
                return
            try:
                await self._look()
            except LcgError as error:
                # The service is away or is starting. What changed meanwhile shows at a later look.
                log.debug("resources could not be looked at: %s", error)
            except Exception:
                log.exception("looking at the resources failed")
            await asyncio.sleep(_LEAST_S)

    async def _look(self) -> None:
        states = await self._resources.states(self.wanted)
        changed = [uri for uri, state in states.items() if self._known.get(uri) != state]
        self._known = states
        for uri in changed:
            await self._bus.publish(ResourceUpdated(uri))
            for key, (session, uris) in list(self._subscribers.items()):
                if uri not in uris:
                    continue
                try:
                    await session.send_resource_updated(uri)
                except Exception:  # whatever the SDK raises for a connection that breaks just now
                    self._subscribers.pop(key, None)

    @staticmethod
    def _connection(session: ServerSession) -> tuple[int, Callable[[Callable[[], object]], object]]:
        """Return what tells one connection from another, and how to be called when it ends."""
        # A session is made anew for every request, and only its connection lives on; it is private in this version.
        connection = session._connection
        return id(connection), connection.exit_stack.callback
