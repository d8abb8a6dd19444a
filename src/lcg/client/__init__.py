"""The client of a running service, for programs: typed functions for every method, for threads and for event loops.

    from lcg.client import Client

    with Client() as graph:
        graph.knowledge_assert_entity("Priya Nair", labels=["Person"])

Importing it loads neither the engine nor the MCP SDK.
"""

from typing import TYPE_CHECKING, Any

from lcg.client.errors import (
    CallFailed,
    ClientError,
    InternalError,
    InvalidParams,
    MethodNotFound,
    OperationFailed,
    OutcomeUnknown,
    Unavailable,
    Unreachable,
)
from lcg.client.synchronous import Client
from lcg.runtime.call import ProgressFrame
from lcg.runtime.call_params import OnProgress

if TYPE_CHECKING:
    from lcg.client.asynchronous import AsyncClient

__all__ = [
    "AsyncClient",
    "CallFailed",
    "Client",
    "ClientError",
    "InternalError",
    "InvalidParams",
    "MethodNotFound",
    "OnProgress",
    "OperationFailed",
    "OutcomeUnknown",
    "ProgressFrame",
    "Unavailable",
    "Unreachable",
]


def __getattr__(name: str) -> Any:
    # Programs without an event loop need not wait for the import of one.
    if name == "AsyncClient":
        from lcg.client.asynchronous import AsyncClient

        return AsyncClient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
