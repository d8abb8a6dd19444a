"""The attached MCP process: every call goes to a service that is running already; no workspace is opened here."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.runtime.call import Call, ProgressFrame
from lcg.server.calls import MethodTraits
from lcg.server.connection_pool import ConnectionPool, Lease
from lcg.server.envelope import KEEP_ALIVE_PHASE
from lcg.server.mcp_process import HEAD_START_S, serve_client
from lcg.server.mcp_tools import Toolbox
from lcg.server.owner_dial import OwnerDial
from lcg.server.relay import Relay
from lcg.server.socket_client import BadAnswer, Broken, DialFailed, RemoteError, ServiceConnection, Silent
from lcg.settings import Settings

if TYPE_CHECKING:
    import asyncio

_UNKNOWN = "Whether the call took effect is unknown: look before you repeat it."


class AttachFailed(Exception):
    """There is no service to attach to; the message names the path and says what to do."""


def run_attached(settings: Settings, path: str, toolbox: Toolbox) -> None:
    """Serve the client at stdin and stdout by the service at `path` until the client goes or somebody asks to stop.

    Raises:
        AttachFailed: nobody serves at the path.
        OSError: there is no stdin or stdout.
    """
    service = AttachedService(path, settings.attached_call_timeout_ms)
    service.attach()
    serve_client(
        lambda: service, attached_traits(toolbox), toolbox, settings.shutdown_timeout_ms / 1000, begin=service.begin
    )


def run_with_owner(settings: Settings, arguments: Sequence[str], toolbox: Toolbox) -> None:
    """Serve as `run_attached`, by the owner of the workspace, which is started with `arguments` when there is none.

    Raises:
        AttachFailed: there is no owner and none can be started.
        OSError: there is no stdin or stdout.
    """
    dial = OwnerDial(settings, arguments)
    service = AttachedService(str(settings.socket_path), settings.attached_call_timeout_ms, dial)

    def attach() -> AttachedService:
        service.attach()
        return service

    # A start takes a while, so it goes on beside the first answers.
    serve_client(
        attach,
        attached_traits(toolbox),
        toolbox,
        settings.shutdown_timeout_ms / 1000,
        head_start_s=HEAD_START_S,
        begin=service.begin,
    )


def attached_traits(toolbox: Toolbox) -> MethodTraits:
    """Return what the transport must know of the methods of an attached process, which are the tools that it shows."""
    return MethodTraits(
        works_degraded=frozenset(spec.name for spec in toolbox.visible if spec.works_degraded),
        reports_progress=frozenset(spec.name for spec in toolbox.visible if spec.progress),
        ends_process=frozenset(),  # knowledge_close ends the service; this process stays
    )


class AttachedService:
    """Forwards calls to a running service. See `lcg.runtime.call.Service`.

    Parameters are not looked at: the service validates them.

    Args:
        path: the socket of the service, as it was given.
        timeout_ms: milliseconds of silence, during a call, after which the service counts as lost.
        dial: makes connections; without it, whoever listens at `path` is the service, and nobody is started.
    """

    def __init__(self, path: str, timeout_ms: int, dial: OwnerDial | None = None) -> None:
        self._path = path
        self._timeout_ms = timeout_ms
        self._starts = dial is not None
        self._pool = ConnectionPool(
            dial or (lambda cancelled: ServiceConnection.dial(path, timeout_ms / 1000, cancelled))
        )
        self._relay = Relay(self._pool, self._explain, timeout_ms / 1000)

    def attach(self) -> None:
        """Make the first connection, which the first call will use.

        Raises:
            AttachFailed: that is not possible.
        """
        try:
            with self._pool.lease(threading.Event()) as lease:
                lease.connection()
        except DialFailed as error:
            if self._starts:
                raise AttachFailed(f"cannot attach to the owner of this workspace: {error}") from error
            raise AttachFailed(
                f"cannot attach to {self._path}: {error}. Start a service in its workspace with `lcg`, "
                "or give the path of one that is running."
            ) from error

    def call(self, method: str, params: Mapping[str, Any] | None, call: Call) -> dict[str, Any]:
        """Run one method in the service. See `Service.call`.

        Raises:
            LcgError: what the service answered, or -32000 `unavailable` when it could not be asked.
        """
        with self._pool.lease(call.cancelled) as lease:
            try:
                connection, request_id = self._send(method, params or {}, call, lease)
                answer = connection.receive(request_id, _relay_to(call.report), call.cancelled)
            except (Silent, Broken, BadAnswer) as error:
                raise self._explain(error, method, lease.held) from None
        if isinstance(answer, RemoteError):
            raise answer
        return answer

    def begin(self, params: Mapping[str, Any], call: Call) -> "asyncio.Future[dict[str, Any]] | None":
        """Begin a call in the event loop, if it is a plain one; otherwise return None: then `call` does it in a thread.

        The future has the result or raises `LcgError`, as `call` does.
        """
        return self._relay.begin(params, call, _relay_to(call.report))

    def answers_at_once(self, method: str) -> bool:
        """Say no: every call goes to the service. See `Service.answers_at_once`."""
        return False

    def works_unasked(self) -> bool:
        """Say no: whatever goes on, the service does it. See `Service.works_unasked`."""
        return False

    def close(self) -> None:
        """Hang up. See `Service.close`."""
        self._pool.close()

    def _send(self, method: str, params: Mapping[str, Any], call: Call, lease: Lease) -> tuple[ServiceConnection, int]:
        # A request that could not be written whole was not run, so it can be sent again; once, over a new connection.
        try:
            connection = lease.connection()
            return connection, connection.send(method, params, call.cancelled)
        except DialFailed as error:
            raise self._unreachable(method, f"{error}") from None
        except Broken as error:
            first = error
        try:
            connection = lease.connection()
            return connection, connection.send(method, params, call.cancelled)
        except DialFailed as error:
            raise self._unreachable(
                method, f"the connection broke ({first}), and connecting again failed ({error})"
            ) from None
        except Broken as second:
            raise self._unavailable(
                f"{method} could not be sent to {self._service(lease.held)}: the first connection broke while the "
                f"request was written ({first}), and so did a new one ({second}). The call did not take effect; "
                "the next one connects again. Look at the log of the service."
            ) from None

    def _explain(self, error: Exception, method: str, connection: ServiceConnection | None) -> Exception:
        """Return what the client is told of an error that came once the request was sent."""
        if isinstance(error, Silent):
            return self._unavailable(
                f"{method} timed out: {self._service(connection)} was silent for {self._timeout_ms:,} ms "
                f"(LCG_ATTACHED_CALL_TIMEOUT_MS). {_UNKNOWN}"
            )
        if isinstance(error, Broken):
            return self._unavailable(
                f"{method}: connection lost mid-call: {self._service(connection)} closed it before it answered "
                f"({error}). {_UNKNOWN} The next call connects again."
            )
        if isinstance(error, BadAnswer):
            return OperationFailed(
                error.kind,
                f"{method}: {self._service(connection, 'what answers')} sent {error}, and was hung up on. {_UNKNOWN} "
                "Check that the path is the socket of a graph service of the same version.",
                socket=self._path,
            )
        return error

    def _service(self, connection: ServiceConnection | None, who: str = "the service") -> str:
        pid = connection.pid if connection is not None else None
        return f"{who} at {self._path}" + (f" (process {pid})" if pid else "")

    def _unreachable(self, method: str, why: str) -> OperationFailed:
        if self._starts:
            return self._unavailable(
                f"{method}: the owner of this workspace cannot be reached: {why}\n"
                "The call did not take effect. The next one tries again."
            )
        return self._unavailable(
            f"{method}: the service at {self._path} cannot be reached: {why}. The call did not take effect. Start "
            "the service again with `lcg` in its workspace; the next call connects to it."
        )

    def _unavailable(self, message: str) -> OperationFailed:
        return OperationFailed(ErrorKind.UNAVAILABLE, message, socket=self._path)


def _relay_to(report: Callable[[ProgressFrame], None] | None) -> Callable[[ProgressFrame], None]:
    def relay(frame: ProgressFrame) -> None:
        numbers = (frame.get("processed"), frame.get("total"))
        if report is not None and frame.get("phase") != KEEP_ALIVE_PHASE and all(map(_is_count, numbers)):
            report(frame)

    return relay


def _is_count(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
