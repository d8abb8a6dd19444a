"""JSON-RPC 2.0 envelopes: one line becomes a request, a result or an error becomes one line."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from lcg.errors import LcgError, OperationFailed
from lcg.generated.errors import ErrorCode, ErrorKind
from lcg.server.framing import MAX_LINE_BYTES

TOKEN_PARAM: Final = "_progress_token"
"""The parameter of any method over the socket that asks for frames."""
KEEP_ALIVE_PHASE: Final = "working"
"""The phase of frames that only say that a call is still running; no method has a phase of this name."""

MAX_DEPTH: Final = 238
"""Deepest nesting of a request. The encoder ends at 254 levels, and log records and answers wrap what came in."""
_WRAPPING: Final = 16
_NESTED: Final = f"Parse error: nested deeper than {MAX_DEPTH} levels; send a flatter value."
_TOO_DEEP: Final = ("depth limit exceeded", "failed to allocate memory")
"""What the reader says of very many open brackets, the second when they are never closed."""

RequestId = str | int | float | None
_PLAIN_IDS: Final = frozenset({int, str})


@dataclass(slots=True)  # not frozen, which would make it three times as slow to make
class Request:
    """A well-formed message. A notification has no id at all, which differs from the id null."""

    method: str
    params: dict[str, Any]
    id: RequestId = None
    is_notification: bool = False


class ParseError(LcgError):
    """A line that is not one readable JSON value."""

    code = ErrorCode.PARSE_ERROR


class InvalidRequest(LcgError):
    """Readable JSON that is no JSON-RPC 2.0 request; `id` is what the answer echoes."""

    code = ErrorCode.INVALID_REQUEST

    def __init__(self, message: str, id: RequestId = None) -> None:
        super().__init__(message)
        self.id = id


def read_json(line: bytes) -> Any:
    """Read one JSON value strictly: UTF-8, no NaN or Infinity, no number beyond double range, no lone surrogate.

    Of duplicate keys the last wins.

    Raises:
        ParseError: with a message that starts `Parse error: `.
    """
    # Most lines are too short to be deep.
    is_deep = len(line) > MAX_DEPTH and line.count(b"[") + line.count(b"{") > MAX_DEPTH
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        if is_deep and str(error).startswith(_TOO_DEEP):
            raise ParseError(_NESTED) from None
        raise ParseError(
            f"Parse error: the line is not one JSON value in UTF-8 ({error}). Send one JSON object per line."
        ) from None
    if is_deep and not _can_be_written_back(value):
        raise ParseError(_NESTED)
    return value


def _can_be_written_back(value: Any) -> bool:
    for _ in range(_WRAPPING):
        value = [value]
    try:
        orjson.dumps(value)
    except orjson.JSONEncodeError:
        return False
    return True


def parse_request(line: bytes) -> Request:
    """Read one line as a JSON-RPC 2.0 request or notification.

    Raises:
        ParseError: the line is no JSON.
        InvalidRequest: it is JSON, but no request; the message names the member that is wrong.
    """
    value = read_json(line)
    # What nearly every request looks like; everything else, right or wrong, is looked at closely.
    if type(value) is dict and value.get("jsonrpc") == "2.0":
        id, method, params = value.get("id"), value.get("method"), value.get("params")
        if type(id) in _PLAIN_IDS and type(method) is str and type(params) is dict:
            return Request(method, params, id)
    return check_request(value, line)


def check_request(value: Any, line: bytes) -> Request:
    """Take a value that was read from a line as a request or notification.

    Raises:
        InvalidRequest: it is none; the message names the member that is wrong.
    """
    if isinstance(value, list):
        raise InvalidRequest("Invalid request: batches are not supported; send one request per line.")
    if not isinstance(value, dict):
        raise InvalidRequest(f"Invalid request: a request must be a JSON object; got {describe(value)}.")
    request_id = value.get("id")
    if isinstance(request_id, bool | list | dict):
        raise InvalidRequest(f"Invalid request: `id` must be a string, a number or null; got {describe(request_id)}.")
    if isinstance(request_id, float) and abs(request_id) >= 2**63:
        # The fast reader makes a double of an integer beyond 64 bits, but an id is echoed as it came.
        request_id = json.loads(line)["id"]
    _check_members(value, request_id)
    params = value.get("params")
    return Request(value["method"], {} if params is None else params, request_id, "id" not in value)


def _check_members(value: dict[str, Any], request_id: RequestId) -> None:
    if value.get("jsonrpc") != "2.0":
        got = describe(value["jsonrpc"]) if "jsonrpc" in value else "nothing"
        raise InvalidRequest(f'Invalid request: `jsonrpc` must be "2.0"; got {got}.', request_id)
    if not isinstance(value.get("method"), str):
        got = describe(value["method"]) if "method" in value else "nothing"
        raise InvalidRequest(f"Invalid request: `method` must be a string; got {got}.", request_id)
    params = value.get("params")
    if params is not None and not isinstance(params, dict):
        raise InvalidRequest(f"Invalid request: `params` must be an object; got {describe(params)}.", request_id)


def encode_result(request_id: RequestId, result: Mapping[str, Any], method: str, limit: int = MAX_LINE_BYTES) -> bytes:
    """Write the answer line of a success, line end included; a `limit` error when it would be longer than allowed."""
    answer = {"jsonrpc": "2.0", "id": request_id, "result": result}
    try:
        # The encoder adds the line end, since a long answer would be copied for it.
        line = orjson.dumps(answer, None, orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        line = to_json(answer) + b"\n"
    if len(line) - 1 > limit:
        return encode_error(request_id, oversized_answer(method, len(line) - 1, limit))
    return line


def encode_error(request_id: RequestId, error: LcgError) -> bytes:
    """Write the answer line of a failure, line end included."""
    return to_json({"jsonrpc": "2.0", "id": request_id, "error": error_object(error)}) + b"\n"


def error_object(error: LcgError) -> dict[str, Any]:
    """Return `{code, message, data?}` as clients of every transport get it."""
    body: dict[str, Any] = {"code": int(error.code), "message": error.message}
    if error.data:
        body["data"] = error.data
    return body


def overlong_request() -> OperationFailed:
    """Return what a client is told whose line was over the limit."""
    return OperationFailed(
        ErrorKind.LIMIT,
        f"A line may have at most {MAX_LINE_BYTES:,} bytes; this one was longer and was discarded. "
        "Split the text into smaller calls.",
        limit_bytes=MAX_LINE_BYTES,
    )


def oversized_answer(method: str, size: int, limit: int = MAX_LINE_BYTES) -> OperationFailed:
    """Return what a client is told whose answer would be over the limit."""
    return OperationFailed(
        ErrorKind.LIMIT,
        f"{method}: the answer would have {size:,} bytes, a line may have at most {limit:,}; {ask_for_less(method)}. "
        "Nothing was changed.",
        limit_bytes=limit,
        answer_bytes=size,
    )


def ask_for_less(method: str) -> str:
    """Say how an answer of this method gets shorter."""
    counts = ("num_results", "last_n", "max_rows", "offset")
    narrowing = [f"`{name}`" for name in counts if name in _parameters_of(method)]
    return f"ask for less with {' and '.join(narrowing)}" if narrowing else "ask for less"


def _parameters_of(method: str) -> frozenset[str]:
    from lcg.generated.tool_specs import TOOL_SPECS  # imported here: needed once in a blue moon

    for spec in TOOL_SPECS:
        if spec.name == method:
            return frozenset(spec.input_schema["properties"])
    return frozenset()


def to_json(value: Any) -> bytes:
    """Write compact JSON in UTF-8: non-ASCII as characters, NaN and Infinity as null."""
    try:
        return orjson.dumps(value)
    except TypeError:  # integers beyond 64 bits, lone surrogates out of foreign files
        text = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return text.encode("utf-8", "replace")


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def describe(value: Any) -> str:
    """Name a JSON value for an error message, cut to a readable length."""
    text = to_json(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."
