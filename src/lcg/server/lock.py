"""One process owns a workspace: a lock file that lives as long as its owner."""

import contextlib
import fcntl
import json
import os
import shlex
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

Mode = Literal["service", "mcp-stdio"]

_READ_ATTEMPTS: Final = 20
_READ_PAUSE_S: Final = 0.01


class WorkspaceOwned(Exception):
    """Another process owns the workspace; the message names it and says how to attach to it."""


class LockFailed(Exception):
    """The lock file cannot be made or locked at all."""


@dataclass(slots=True)
class WorkspaceLock:
    """The lock, held from `acquire` until `release` or the end of the process, however that comes.

    The file stays behind and is harmless: the lock is the kernel's, its text only tells who holds it.
    """

    path: Path
    _descriptor: int

    @classmethod
    def acquire(cls, path: Path, mode: Mode, socket_path: Path) -> "WorkspaceLock":
        """Take the lock at once or fail, and write PID, mode and socket into the file.

        Raises:
            WorkspaceOwned: another process has it.
            LockFailed: the file cannot be made or locked.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise LockFailed(f"cannot open the workspace lock {path}: {error.strerror}.") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise WorkspaceOwned(_owned(path, socket_path)) from None
        except OSError as error:
            os.close(descriptor)
            raise LockFailed(f"cannot lock {path}: {error.strerror}.") from error
        owner = {"pid": os.getpid(), "mode": mode, "socket": str(socket_path) if mode == "service" else None}
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps(owner).encode() + b"\n", 0)
        return cls(path, descriptor)

    def release(self) -> None:
        """Give the lock up. Safe to call twice."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def _owned(path: Path, socket_path: Path) -> str:
    owner = _read_owner(path)
    pid = owner.get("pid", "unknown")
    if owner.get("mode") == "mcp-stdio":
        return (
            f"this workspace is owned by process {pid} (lcg --mcp-stdio), which serves its own client only. "
            f"End it and run `lcg` as a service; then every client attaches with: "
            f"lcg --mcp-stdio --connect {shlex.quote(str(socket_path))}"
        )
    socket = shlex.quote(str(owner.get("socket") or socket_path))
    return f"this workspace is owned by process {pid} (lcg). Attach to it: lcg --mcp-stdio --connect {socket}"


def _read_owner(path: Path) -> dict[str, Any]:
    # A new owner locks first and writes then, so for a moment the file is empty or tells of the last owner.
    owner: dict[str, Any] = {}
    for _ in range(_READ_ATTEMPTS):
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
            read = json.loads(path.read_text())
            if isinstance(read, dict):
                owner = read
                os.kill(int(owner["pid"]), 0)
                break
        time.sleep(_READ_PAUSE_S)
    return owner
