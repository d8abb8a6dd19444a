"""One process owns a workspace."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lcg.server.lock import LockFailed, Owner, Ownership, WorkspaceLock, WorkspaceOwned, last_owner
from lcg.settings import Settings

SOCKET = Path(".lcg/service.sock")

WHO = f"process {os.getpid()}" if sys.platform == "linux" else "another lcg"

OWNER = """
import sys
from pathlib import Path
from lcg.server.lock import WorkspaceLock
lock = WorkspaceLock.acquire(Path(sys.argv[1]), sys.argv[2], Path("other.sock"))
print("owned", flush=True)
sys.stdin.read()
"""


@contextmanager
def owner(path: Path, mode: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(path), mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "owned\n"
        yield process
        process.kill()


def test_the_owner_stands_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "lock"
    lock = WorkspaceLock.acquire(path, "service", SOCKET)
    assert json.loads(path.read_text()) == {"pid": os.getpid(), "mode": "service", "socket": str(SOCKET)}
    lock.release()
    lock.release()
    assert path.exists()


@pytest.mark.parametrize(("mode", "command"), [("service", "(lcg)"), ("mcp-stdio", "(lcg --mcp-stdio)")])
def test_a_second_process_fails_at_once_with_pid_and_attach_command(tmp_path: Path, mode: str, command: str) -> None:
    path = tmp_path / "lock"
    with owner(path, mode) as process, pytest.raises(WorkspaceOwned) as caught:
        WorkspaceLock.acquire(path, "mcp-stdio", SOCKET)
    assert f"process {process.pid} {command}. Attach to it: lcg --mcp-stdio --connect other.sock" in str(caught.value)


def test_an_owner_that_has_no_socket_is_not_named_as_one_to_attach_to(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = WorkspaceLock.acquire(path, "mcp-stdio", SOCKET)
    lock.tell("mcp-stdio", None)
    with pytest.raises(WorkspaceOwned, match=rf"process {os.getpid()} .*its own client only.*End it"):
        WorkspaceLock.acquire(path, "service", SOCKET)
    lock.release()
    assert last_owner(path) == Owner(os.getpid(), None)


def test_a_killed_owner_leaves_nothing_that_hinders(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with owner(path, "service") as process:
        process.kill()
        process.wait()
        WorkspaceLock.acquire(path, "service", SOCKET).release()


@pytest.mark.parametrize(
    "content",
    [
        "[" * 5000,
        "",
        "{}",
        *(f'{{"pid": {pid}, "socket": null}}' for pid in ("true", "1.5", "0", "-1", '"12"', "null")),
    ],
)
def test_whatever_an_old_file_holds_is_harmless(tmp_path: Path, content: str) -> None:
    path = tmp_path / "lock"
    path.write_text(content)
    assert last_owner(path) is None
    lock = WorkspaceLock.acquire(path, "verify", SOCKET)
    assert json.loads(path.read_text())["socket"] is None
    lock.release()


def test_a_lock_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LockFailed, match="workspace lock"):
        WorkspaceLock.acquire(tmp_path / "file" / "lock", "service", SOCKET)


def test_the_log_root_is_made_and_owned_when_migrations_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, shared = tmp_path / "one", tmp_path / "two", Settings(wal_dir=tmp_path / "logs")
    for workspace in (one, two):
        workspace.mkdir()
    monkeypatch.chdir(one)
    first = Ownership.acquire(shared, "service")
    assert not shared.wal_dir.exists()
    first.take_logs(shared)
    assert shared.wal_dir.is_dir()
    monkeypatch.chdir(two)
    second = Ownership.acquire(shared, "service")
    with pytest.raises(WorkspaceOwned, match=rf"log root .*logs is in use by .*{WHO}.*LCG_WAL_DIR"):
        second.take_logs(shared)
    first.release()
    second.release()
    third = Ownership.acquire(shared, "service")
    third.take_logs(shared)
    third.release()
