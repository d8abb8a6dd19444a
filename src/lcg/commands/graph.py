"""How the sub-commands for people get at the graph: the service of the workspace if one runs, else one of their own."""

import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from lcg.client import CallFailed, Client, ClientError, Unreachable
from lcg.client.errors import failure
from lcg.commands.common import take_workspace
from lcg.errors import LcgError
from lcg.generated.client import Methods
from lcg.runtime.call import Call, Service
from lcg.runtime.call_params import OnProgress
from lcg.server.lock import Ownership, WorkspaceOwned, last_owner
from lcg.settings import LOCK_PATH, Settings, read_attached_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    Sharing = Callable[[Service, Settings, Ownership], AbstractContextManager[None]]

_PATIENCE_S: Final = 30.0
"""How long another sub-command may keep the workspace before this one gives up."""
_LOOK_S: Final = 0.05


@contextmanager
def open_graph(settings: Settings, sharing: "Sharing | None" = None, *, makes: bool = False) -> Iterator[Methods]:
    """Give every method of the graph, for as long as the block runs.

    A service that runs does the work. Without one the workspace is opened here, and `sharing` may let others in. With
    `makes` it is brought to the present layout first, or made when it is missing.

    Raises:
        WorkspaceOwned, LockFailed: neither is possible; the message says who has the workspace.
    """
    client, ownership = _reach_or_take(settings, makes=makes)
    if client is not None:
        with client:
            yield client
        return
    assert ownership is not None
    try:
        with _opened(settings, ownership, sharing) as graph:
            yield graph
    finally:
        ownership.release()


def running_service(settings: Settings) -> Client | None:
    """Return a client of the process that owns the workspace, or None when nobody listens."""
    owner = last_owner(LOCK_PATH)
    if owner is None:
        return None
    timeout_s = read_attached_settings().attached_call_timeout_ms / 1000
    for path in dict.fromkeys((owner.socket or str(settings.socket_path), str(settings.socket_path))):
        client = Client(path, timeout_s=timeout_s)
        # A path outside of the workspace can be shared by mistake; calls must not go to another graph.
        if _pid_of(client) == owner.pid:
            return client
        client.close()
    return None


def _pid_of(client: Client) -> int | None:
    try:
        return client.health_check()["pid"]
    except CallFailed:
        return client.knowledge_status()["pid"]
    except Unreachable:
        return None
    except ClientError:
        client.close()
        raise


def _reach_or_take(settings: Settings, *, makes: bool) -> tuple[Client | None, Ownership | None]:
    end = time.monotonic() + _PATIENCE_S
    while True:
        client = running_service(settings)
        if client is not None:
            return client, None
        try:
            return None, _make_workspace(settings) if makes else take_workspace(settings, "command")
        except WorkspaceOwned:
            # It may be one that starts and will listen, or another sub-command that ends soon.
            if time.monotonic() >= end:
                raise
        time.sleep(_LOOK_S)


def _make_workspace(settings: Settings) -> Ownership:
    """Own a workspace that may have to be made, or brought to the present layout."""
    # Not needed by those that only read, which are to begin at once.
    from lcg.server.migration import migrate_before_bind

    ownership = Ownership.acquire(settings, "command")
    try:
        migrate_before_bind(replace(settings, telemetry=False))
        ownership.take_logs(settings)
    except BaseException:
        ownership.release()
        raise
    return ownership


@contextmanager
def _opened(settings: Settings, ownership: Ownership, sharing: "Sharing | None") -> Iterator[Methods]:
    # It is heavy, and not needed where a service runs.
    from lcg.server.app import open_service

    # Here stderr is a person's, not that of somebody who watches a service.
    service: Service = open_service(replace(settings, telemetry=False))
    try:
        with OwnGraph(service) as graph:
            # Unlike the others this waits for the end of a start.
            _wait_for_start(graph)
            if sharing is None:
                yield graph
            else:
                with sharing(service, settings, ownership):
                    yield graph
    finally:
        service.close()


def _wait_for_start(graph: Methods) -> None:
    while graph.health_check()["state"] == "starting":
        time.sleep(_LOOK_S / 5)


class OwnGraph(Methods):
    """The methods of a service in this process, failing as those of a client do.

    A call runs in a thread of its own, so that an interrupt reaches it as a wish to stop, never in the middle.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="call")

    def call(
        self, method: str, params: Mapping[str, Any] | None = None, on_progress: OnProgress | None = None
    ) -> dict[str, Any]:
        """Call a method by its name, with parameters as they are on the wire.

        Raises:
            CallFailed: as a service would answer.
        """
        cancelled = threading.Event()
        call = Call(method, on_progress, cancelled)
        running = self._thread.submit(self._service.call, method, params, call)
        try:
            return running.result()
        except LcgError as error:
            raise failure(error.code, error.message, error.data) from None
        except KeyboardInterrupt:
            cancelled.set()
            running.exception()
            raise

    def __enter__(self) -> "OwnGraph":
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown()
