"""Serves the page on the loopback address, beside the thread that waits for the end."""

import secrets
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

import uvicorn

from lcg.explorer.application import Application
from lcg.explorer.guard import Guard
from lcg.explorer.live import LiveGraph

_HOST: Final = "127.0.0.1"
_BACKLOG: Final = 64
_LAST_WORDS_S: Final = 2


def bind(port: int) -> socket.socket:
    """Return a listening socket that only this machine reaches; port 0 takes any free one.

    Raises:
        OSError: the port cannot be had.
    """
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((_HOST, port))
        listening.listen(_BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


@contextmanager
def serving(listening: socket.socket, graph: LiveGraph, title: str) -> Iterator[str]:
    """Serve while the block runs; give the address to open, which holds a new token.

    The token is a fragment, which browsers keep to themselves: it is in no request line and no log.
    """
    token = secrets.token_urlsafe(32)
    port = listening.getsockname()[1]
    with ThreadPoolExecutor(1, thread_name_prefix="view") as thread:
        config = uvicorn.Config(
            Application(graph, thread, Guard(port, token), title),
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=_LAST_WORDS_S,
        )
        server = uvicorn.Server(config)
        running = threading.Thread(target=server.run, args=([listening],), name="http", daemon=True)
        running.start()
        try:
            yield f"http://{_HOST}:{port}/#{token}"
        finally:
            server.should_exit = True
            running.join()
            thread.submit(graph.close).result()
