"""MCP over HTTP as a part of the service, without importing anything heavy before it has to serve."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from lcg.generated.tool_specs import SCOPES
from lcg.http_settings import HttpSettings
from lcg.runtime.call import Service
from lcg.runtime.tool_spec import ToolSpec
from lcg.server.calls import CallRunner
from lcg.server.http_address import HttpAddress, Place, bind_http, bound_address, is_loopback, parse_address, resolve
from lcg.server.http_tokens import Token, TokenFile
from lcg.server.lifecycle import Stop, say
from lcg.server.mcp_tools import Toolbox
from lcg.settings import UsageError

if TYPE_CHECKING:
    from lcg.server.http_server import HttpServer
    from lcg.server.metrics import Metrics

_SERVER: Final = "lcg.server.http_server"
_LOOK_S: Final = 0.02


class HttpFront:
    """Everything that the service does for HTTP, in the order of the methods.

    Args:
        address: where to listen, as `HOST:PORT`.
        settings: limits and who may come in.
        tools: every tool of the registry.
        scopes: the scopes of the command line; a token opens at most these.
        profile: a named profile, or `all`.

    Attributes:
        address: where it listens; after `bind` with the real port.

    Raises:
        UsageError: the address is none, or others than this machine could call and there are no tokens.
    """

    def __init__(
        self, address: str, settings: HttpSettings, tools: Sequence[ToolSpec], scopes: Sequence[str], profile: str
    ) -> None:
        self.address = parse_address(address)
        self._place: Place = _checked(self.address, settings)
        self._settings = settings
        self._tools = tools
        self._scopes = tuple(scopes)
        self._profile = profile
        self._tokens = TokenFile(settings.tokens) if settings.tokens is not None else None
        self._bound: socket.socket | None = None
        self._metrics: Metrics | None = None
        self._server: HttpServer | None = None
        self._starting: asyncio.Task[None] | None = None
        # The SDK takes long to import, while the workspace is opened and the socket is served.
        self._importing = threading.Thread(target=_import, name="lcg-http", daemon=True)

    def bind(self) -> None:
        """Take the address.

        Raises:
            BindError: it cannot be had.
            UnusableTokens: the file of tokens cannot be used.
        """
        if self._tokens is not None:
            self._tokens.tokens()
        self._bound = bind_http(self._place, self.address.port)
        self.address = bound_address(self._bound)
        self._importing.start()
        say(f"listening on http://{self.address}/mcp")

    def measured(self, service: Service) -> Service:
        """Return the service as it is to be called, so that metrics know of all calls."""
        if not self._settings.metrics:
            return service
        from lcg.generated.dispatch import METHODS
        from lcg.server.metrics import Metrics

        self._metrics = Metrics(METHODS)
        return self._metrics.measure(service)

    def start(self, runner: CallRunner, stop: Stop) -> None:
        """Begin to answer as soon as it can be; who calls before waits."""
        self._starting = asyncio.create_task(self._start(runner, stop))

        def ended(starting: asyncio.Task[None]) -> None:
            if not starting.cancelled() and starting.exception() is not None:
                stop.request("HTTP cannot be served")

        self._starting.add_done_callback(ended)

    async def _start(self, runner: CallRunner, stop: Stop) -> None:
        assert self._bound is not None
        while self._importing.is_alive():
            await asyncio.sleep(_LOOK_S)
        self._server = import_module(_SERVER).HttpServer(
            self._toolbox,
            runner,
            stop,
            self.address,
            self._settings,
            self._tokens,
            self._metrics.render if self._metrics is not None else None,
        )
        self._server.start(self._bound)

    async def stop(self, timeout_s: float) -> None:
        """Answer what is due and end, within the time given."""
        if self._starting is not None:
            self._starting.cancel()
        if self._server is not None:
            await self._server.stop(timeout_s)
        elif self._bound is not None:
            self._bound.close()

    def raise_fault(self) -> None:
        """Raise what kept it from serving, if anything did."""
        if self._starting is not None and self._starting.done() and not self._starting.cancelled():
            self._starting.result()

    def _toolbox(self, bearer: Token | None) -> Toolbox:
        scopes = [scope for scope in SCOPES if scope in self._scopes and (bearer is None or scope in bearer.scopes)]
        return Toolbox(self._tools, scopes, self._profile, bearer=bearer.name if bearer else None)


def _import() -> None:
    with contextlib.suppress(Exception):  # whoever needs it imports it again and hears why it cannot be
        import_module(_SERVER)


def _checked(address: HttpAddress, settings: HttpSettings) -> Place:
    places = resolve(address)
    if settings.tokens is None and not is_loopback(places):
        raise UsageError(
            f"--http {address} can be reached from other machines, so it needs bearer tokens. Make one with "
            "`lcg token add NAME --scope LIST`, and name its file in LCG_HTTP_TOKENS; or listen on 127.0.0.1."
        )
    return places[0]
