"""What a call of the client can end with instead of a result.

ClientError
├── Unreachable         nobody serves there; the call did not take effect
├── OutcomeUnknown      the service went away or fell silent after it had the call; look before you repeat it
└── CallFailed          the service answered with an error: `code`, `message`, `data`, `kind`
    ├── InvalidParams       -32602  a parameter is wrong; nothing was changed
    ├── MethodNotFound      -32601  the service has no such method
    ├── OperationFailed     -32000  it could not be carried out; `kind` says how
    ├── Unavailable         -32001  the store is not open; a recovery method helps
    └── InternalError       -32603  a fault of the service; its log has the details
"""

from collections.abc import Mapping
from typing import Any, Final

from lcg.generated.errors import ErrorCode


class ClientError(Exception):
    """What all have: a message that says what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Unreachable(ClientError):
    """The call could not be handed to a service and did not take effect. The next one connects anew."""


class OutcomeUnknown(ClientError):
    """The service had the call and did not answer. Whether it took effect is unknown. The next one connects anew."""


class CallFailed(ClientError):
    """The service answered with an error.

    Attributes:
        code: the number, one of `lcg.generated.errors.ErrorCode`.
        message: what went wrong and what to do, for people.
        data: what programs need to know of it.
    """

    def __init__(self, code: int, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.code = code
        self.data: dict[str, Any] = dict(data)

    @property
    def kind(self) -> str | None:
        """The stable word of a failed operation, one of `lcg.generated.errors.ErrorKind`, where there is one."""
        kind = self.data.get("kind")
        return kind if isinstance(kind, str) else None


class InvalidParams(CallFailed):
    """A parameter is missing, unknown, of the wrong type or outside its set."""


class MethodNotFound(CallFailed):
    """The service has no method of that name."""


class OperationFailed(CallFailed):
    """The call was sound and could not be carried out."""


class Unavailable(CallFailed):
    """The store is not open and will not open on its own."""


class InternalError(CallFailed):
    """A fault of the service."""


_CLASSES: Final[Mapping[int, type[CallFailed]]] = {
    ErrorCode.INVALID_PARAMS: InvalidParams,
    ErrorCode.METHOD_NOT_FOUND: MethodNotFound,
    ErrorCode.OPERATION_FAILED: OperationFailed,
    ErrorCode.UNAVAILABLE: Unavailable,
    ErrorCode.INTERNAL_ERROR: InternalError,
}


def failure(code: int, message: str, data: Mapping[str, Any]) -> CallFailed:
    """Return the exception of an error that a service answered with."""
    return _CLASSES.get(code, CallFailed)(code, message, data)
