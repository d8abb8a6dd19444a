"""The process that reads ahead: what it needs of the system, how it ends, and what a rebuild makes of it."""

import fcntl
import io
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.graph import rebuild_reading
from lcg.runtime.call import Call
from lcg.server.app import LcgService, open_service
from lcg.services.rebuild import rebuilder
from lcg.wal import ahead, helper, pieces
from lcg.wal.helper import Helper
from lcg.wal.pieces import Piece, read_piece
from tests.wal.samples import GROUP, line, write_file
from tests.workspaces import workspace_settings

SYSTEM_PIPE_BYTES = 65_536

PARENT = """
import sys, time
from pathlib import Path
from lcg.wal.helper import Helper
from lcg.wal.pieces import Piece
reading = Helper("liminis")
size = Path(sys.argv[1]).stat().st_size
for _ in range(int(sys.argv[2])):
    reading.ask(Piece(sys.argv[1], 0, size, size))
print(reading._process.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def hired(monkeypatch: pytest.MonkeyPatch) -> list[Helper]:
    """Have every log read with a helper, in small pieces, and tell who is hired."""
    monkeypatch.setattr(ahead, "WORTH_BYTES", 0)
    monkeypatch.setattr(ahead, "_processors", lambda: 2)
    monkeypatch.setattr(pieces, "PIECE_BYTES", 400)
    found: list[Helper] = []

    class Known(Helper):
        def __init__(self, group_id: str) -> None:
            super().__init__(group_id)
            found.append(self)
            select.select([self._answers], [], [])

    monkeypatch.setattr(ahead, "Helper", Known)
    return found


def answers(reading: Helper, path: Path) -> None:
    """Check that a helper answers."""
    piece = Piece(str(path), 0, path.stat().st_size, path.stat().st_size)
    reading.ask(piece)
    assert reading.take() == b""
    assert helper.unpacked(reading.take()) == read_piece(piece, GROUP)


def is_gone(pid: int) -> bool:
    """Say whether no process has this number, or one that has ended and waits for its parent."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return found.stdout.strip()[:1] in ("", "Z")


@pytest.mark.parametrize("questions", [0, 3], ids=["that waits", "whose answers nobody takes"])
def test_a_helper_ends_with_a_process_that_is_killed(tmp_path: Path, questions: int) -> None:
    path = write_file(tmp_path, "a.jsonl", list(range(1, 20_000)))
    command = [sys.executable, "-c", PARENT, str(path), str(questions)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        try:
            assert not is_gone(pid)
        finally:
            parent.kill()
    until = time.monotonic() + 30
    while not is_gone(pid):
        assert time.monotonic() < until, "it goes on without the process that it read for"
        time.sleep(0.02)


def test_a_helper_is_asked_where_very_many_files_are_open(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 1_200:
        pytest.skip("the system allows no more files")
    path = write_file(tmp_path, "a.jsonl", [1, 2])
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1_200), hard))
    opened: list[int] = []
    try:
        while not opened or opened[-1] < 1_030:
            opened.append(os.dup(0))
        reading = Helper(GROUP)
        try:
            assert reading.has_answer() in (True, False)
            answers(reading, path)
        finally:
            reading.close()
    finally:
        for number in opened:
            os.close(number)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_helper_makes_do_with_a_pipe_of_any_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(number: int, command: int, *rest: Any) -> int:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(fcntl, "fcntl", refuse)
    path = write_file(tmp_path, "a.jsonl", list(range(1, 2_000)))
    assert path.stat().st_size > SYSTEM_PIPE_BYTES
    reading = Helper(GROUP)
    try:
        answers(reading, path)
    finally:
        reading.close()


@pytest.mark.parametrize("executable", ["", None])
def test_nobody_is_started_where_the_interpreter_is_unknown(
    executable: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    with pytest.raises(helper.HelperLost):
        Helper(GROUP)


def test_who_looks_for_the_first_line_of_a_piece_reads_no_further_than_the_piece() -> None:
    # One line that goes on for a thousand pieces: each of them would be read to its end otherwise.
    stream = io.BytesIO(line(1) + b"\n" + b"x" * 4_000_000 + b"\n" + line(2))
    piece = Piece("a.jsonl", 1_000, 5_000, len(stream.getvalue()))
    assert pieces._first_start(stream, piece) >= piece.end
    assert stream.tell() <= piece.end + pieces._BUFFER


class Own:
    """A service over a group `a` of very many lines."""

    def __init__(self, root: Path) -> None:
        self.service: LcgService = open_service(workspace_settings(root))
        for number in range(30):
            summary = f"thing {number % 10}"
            self.ask("assert_entity", name=f"n{number}", summary=summary, group_id="a")
        self.ask("assert_entity", name="other", group_id="b")

    def ask(self, method: str, call: Call | None = None, **params: Any) -> dict[str, Any]:
        return self.service.call(f"knowledge_{method}", params, call or Call(f"knowledge_{method}"))

    def rebuild(self, call: Call | None = None) -> dict[str, Any]:
        return self.ask("rebuild_from_wal", call, group_id="a", force_clear=True)

    def digest(self) -> str:
        return str(self.ask("status")["wal_groups"]["a"]["digest"])


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Own]:
    made = Own(tmp_path)
    yield made
    made.service.close()


@pytest.fixture
def at_each_line(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[int], None]]:
    """Have what is put here called with the number of each line before it is folded."""
    called: list[Callable[[int], None]] = []
    read_into = rebuild_reading.read_into

    def stepping(fold: Any, lines: Any, scope: Any, **options: Any) -> Any:
        def stepped() -> Iterator[Any]:
            for number, found in enumerate(lines, 1):
                for call in called:
                    call(number)
                options["step"](rebuild_reading.LineCounts(), number)
                yield found

        return read_into(fold, stepped(), scope, **options)

    monkeypatch.setattr(rebuilder, "read_into", stepping)
    return called


def test_a_rebuild_with_a_helper_ends_where_the_graph_was(own: Own, hired: list[Helper]) -> None:
    live = own.digest()
    assert own.rebuild()["mutations_replayed"] == 30
    assert own.digest() == live
    assert [one._process.poll() for one in hired] == [-signal.SIGKILL]


def test_a_rebuild_whose_helper_is_killed_ends_where_the_graph_was(
    own: Own, hired: list[Helper], at_each_line: list[Callable[[int], None]]
) -> None:
    live = own.digest()

    def kill(number: int) -> None:
        if number == 5:
            os.kill(hired[-1]._process.pid, signal.SIGKILL)

    at_each_line.append(kill)
    assert own.rebuild()["mutations_replayed"] == 30
    assert own.digest() == live
    assert [one._process.poll() for one in hired] == [-signal.SIGKILL]


def test_others_are_served_while_a_helper_reads(
    own: Own, hired: list[Helper], at_each_line: list[Callable[[int], None]]
) -> None:
    made: list[bool] = []

    def write(number: int) -> None:
        if number == 5:
            assert hired[-1]._process.poll() is None
            made.append(own.ask("assert_entity", name="another", group_id="b")["created"])

    at_each_line.append(write)
    assert own.rebuild()["mutations_replayed"] == 30
    assert made == [True]


def test_a_helper_ends_with_a_rebuild_that_is_cancelled(
    own: Own, hired: list[Helper], at_each_line: list[Callable[[int], None]]
) -> None:
    live, call = own.digest(), Call("knowledge_rebuild_from_wal")
    at_each_line.append(lambda number: call.cancelled.set() if number == 5 else None)
    with pytest.raises(OperationFailed, match="operation cancelled") as refused:
        own.rebuild(call)
    # Whoever keeps the refusal keeps what was read so far; the process has ended all the same.
    assert refused.value.__traceback__ is not None
    assert [one._process.poll() for one in hired] == [-signal.SIGKILL]
    assert own.digest() == live
