"""What an MCP client and this process have settled, and which of its requests need no SDK to be answered.

Only requests of the plainest shape are taken; whatever is odd, new or faulty is left to the SDK, which knows what the
protocol says of it. The SDK joins late or never, so this also remembers what it has to be told then to be where the
client believes it to be.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from lcg.server.envelope import Request
from lcg.server.mcp_lists import MODERN_STAMP, MODERN_VERSION, PreparedResults

_RESERVED: Final = "io.modelcontextprotocol/"
_VERSION_KEY: Final = f"{_RESERVED}protocolVersion"
_CAPABILITIES_KEY: Final = f"{_RESERVED}clientCapabilities"
_CLIENT_KEY: Final = f"{_RESERVED}clientInfo"
_ENVELOPE: Final = frozenset({_VERSION_KEY, _CAPABILITIES_KEY, _CLIENT_KEY})
_TOKEN: Final = "progressToken"

_INITIALIZE: Final = "initialize"
_INITIALIZED: Final = "notifications/initialized"
_EMPTY: Final = b"{}"

Message = dict[str, Any]
"""A message of JSON-RPC."""


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A call of a tool.

    Attributes:
        name: the tool.
        arguments: as they came.
        progress_token: what the client wants progress to be marked with, or None when it wants none.
        ending: what closes the JSON of a result.
    """

    name: str
    arguments: dict[str, Any]
    progress_token: str | int | None
    ending: bytes


class Session:
    """One client's session, as far as it goes without the SDK. Both protocol eras; the first request decides.

    Args:
        results: what is answered to requests whose result is known before they are made.
    """

    def __init__(self, results: PreparedResults) -> None:
        self._results = results
        self._is_modern: bool | None = None
        self._is_open = False
        self._is_left_to_sdk = False
        self._history: list[Message] = []

    def take(self, request: Request) -> bytes | ToolRequest | None:
        """Take the client's next request.

        Returns:
            The JSON of its result; or the call of a tool; or None when it is for the SDK.
        """
        meta = request.params.get("_meta")
        has_envelope = isinstance(meta, dict) and _VERSION_KEY in meta
        if self._is_modern is None:
            self._is_modern = has_envelope and request.method != _INITIALIZE
        if self._is_left_to_sdk:
            return None
        if self._is_modern:
            return self._take_modern(request)
        return None if has_envelope else self._take_handshake_era(request)

    def note(self, notification: Request) -> None:
        """Take a notification that the SDK has to know of when it joins later."""
        known = any(message["method"] == _INITIALIZED for message in self._history)
        if notification.method == _INITIALIZED and not self._is_modern and not known:
            self._history.append(_message(notification.method, notification.params))

    def history(self) -> list[Message]:
        """Return what brings the SDK to where this session is, in this order. Its answers to it are for nobody.

        To be asked before the first request that goes there; none of it calls a tool.
        """
        return [dict(message) for message in self._history]

    def _take_modern(self, request: Request) -> bytes | ToolRequest | None:
        if not _is_plain_envelope(request.params.get("_meta")):
            return None
        found = _answer(request, self._results.modern, MODERN_STAMP)
        if found is not None and not self._history:
            self._history.append(_message("server/discover", {"_meta": request.params["_meta"]}, len(self._history)))
        return found

    def _take_handshake_era(self, request: Request) -> bytes | ToolRequest | None:
        if "_meta" in request.params and not _is_plain_meta(request.params["_meta"]):
            found: bytes | ToolRequest | None = None
        elif request.method == _INITIALIZE and not self._is_open:
            found = self._open(request)
        elif request.method == "ping" and request.params.keys() <= {"_meta"}:
            found = _EMPTY
            if not self._history:
                self._remember(request)
        else:
            found = _answer(request, self._results.lists, b"}") if self._is_open else None
        if found is None and (not self._is_open or request.method == _INITIALIZE):
            # What it makes of this decides how the session goes on.
            self._is_left_to_sdk = True
        return found

    def _open(self, request: Request) -> bytes | None:
        params = request.params
        if not (
            params.keys() <= {"protocolVersion", "capabilities", "clientInfo", "_meta"}
            and isinstance(params.get("protocolVersion"), str)
            and _are_plain_capabilities(params.get("capabilities"))
            and _is_plain_client(params.get("clientInfo"))
        ):
            return None
        self._is_open = True
        self._remember(request)
        return self._results.initialize(params["protocolVersion"])

    def _remember(self, request: Request) -> None:
        self._history.append(_message(request.method, request.params, len(self._history)))


def _message(method: str, params: dict[str, Any], id: int | None = None) -> Message:
    message: Message = {"jsonrpc": "2.0", "method": method, "params": params}
    return message if id is None else message | {"id": id}


def _answer(request: Request, results: dict[str, bytes], ending: bytes) -> bytes | ToolRequest | None:
    params = request.params
    if request.method in results:
        return results[request.method] if params.keys() <= {"_meta"} else None
    if request.method != "tools/call" or not params.keys() <= {"name", "arguments", "_meta"}:
        return None
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str) or not isinstance(arguments, dict | None):
        return None
    return ToolRequest(name, arguments or {}, (params.get("_meta") or {}).get(_TOKEN), ending)


# -- what is plain


def _is_plain_meta(meta: Any, reserved: frozenset[str] = frozenset()) -> bool:
    return (
        isinstance(meta, dict)
        and isinstance(meta.get(_TOKEN, ""), str | int)
        and not isinstance(meta.get(_TOKEN), bool)
        and all(key in reserved or not key.startswith(_RESERVED) for key in meta)
    )


def _is_plain_envelope(meta: Any) -> bool:
    return (
        _is_plain_meta(meta, _ENVELOPE)
        and meta.get(_VERSION_KEY) == MODERN_VERSION
        and _are_plain_capabilities(meta.get(_CAPABILITIES_KEY))
        and (_CLIENT_KEY not in meta or _is_plain_client(meta[_CLIENT_KEY]))
    )


def _are_plain_capabilities(value: Any) -> bool:
    return isinstance(value, dict) and all(_CAPABILITIES.get(name, _is_object)(value[name]) for name in value)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _holds_objects(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_object, value.values()))


def _is_switch(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() <= {"listChanged"} and all(map(_is_bool, value.values()))


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_nested, value.values()))


_CAPABILITIES: Final[dict[str, Callable[[Any], bool]]] = {
    "roots": _is_switch,
    "sampling": _is_nested,
    "elicitation": _holds_objects,
    "tasks": _is_nested,
    "experimental": _holds_objects,
    "extensions": _holds_objects,
}


def _is_plain_client(value: Any) -> bool:
    """Whether it tells name and version, and besides only texts and pictures."""
    return (
        isinstance(value, dict)
        and {"name", "version"} <= value.keys()
        and all(_are_icons(value[key]) if key == "icons" else isinstance(value[key], str) for key in value)
    )


def _are_icons(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(icon, dict)
        and icon.keys() <= {"src", "mimeType"}
        and all(isinstance(x, str) for x in icon.values())
        and "src" in icon
        for icon in value
    )
