"""Every error that a client can be told, in one place.

LcgError                     what all have: code, kind, message, data
├── InvalidParams            -32602  a parameter is missing, mistyped or out of its set
├── UnknownMethod            -32601  no such method, or none in this build
├── OperationFailed          -32000  the operation failed; `kind` says how
├── Unavailable              -32001  the store is not open
└── UnexpectedFailure        -32603  a fault of ours; the trace is in the service's log

Codes and kinds are facts of the registry (`lcg.generated.errors`).
"""

from collections.abc import Mapping
from typing import Any, Final

from lcg.generated.errors import ErrorCode, ErrorKind

NOTHING = "nothing"
NULL = "null"
_MOST_CHARS: Final = 10_000
_KEPT_CHARS: Final = 4_000
"""Of a longer text so much is kept of each end: what is wrong stands at the beginning, what to do at the end."""


class LcgError(Exception):
    """A failure with a code, a message that says what to do, and data for programs.

    Texts in both are cut when they are very long: they quote what callers sent, and are kept and told on.
    """

    code: int

    def __init__(self, message: str, data: Mapping[str, Any] | None = None) -> None:
        message = _cut(message)
        super().__init__(message)
        self.message = message
        self.data: dict[str, Any] = {key: _cut(value) for key, value in (data or {}).items()}


def _cut(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= _MOST_CHARS else f"{value[:_KEPT_CHARS]} … {value[-_KEPT_CHARS:]}"
    if isinstance(value, list):
        return [_cut(item) for item in value]
    if isinstance(value, dict):
        return {key: _cut(item) for key, item in value.items()}
    return value


class InvalidParams(LcgError):
    """A parameter that cannot be taken as it came. Nothing was changed.

    `expected` and `received` are noun phrases that fit into "expected ..., got ...". When `received` is NOTHING
    or NULL, the message says that the parameter is required.

    Args:
        tool: name of the method.
        parameter: name of the parameter, or the unknown name that came.
        expected: what would have been taken.
        received: what came, shortened (`lcg.runtime.show`).
        suggestion: the nearest legal name or word.
        sentence: what to say in place of "expected ..., got ...".
        advice: what to do, as a sentence of its own.
    """

    code = ErrorCode.INVALID_PARAMS

    def __init__(
        self,
        tool: str,
        parameter: str,
        expected: str,
        received: str,
        *,
        suggestion: str | None = None,
        sentence: str | None = None,
        advice: str = "",
    ) -> None:
        if sentence is None and received in (NOTHING, NULL):
            sentence = f"{parameter} is required ({expected}), {received} came"
        elif sentence is None:
            sentence = f"{parameter}: expected {expected}, got {received}"
        hint = f"Did you mean `{suggestion}`?" if suggestion else ""
        super().__init__(
            " ".join(part for part in (f"{tool}: {sentence}.", hint, advice) if part),
            {"tool": tool, "parameter": parameter, "expected": expected, "received": received},
        )
        if suggestion:
            self.data["suggestion"] = suggestion


class UnknownMethod(LcgError):
    """A method that does not exist, or that this build does not have."""

    code = ErrorCode.METHOD_NOT_FOUND


class OperationFailed(LcgError):
    """A well-formed call that could not be carried out."""

    code = ErrorCode.OPERATION_FAILED

    def __init__(self, kind: ErrorKind, message: str, **data: Any) -> None:
        super().__init__(message, {"kind": str(kind), **data})
        self.kind = kind


class Unavailable(LcgError):
    """The store is not open; only a recovery method helps."""

    code = ErrorCode.UNAVAILABLE

    def __init__(self, reason: str, recovery_available: list[str], **data: Any) -> None:
        super().__init__(
            "DB unavailable, recovery required",
            {
                "kind": str(ErrorKind.UNAVAILABLE),
                "reason": reason,
                "recovery_available": recovery_available,
                **data,
            },
        )


class UnexpectedFailure(LcgError):
    """A fault of ours. `ref` finds its trace in the service's log."""

    code = ErrorCode.INTERNAL_ERROR

    def __init__(self, ref: str) -> None:
        super().__init__(
            f"Unexpected failure; the details are in the service's log under {ref}. Nothing was acknowledged.",
            {"ref": ref},
        )
