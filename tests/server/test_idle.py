"""When a service that was started for clients ends, and that nobody who comes at that moment is turned away."""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

from lcg.server.calls import CallRunner
from lcg.server.idle import end_when_idle
from lcg.server.lifecycle import Stop
from lcg.server.socket import SocketServer, bind_socket
from tests.server.fake_service import TRAITS, FakeService

SOON_S = 0.05
LATER_S = 0.5


def serve(path: Path, test: Callable[[SocketServer, CallRunner], Awaitable[None]]) -> None:
    async def main() -> None:
        runner = CallRunner(FakeService(), TRAITS)
        server = SocketServer(runner, lambda: None)
        await server.start(bind_socket(path))
        try:
            await test(server, runner)
        finally:
            await server.stop(10)
            await runner.wait_idle()
        assert [found.name for found in path.parent.iterdir()] == []

    asyncio.run(main())


def dial(path: Path) -> socket.socket:
    """Connect without giving the event loop a turn, so that the server has not noticed."""
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connected.connect(str(path))
    except OSError:
        connected.close()
        raise
    return connected


async def answer(connected: socket.socket) -> object:
    reader, writer = await asyncio.open_unix_connection(sock=connected)
    writer.write(b'{"jsonrpc":"2.0","id":1,"method":"echo"}\n')
    line = await reader.readline()
    writer.close()
    await writer.wait_closed()
    return json.loads(line)["result"]["method"]


def test_whoever_connects_just_before_the_socket_goes_is_served_and_the_socket_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "s"

    async def test(server: SocketServer, runner: CallRunner) -> None:
        for _ in range(3):
            connected = dial(path)
            assert not await server.withdraw()
            assert await answer(connected) == "echo"
            assert await answer(dial(path)) == "echo"

    serve(path, test)


def test_nobody_can_connect_once_the_socket_is_withdrawn(tmp_path: Path) -> None:
    path = tmp_path / "s"

    async def test(server: SocketServer, _: CallRunner) -> None:
        assert await server.withdraw()
        assert not path.exists()

    serve(path, test)


def test_many_who_connect_while_services_come_and_go_are_all_served_or_find_no_socket(tmp_path: Path) -> None:
    path = tmp_path / "s"
    served = []

    async def client(number: int) -> None:
        await asyncio.sleep(number * 0.002)
        while True:
            try:
                connected = dial(path)
            except FileNotFoundError:
                await asyncio.sleep(0.001)
                continue
            served.append(await answer(connected))
            return

    async def main() -> int:
        runner, services = CallRunner(FakeService(), TRAITS), 0
        clients = [asyncio.create_task(client(number)) for number in range(300)]
        while not all(task.done() for task in clients):
            server = SocketServer(runner, lambda: None)
            await server.start(bind_socket(path))
            await asyncio.sleep(0.01)
            while not await server.withdraw():
                await asyncio.sleep(0.01)
            await server.stop(10)
            services += 1
        await asyncio.gather(*clients)
        return services

    assert asyncio.run(main()) > 1
    assert served == ["echo"] * 300
    assert list(tmp_path.iterdir()) == []


def test_it_ends_after_so_long_without_a_client(tmp_path: Path) -> None:
    stop = Stop()

    async def test(server: SocketServer, runner: CallRunner) -> None:
        await asyncio.wait_for(end_when_idle(server, lambda: False, SOON_S, stop), 20)

    serve(tmp_path / "s", test)
    assert stop.reason == "no client"


def test_it_does_not_end_while_somebody_is_connected_though_nothing_is_asked(tmp_path: Path) -> None:
    stop = Stop()

    async def test(server: SocketServer, runner: CallRunner) -> None:
        watching = asyncio.create_task(end_when_idle(server, lambda: False, SOON_S, stop))
        _, writer = await asyncio.open_unix_connection(tmp_path / "s")
        await asyncio.sleep(LATER_S)
        assert stop.reason is None
        writer.close()
        await asyncio.wait_for(watching, 20)

    serve(tmp_path / "s", test)
    assert stop.reason == "no client"


def test_it_does_not_end_while_work_goes_on(tmp_path: Path) -> None:
    stop = Stop()
    busy = [True]

    async def test(server: SocketServer, runner: CallRunner) -> None:
        watching = asyncio.create_task(end_when_idle(server, lambda: busy[0], SOON_S, stop))
        await asyncio.sleep(LATER_S)
        assert stop.reason is None
        busy.clear()
        busy.append(False)
        await asyncio.wait_for(watching, 20)

    serve(tmp_path / "s", test)


def test_a_call_whose_client_is_gone_counts_as_work(tmp_path: Path) -> None:
    async def test(server: SocketServer, runner: CallRunner) -> None:
        _, writer = await asyncio.open_unix_connection(tmp_path / "s")
        writer.write(b'{"jsonrpc":"2.0","id":1,"method":"wait","params":{"seconds":0.3}}\n')
        await writer.drain()
        while not runner.is_busy:
            await asyncio.sleep(0.001)
        writer.close()
        await asyncio.wait_for(runner.wait_idle(), 20)
        assert [runner.is_busy] == [False]

    serve(tmp_path / "s", test)
