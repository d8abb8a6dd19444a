"""One process owns a workspace, its store and its logs, wherever these lie: locks that live as long as their owner."""

import contextlib
import fcntl
import json
import os
import shlex
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from lcg.server.holders import lock_holder
from lcg.server.places import PlaceRefused, check_places
from lcg.settings import LOCK_PATH, Settings

Mode = Literal["service", "mcp-stdio", "verify", "restore", "command"]

_PASSING: Final = ("verify", "restore", "command")
"""Modes of processes that end by themselves."""
_READ_ATTEMPTS: Final = 20
_READ_PAUSE_S: Final = 0.01
_PATIENT_PAUSE_S: Final = 0.1


class WorkspaceOwned(Exception):
    """Another process owns the workspace; the message names it and says how to attach to it."""


class LockFailed(Exception):
    """The lock file cannot be made or locked at all."""


@dataclass(slots=True)
class Ownership:
    """What one process must have for itself. The kernel ends it with the process, however that comes."""

    _workspace: "WorkspaceLock"
    _descriptors: list[int]

    @classmethod
    def acquire(cls, settings: Settings, mode: Mode, patience_s: float = 0.0) -> "Ownership":
        """Take the workspace and the store, or fail and take nothing.

        The store can be that of another workspace (LCG_DB_PATH), so its own lock does not do.

        Args:
            settings: where everything is.
            mode: what this process does with it.
            patience_s: seconds to wait for an owner that may be about to end.

        Raises:
            WorkspaceOwned: another process has one of them; the message says what to do.
            LockFailed: a lock cannot be had at all, or a place is not what it has to be.
        """
        end = time.monotonic() + patience_s
        while True:
            try:
                return cls._acquire(settings, mode)
            except WorkspaceOwned:
                if time.monotonic() >= end:
                    raise
            time.sleep(_PATIENT_PAUSE_S)

    @classmethod
    def _acquire(cls, settings: Settings, mode: Mode) -> "Ownership":
        try:
            check_places(settings, writes=mode != "verify")
        except PlaceRefused as error:
            raise LockFailed(str(error)) from error
        ownership = cls(WorkspaceLock.acquire(LOCK_PATH, mode, settings.socket_path), [])
        beside_store = settings.db_path.with_name(f"{settings.db_path.name}.lock")
        try:
            # The engine locks the store itself its own way, so ours is a file beside it.
            ownership._take(beside_store, os.O_RDWR | os.O_CREAT, f"the store {settings.db_path}", "LCG_DB_PATH")
        except (WorkspaceOwned, LockFailed):
            ownership.release()
            raise
        return ownership

    def take_logs(self, settings: Settings) -> None:
        """Take the root of the logs too, which can be another workspace's (LCG_WAL_DIR). It is made when missing.

        To be called after migrations, which may have something to move to its place.

        Raises:
            WorkspaceOwned, LockFailed: as in `acquire`.
        """
        flags = os.O_RDONLY | os.O_DIRECTORY
        self._take(settings.wal_dir, flags, f"the log root {settings.wal_dir}", "LCG_WAL_DIR")

    def _take(self, place: Path, flags: int, what: str, variable: str) -> None:
        try:
            (place if flags & os.O_DIRECTORY else place.parent).mkdir(parents=True, exist_ok=True)
            descriptor = os.open(place, flags | os.O_CLOEXEC, 0o644)
        except OSError:
            return  # nothing that could be shared; whoever opens it says what is wrong with it
        self._descriptors.append(descriptor)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pid = lock_holder(descriptor)
            who = f"process {pid}, an lcg" if pid else "another lcg process"
            raise WorkspaceOwned(
                f"{what} is in use by {who} that runs in another directory. "
                f"Set {variable} to a place of its own, or run lcg in that directory to see how to attach."
            ) from None
        except OSError as error:
            raise LockFailed(f"cannot lock {what}: {error.strerror}.") from error

    def tell_no_socket(self, mode: Mode) -> None:
        """Tell who finds the workspace owned that this process cannot be attached to."""
        self._workspace.tell(mode, None)

    def tell_socket(self, mode: Mode, socket_path: Path) -> None:
        """Tell who finds the workspace owned where this process listens, since it does now."""
        self._workspace.tell(mode, socket_path)

    def release(self) -> None:
        """Give everything up. Safe to call twice."""
        while self._descriptors:
            os.close(self._descriptors.pop())
        self._workspace.release()


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
            raise LockFailed(
                f"cannot open the workspace lock {path}: {error.strerror}. A file that can be written is expected "
                "there. Mend or remove what is there, or start lcg in another directory."
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise WorkspaceOwned(_owned(path, socket_path)) from None
        except OSError as error:
            os.close(descriptor)
            raise LockFailed(f"cannot lock {path}: {error.strerror}.") from error
        lock = cls(path, descriptor)
        lock.tell(mode, socket_path if mode in ("service", "mcp-stdio") else None)
        return lock

    def tell(self, mode: Mode, socket_path: Path | None) -> None:
        """Write who this is and where others can attach."""
        owner = {"pid": os.getpid(), "mode": mode, "socket": None if socket_path is None else str(socket_path)}
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, json.dumps(owner).encode() + b"\n", 0)

    def release(self) -> None:
        """Give the lock up. Safe to call twice."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def _owned(path: Path, socket_path: Path) -> str:
    owner = _read_owner(path)
    pid = owner.get("pid", "unknown")
    if owner.get("mode") in _PASSING:
        what = "a sub-command of lcg" if owner["mode"] == "command" else f"lcg {owner['mode']}"
        return f"this workspace is owned by process {pid} ({what}), which ends by itself. Wait for that."
    command = "lcg --mcp-stdio" if owner.get("mode") == "mcp-stdio" else "lcg"
    socket = owner.get("socket")
    if socket is None and pid != "unknown":
        return (
            f"this workspace is owned by process {pid} ({command}), which serves its own client only, since it could "
            "not have a socket. End it and run `lcg` as a service; then every client attaches with: "
            f"lcg --mcp-stdio --connect {shlex.quote(str(socket_path))}"
        )
    return (
        f"this workspace is owned by process {pid} ({command}). Attach to it: "
        f"lcg --mcp-stdio --connect {shlex.quote(str(socket or socket_path))}"
    )


@dataclass(frozen=True, slots=True)
class Owner:
    """What the owner of a workspace wrote into its lock, which stays there when the owner is gone.

    Attributes:
        pid: its process id, as it sees that itself.
        socket: where it listens, or None.
    """

    pid: int
    socket: str | None


def last_owner(path: Path) -> Owner | None:
    """Return who owned the workspace last, and may do so now; None when nothing readable tells."""
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        read = json.loads(path.read_text())
        socket = read["socket"]
        return Owner(_pid(read), None if socket is None else str(socket))
    return None


def _read_owner(path: Path) -> dict[str, Any]:
    # A new owner locks first and writes then, so for a moment the file is empty or tells of the last owner.
    owner: dict[str, Any] = {}
    for _ in range(_READ_ATTEMPTS):
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
            read = json.loads(path.read_text())
            if isinstance(read, dict):
                owner = read
                os.kill(_pid(owner), 0)
                break
        time.sleep(_READ_PAUSE_S)
    return owner


def _pid(owner: dict[str, Any]) -> int:
    pid = owner["pid"]
    if type(pid) is not int or pid <= 0:
        raise ValueError("no process id")
    return pid
