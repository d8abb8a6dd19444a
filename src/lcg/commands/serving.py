"""Letting other processes attach to a sub-command that has the workspace for long."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from lcg.commands.common import say
from lcg.runtime.call import Service
from lcg.server.backend import product
from lcg.server.calls import CallRunner
from lcg.server.lock import Ownership
from lcg.server.socket import BindError, SocketServer, bind_socket
from lcg.settings import Settings


@contextmanager
def shared(service: Service, settings: Settings, ownership: Ownership) -> Iterator[None]:
    """Serve the socket of the workspace while the block runs. Without a socket the block runs all the same."""
    try:
        bound = bind_socket(settings.socket_path)
    except BindError as error:
        say(f"note: no other process can attach meanwhile: {error}")
        yield
        return
    runner_of_loop: list[asyncio.AbstractEventLoop] = []
    ready, end = threading.Event(), asyncio.Event()

    async def serve() -> None:
        runner = CallRunner(service, product().traits)
        server = SocketServer(runner, lambda: None)
        await server.start(bound)
        runner_of_loop.append(asyncio.get_running_loop())
        ready.set()
        await end.wait()
        await server.stop(settings.shutdown_timeout_ms / 1000 * 0.7)
        runner.cancel_all()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), name="socket", daemon=True)
    thread.start()
    ready.wait()
    ownership.tell_socket("command", settings.socket_path)
    try:
        yield
    finally:
        ownership.tell_no_socket("command")
        runner_of_loop[0].call_soon_threadsafe(end.set)
        thread.join()
