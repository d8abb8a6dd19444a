"""The HTTP side of `lcg view` as an ASGI application: the page, and below /api/ what it asks for. It only reads."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from lcg.client import ClientError
from lcg.exchange.dumped import BrokenDump
from lcg.explorer.guard import HEADERS, Guard, problem
from lcg.explorer.live import LiveGraph
from lcg.explorer.page import served_page

_API: Final = "/api/"
_MOST_DIGITS: Final = 9


class Application:
    """Answers a browser.

    Args:
        graph: what is asked, always in the one thread of `thread`.
        thread: that thread.
        guard: who is answered.
        title: what the page is called.
    """

    def __init__(self, graph: LiveGraph, thread: Executor, guard: Guard, title: str) -> None:
        self._graph = graph
        self._thread = thread
        self._guard = guard
        self._page = served_page(title)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. See the ASGI specification."""
        if scope["type"] == "http":
            response = await self._respond(Request(scope, receive))
            await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        path = request.url.path
        refusal = self._guard.refusal(request, with_token=path.startswith(_API))
        if refusal is not None:
            return refusal
        if path == "/":
            return HTMLResponse(self._page, headers=HEADERS)
        question = self._question(path.removeprefix(_API), request) if path.startswith(_API) else None
        if question is None:
            return problem(404, "there is nothing at this path. The page is at /.")
        try:
            answer = await asyncio.get_running_loop().run_in_executor(self._thread, question)
        except ClientError as error:
            return problem(502, f"the graph did not answer: {error}")
        except (BrokenDump, sqlite3.Error, OSError) as error:
            return problem(500, f"the rows could not be read: {error}. Look at the disk (space, rights) and try again.")
        if answer is None:
            return problem(404, "this is not in the graph any more. Load the page again.")
        return Response(orjson.dumps(answer), media_type="application/json", headers=HEADERS)

    def _question(self, name: str, request: Request) -> Callable[[], Any] | None:
        """Return what a path asks for; None for a path or parameters that mean nothing."""
        given = request.query_params
        if name == "graph":
            return self._graph.graph
        if name == "search" and (query := given.get("q", "")).strip():
            return lambda: {"nodes": self._graph.search(query)}
        if name == "source" and (episode := given.get("episode")):
            return lambda: self._graph.source(episode)
        if name == "around" and (entity := given.get("entity")):
            offset = given.get("offset", "0")
            if offset.isascii() and offset.isdigit() and len(offset) <= _MOST_DIGITS:
                return lambda: self._graph.around(entity, int(offset))
        return None
