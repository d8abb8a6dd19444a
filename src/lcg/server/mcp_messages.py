"""Reading MCP messages by the rules of every transport, so that bad ones are answered alike everywhere."""

import json
from typing import TYPE_CHECKING, Any, Final

from lcg.server.envelope import InvalidRequest, Request, check_request, describe, read_json

if TYPE_CHECKING:
    # Most sessions never need these types, which take long to import.
    from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

_IDS: Final = (("id",), ("params", "requestId"), ("params", "_meta", "progressToken"))
"""Where a message names a request; always as the client does."""


def read_request(line: bytes) -> Request | None:
    """Read a request or a notification; None stands for what answers a request, which nobody here makes.

    Raises:
        ParseError: it is no JSON.
        InvalidRequest: it is JSON, but no message.
    """
    value = _read(line)
    return None if _is_response(value) else _request(value, line)


def read_message(text: bytes) -> "JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError":
    """Read one message as the SDK takes it.

    Raises:
        ParseError: it is no JSON.
        InvalidRequest: it is JSON, but no message.
    """
    from mcp_types import jsonrpc_message_adapter
    from pydantic import ValidationError

    value = _read(text)
    if not _is_response(value):
        _request(value, text)
    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        raise InvalidRequest("Invalid request: this is neither a request, a notification nor a response.") from None


def _read(line: bytes) -> Any:
    value = read_json(line)
    for path in _IDS:
        if _is_inexact(_at(value, path)):
            _at(value, path[:-1])[path[-1]] = _at(json.loads(line), path)
    return value


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _is_inexact(id: Any) -> bool:
    """Whether it may be an integer beyond 64 bits, of which the fast reader makes a double."""
    return isinstance(id, float) and abs(id) >= 2**63


def _is_response(value: Any) -> bool:
    return isinstance(value, dict) and "method" not in value and ("result" in value or "error" in value)


def _request(value: Any, line: bytes) -> Request:
    request = check_request(value, line)
    if not request.is_notification and not isinstance(request.id, str | int):
        raise InvalidRequest(f"Invalid request: `id` must be a string or an integer; got {describe(request.id)}.")
    return request
