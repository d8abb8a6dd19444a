"""Reading MCP messages by the rules of every transport, so that bad ones are answered alike everywhere."""

from mcp_types import (
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from lcg.server.envelope import InvalidRequest, describe, parse_request, read_json


def read_message(text: bytes) -> JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError:
    """Read one message.

    Raises:
        ParseError: it is no JSON.
        InvalidRequest: it is JSON, but no message.
    """
    value = read_json(text)
    if not (isinstance(value, dict) and "method" not in value and ("result" in value or "error" in value)):
        request = parse_request(text)
        if not request.is_notification and not isinstance(request.id, str | int):
            raise InvalidRequest(f"Invalid request: `id` must be a string or an integer; got {describe(request.id)}.")
    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        raise InvalidRequest("Invalid request: this is neither a request, a notification nor a response.") from None
