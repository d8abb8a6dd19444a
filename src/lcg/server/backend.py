"""What the transports serve, put together lazily."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lcg.runtime import internal
from lcg.runtime.call import Service
from lcg.runtime.collection import paused_collection
from lcg.runtime.tool_spec import ToolSpec
from lcg.server.calls import MethodTraits
from lcg.settings import Settings

_TURN_SECONDS = 0.001
"""How long a thread that computes keeps the interpreter while others want it. Python's own 0.005 is for throughput."""


@dataclass(frozen=True, slots=True)
class Backend:
    """A service that is opened when it is time, and what transports must know of its methods.

    Attributes:
        open_service: returns at once; the service makes callers wait while it is starting.
        traits: which methods answer while the store is closed, which report progress.
        tools: the MCP tools, in the order of tools/list.
    """

    open_service: Callable[[Settings], Service]
    traits: MethodTraits
    tools: Sequence[ToolSpec]


def product() -> Backend:
    """Return the backend of the real program."""
    from lcg.generated.tool_specs import REPORTS_PROGRESS, TOOL_SPECS, WORKS_DEGRADED

    # The dispatch table says the same, but brings the parameters of all methods along.
    traits = MethodTraits(WORKS_DEGRADED, internal.REPORTING | REPORTS_PROGRESS)
    return Backend(_open_service, traits, TOOL_SPECS)


def _open_service(settings: Settings) -> Service:
    # Imported here, because it is heavy and its import must not delay help, usage errors or the socket.
    with paused_collection():  # a search for cycles finds none in what is being imported
        from lcg.server.app import open_service

    # A pass computes for minutes, and a search takes its turn at the interpreter many times: short turns keep it quick.
    sys.setswitchinterval(_TURN_SECONDS)
    service: Service = open_service(settings)
    return service
