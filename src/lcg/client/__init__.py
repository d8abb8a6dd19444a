"""The client of a running service, for programs: typed functions for every method, for threads and for event loops.

    from lcg.client import Client

    with Client() as graph:
        graph.knowledge_assert_entity("Priya Nair", labels=["Person"])

Importing it loads neither the engine nor the MCP SDK.
"""

from lcg.client.asynchronous import AsyncClient
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
