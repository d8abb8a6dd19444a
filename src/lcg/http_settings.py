"""What the settings say of MCP over HTTP."""

from dataclasses import dataclass
from pathlib import Path

from lcg.generated import config


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """How MCP is served over HTTP, beside the address and the scopes of the command line.

    Attributes:
        tokens: the file of bearer tokens, or None for none.
        hosts: names, beside the address itself, that requests may call this server by.
        metrics: whether /metrics answers.
        max_request_bytes: bytes of the body of a request.
    """

    tokens: Path | None = None
    hosts: tuple[str, ...] = ()
    metrics: bool = config.LCG_HTTP_METRICS.default
    max_request_bytes: int = config.LCG_HTTP_MAX_REQUEST_BYTES.default
