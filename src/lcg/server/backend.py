"""What the transports serve, put together lazily."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lcg.runtime.call import Service
from lcg.runtime import internal
from lcg.runtime.dispatch import Method
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
    from lcg.generated.dispatch import METHODS
    from lcg.generated.tool_specs import TOOL_SPECS

    return Backend(_open_service, traits_of(METHODS), TOOL_SPECS)


def traits_of(methods: Mapping[str, Method]) -> MethodTraits:
    """Return what a dispatch table says of its methods, and what holds for calls that are in none."""
    return MethodTraits(
        works_degraded=frozenset(name for name, method in methods.items() if method.works_degraded),
        reports_progress=internal.REPORTING | {name for name, method in methods.items() if method.progress},
    )


def _open_service(settings: Settings) -> Service:
    # Imported here, because it is heavy and its import must not delay help, usage errors or the socket.
    from lcg.server.app import open_service

    # A pass computes for minutes, and a search takes its turn at the interpreter many times: short turns keep it quick.
    sys.setswitchinterval(_TURN_SECONDS)
    service: Service = open_service(settings)
    return service
