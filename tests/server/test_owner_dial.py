"""Whom `--connect auto` takes for the owner of the workspace, and what it says when it cannot have one."""

import fcntl
import json
import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.server.lock import Owner, last_owner
from lcg.server.owner_dial import OwnerDial
from lcg.server.socket_client import DialFailed
from lcg.settings import Settings

LOCK = Path(".lcg/lock")


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def owned_by(pid: int, socket: str | None) -> None:
    LOCK.parent.mkdir(exist_ok=True)
    LOCK.write_text(json.dumps({"pid": pid, "mode": "service", "socket": socket}))


@contextmanager
def listening(path: str, answer: bytes | None) -> Iterator[None]:
    """Listen at a path and give the first line of each connection this answer; None: none at all."""
    held: list[socket.socket] = []

    def serve() -> None:
        while True:
            try:
                connected, _ = server.accept()
            except OSError:
                return
            held.append(connected)
            connected.recv(1000)
            if answer is not None:
                connected.sendall(answer)

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(path)
        server.listen()
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connected in held:
                connected.close()


def healthy(pid: int) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"ok": True, "pid": pid}}).encode() + b"\n"


def dial(path: str = "s", *, patience_ms: int = 200, start_s: float = 0.2) -> OwnerDial:
    settings = Settings(socket_path=Path(path), attached_call_timeout_ms=patience_ms)
    return OwnerDial(settings, ("--extractor=builtin",), start_s=start_s)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What is started in place of a service, which neither listens nor ends."""
    commands: list[list[str]] = []
    popen = subprocess.Popen

    def start(command: list[str], **more: Any) -> subprocess.Popen[bytes]:
        commands.append(command)
        return popen(["sleep", "1"], **more)

    monkeypatch.setattr(subprocess, "Popen", start)
    return commands


def test_the_socket_that_the_owner_names_comes_before_the_one_of_the_settings() -> None:
    owned_by(os.getpid(), "elsewhere")
    with listening("elsewhere", healthy(os.getpid())), listening("s", healthy(1)):
        connection = dial()(threading.Event())
        assert connection.pid == os.getpid()
        connection.close()


def test_a_service_that_does_not_own_this_workspace_is_not_taken(started: list[list[str]]) -> None:
    owned_by(os.getpid(), "s")
    with listening("s", healthy(1)), pytest.raises(DialFailed, match=r"was started .* does not listen after 0.2 s"):
        dial()(threading.Event())
    assert [command[-1] for command in started] == ["--extractor=builtin"]


def test_nothing_is_started_while_somebody_else_does_so(started: list[list[str]]) -> None:
    owned_by(7, None)
    turn = os.open(LOCK.parent, os.O_RDONLY)
    fcntl.flock(turn, fcntl.LOCK_EX)
    with pytest.raises(DialFailed, match=r"another client is starting .* after 0.2 s; process 7 owned .*last"):
        dial()(threading.Event())
    assert started == []
    os.close(turn)
    with pytest.raises(DialFailed, match="was started to serve this workspace"):
        dial()(threading.Event())
    assert len(started) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, r"at s takes connections, but does not answer; end it"),
        (b"HTTP/1.1 400\r\n", r"at s is no graph service of this version: it sent a line that is no JSON"),
        (b'{"id":1,"error":{"code":-32601,"message":"what?"}}\n', r"at s answered health_check with an error: what\?"),
    ],
)
def test_an_owner_that_answers_nothing_or_nonsense_is_named(answer: bytes | None, said: str) -> None:
    owned_by(os.getpid(), "s")
    with listening("s", answer), pytest.raises(DialFailed, match=said) as failure:
        dial()(threading.Event())
    assert f"process {os.getpid()} at s" in str(failure.value)


def test_a_place_where_no_service_can_be_started_is_named(workspace: Path) -> None:
    (workspace / ".lcg").write_text("")
    with pytest.raises(DialFailed, match=r"\.lcg is no usable directory \(File exists\)"):
        dial()(threading.Event())


def test_a_call_that_is_given_up_waits_no_longer(started: list[list[str]]) -> None:
    given_up = threading.Event()
    threading.Timer(0.2, given_up.set).start()
    with pytest.raises(OperationFailed, match="cancelled"):
        dial(start_s=60)(given_up)


def test_the_owner_is_read_from_the_lock() -> None:
    owned_by(7, None)
    assert last_owner(LOCK) == Owner(7, None)
