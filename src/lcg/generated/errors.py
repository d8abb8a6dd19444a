# PLACEHOLDER with the final names; replaced by the generator.
from enum import IntEnum, StrEnum


class ErrorCode(IntEnum):
    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    OPERATION_FAILED = -32000
    UNAVAILABLE = -32001


class ErrorKind(StrEnum):
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    PRECONDITION = "precondition"
    UNAVAILABLE = "unavailable"
    UNCONFIGURED = "unconfigured"
    PROVIDER_FAILED = "provider_failed"
    CANCELLED = "cancelled"
    BUSY = "busy"
    GENERATION_UNKNOWN = "generation_unknown"
    LIMIT = "limit"
    IO = "io"
