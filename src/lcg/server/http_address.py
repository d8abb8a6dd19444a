"""The address of the HTTP server: reading it, telling whether it leaves this machine, and binding it."""

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lcg.server.socket import BindError
from lcg.settings import UsageError

BACKLOG: Final = 1024

Place = tuple[socket.AddressFamily, str]
"""A family of addresses and an address in it."""


@dataclass(frozen=True, slots=True)
class HttpAddress:
    """Where to listen. Port 0 takes any free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> HttpAddress:
    """Read `HOST:PORT`, where an IPv6 address stands in brackets.

    Raises:
        UsageError: it is nothing of the kind.
    """
    host, colon, port = text.strip().rpartition(":")
    is_bracketed = host.startswith("[") and host.endswith("]")
    bare = host[1:-1] if is_bracketed else host
    legal_port = port.isascii() and port.isdigit() and int(port) <= 65535
    if not colon or not bare or not legal_port or (":" in bare) != is_bracketed or any(map(str.isspace, bare)):
        raise UsageError(
            "--http must be HOST:PORT, for example 127.0.0.1:8765 or [::1]:8765; port 0 takes any free one; "
            f"got {text!r}."
        )
    return HttpAddress(bare, int(port))


def resolve(address: HttpAddress) -> Sequence[Place]:
    """Return the places that an address stands for, the one to listen at first.

    Raises:
        UsageError: there is none.
    """
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no host is called that"
        raise UsageError(
            f"--http {address}: {reason}. Give the address or a name of this machine, for example 127.0.0.1."
        ) from error
    places = [(family, str(place[0]).partition("%")[0]) for family, _, _, _, place in found]
    # `localhost` has often both, and what knows only one family knows this one.
    return sorted(places, key=lambda place: place[0] != socket.AF_INET)


def is_loopback(places: Sequence[Place]) -> bool:
    """Say whether only this machine reaches these places."""
    return all(ipaddress.ip_address(found).is_loopback for _, found in places)


def bind_http(place: Place, port: int) -> socket.socket:
    """Return a listening TCP socket.

    Raises:
        BindError: the address cannot be had; the message says why and what to do.
    """
    family, found = place
    # asyncio sends small packets at once only on sockets that say they are TCP; else a call waits for a delayed ACK.
    server = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((found, port))
        server.listen(BACKLOG)
    except OSError as error:
        server.close()
        raise BindError(
            f"cannot listen on {HttpAddress(found, port)}: {error.strerror or error}. Give --http another "
            "HOST:PORT; port 0 takes any free one."
        ) from error
    server.setblocking(False)
    return server


def bound_address(bound: socket.socket) -> HttpAddress:
    """Return where a socket listens, its real port included."""
    host, port = bound.getsockname()[:2]
    return HttpAddress(host, port)
