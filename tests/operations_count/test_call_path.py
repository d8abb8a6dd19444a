"""How many functions of ours a short call over the socket runs through: each costs it, whatever the machine."""

import asyncio
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any, cast
from unittest.mock import Mock

import lcg
from lcg.generated.dispatch import METHODS
from lcg.runtime.call import Call
from lcg.server.app import LcgService
from lcg.server.calls import CallRunner, MethodTraits
from lcg.server.connection import Connection
from tests.workspaces import running_service

SOURCES = str(Path(lcg.__file__).parent)
METHOD = "knowledge_rebuild_status"
LINE = b'{"jsonrpc":"2.0","id":1,"method":"knowledge_rebuild_status","params":{"job_id":"no-such-job"}}\n'
MOST = 24


def functions_of_ours(connection: Connection) -> Counter[str]:
    """Return which functions of the package a line runs through, and how often."""
    seen: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(SOURCES):
            seen[frame.f_code.co_name] += 1

    sys.setprofile(note)
    try:
        connection.data_received(LINE)
    finally:
        sys.setprofile(None)
    return seen


async def two_answers(service: LcgService) -> tuple[list[bytes], Counter[str]]:
    """Return what is written for the line twice, and the functions of the second time."""
    runner = CallRunner(service, MethodTraits(frozenset(METHODS), frozenset()))
    connection, transport = Connection(cast(Any, Mock(runner=runner))), Mock()
    connection.connection_made(transport)
    connection.data_received(LINE)
    seen = functions_of_ours(connection)
    return [call.args[0] for call in transport.write.call_args_list], seen


def test_a_short_call_over_the_socket_is_one_write_and_runs_through_few_functions(tmp_path: Path) -> None:
    with running_service(tmp_path, telemetry=False) as service:
        service.call(METHOD, {"job_id": "x"}, Call(METHOD))  # which waits for the start
        written, seen = asyncio.run(two_answers(service))
    assert written == [b'{"jsonrpc":"2.0","id":1,"result":{"status":"not_found"}}\n'] * 2
    assert seen.total() <= MOST, seen
