"""What the environment and the command line say of HTTP."""

import asyncio
import socket
from pathlib import Path

import pytest

from lcg.http_settings import HttpSettings
from lcg.server.http_address import HttpAddress, bind_http, is_loopback, parse_address, resolve
from lcg.settings import UsageError, read_settings


@pytest.mark.parametrize(
    ("text", "address", "shown"),
    [
        ("127.0.0.1:8765", HttpAddress("127.0.0.1", 8765), "127.0.0.1:8765"),
        (" localhost:0 ", HttpAddress("localhost", 0), "localhost:0"),
        ("[::1]:80", HttpAddress("::1", 80), "[::1]:80"),
    ],
)
def test_addresses_are_read_and_shown(text: str, address: HttpAddress, shown: str) -> None:
    assert parse_address(text) == address
    assert str(address) == shown


@pytest.mark.parametrize("text", ["", ":", ":80", "host", "host:", "host:-1", "host:65536", "::1:80", "[]:80", "a b:1"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="HOST:PORT"):
        parse_address(text)


@pytest.mark.parametrize(
    ("host", "loopback"), [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("0.0.0.0", False), ("::", False)]
)
def test_addresses_that_others_reach_are_known(host: str, loopback: bool) -> None:
    assert is_loopback(resolve(HttpAddress(host, 0))) is loopback


def test_a_host_without_address_is_refused() -> None:
    with pytest.raises(UsageError, match=r"a\.\.b:1"):
        resolve(HttpAddress("a..b", 1))


async def _delays_small_packets(bound: socket.socket) -> bool:
    """Tell whether Nagle's algorithm is on for connections that asyncio accepts."""
    accepted: asyncio.Future[socket.socket] = asyncio.get_running_loop().create_future()

    async def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        accepted.set_result(writer.get_extra_info("socket"))
        writer.close()

    server = await asyncio.start_server(accept, sock=bound)
    async with server:
        _, writer = await asyncio.open_connection(*bound.getsockname()[:2])
        no_delay = (await accepted).getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.close()
        await writer.wait_closed()
    return not no_delay


def test_small_answers_are_sent_at_once() -> None:
    bound = bind_http((socket.AF_INET, "127.0.0.1"), 0)
    assert not asyncio.run(_delays_small_packets(bound))


def test_variables_are_read() -> None:
    env = {
        "LCG_HTTP_TOKENS": ".lcg/tokens",
        "LCG_HTTP_HOSTS": "Graph.example.org, proxy:8443 ,",
        "LCG_HTTP_METRICS": "1",
        "LCG_HTTP_MAX_REQUEST_BYTES": "2048",
    }
    expected = HttpSettings(Path(".lcg/tokens"), ("graph.example.org", "proxy:8443"), True, 2048)
    assert read_settings(env).http == expected
    assert read_settings({}).http == HttpSettings()


@pytest.mark.parametrize("hosts", ["https://graph.example.org", "graph.example.org/mcp", "a b", "*"])
def test_hosts_are_names(hosts: str) -> None:
    with pytest.raises(UsageError, match="LCG_HTTP_HOSTS"):
        read_settings({"LCG_HTTP_HOSTS": hosts})
