"""The workspace, and who has it: its place, its lock, its socket."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lcg import __version__
from lcg.client import Client, ClientError
from lcg.commands.checks.finding import Finding
from lcg.commands.common import has_workspace
from lcg.commands.graph import running_service
from lcg.server.holders import lock_holder
from lcg.server.lock import last_owner
from lcg.server.migration import workspace_of
from lcg.server.places import PlaceRefused, check_places
from lcg.server.socket import MAX_PATH_BYTES
from lcg.settings import LOCK_PATH, Settings


@dataclass(slots=True)
class Owner:
    """Who has the workspace: a process that holds the lock, as far as the system tells, and a client of it."""

    pid: int | None = None
    client: Client | None = None


def check_workspace(settings: Settings) -> Iterator[Finding]:
    """Look whether there is a workspace, in which lcg can write."""
    here = Path.cwd()
    if workspace_of(settings).is_due:
        old = workspace_of(settings).old
        yield Finding("workspace", "note", f"{old} holds a workspace of an earlier layout.", "The next start moves it.")
    elif not has_workspace(settings):
        remedy = "Go to the directory that has .lcg/, or make one here: `lcg ingest PATH`, or `lcg mcp-config CLIENT`."
        yield Finding("workspace", "note", f"{here} is no workspace.", remedy)
        return
    try:
        check_places(settings, writes=True)
    except PlaceRefused as error:
        yield Finding("workspace", "problem", "lcg cannot start here.", str(error))
    else:
        yield Finding("workspace", "ok", f"{here} is a workspace, and lcg can write in it.")


def check_lock(owner: Owner) -> Iterator[Finding]:
    """Look who has the workspace, and note it."""
    try:
        descriptor = os.open(LOCK_PATH, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        yield Finding("lock", "ok", "Nobody has had the workspace yet.")
        return
    except OSError as error:
        remedy = f"Mend the rights of {LOCK_PATH}: lcg has to open it."
        yield Finding("lock", "problem", f"{LOCK_PATH} cannot be opened: {error.strerror}.", remedy)
        return
    try:
        # To take the lock, if only for a moment, would make a start fail that happens just then.
        owner.pid = lock_holder(descriptor)
    finally:
        os.close(descriptor)
    if owner.pid is None:
        yield Finding("lock", "ok", "No process has the workspace.")
    else:
        yield Finding("lock", "ok", f"Process {owner.pid} has the workspace.")


def check_socket(settings: Settings, owner: Owner) -> Iterator[Finding]:
    """Look whether the owner can be asked, and note how."""
    path = settings.socket_path
    size = len(os.fsencode(path))
    if size > MAX_PATH_BYTES:
        what = f"The socket path has {size} bytes; at most {MAX_PATH_BYTES} are possible."
        yield Finding("socket", "problem", what, "Set LCG_SOCKET_PATH to a shorter path.")
        return
    try:
        owner.client = running_service(settings)
        health = None if owner.client is None else owner.client.call("health_check")
    except ClientError as error:
        yield Finding(
            "socket",
            "problem",
            "The owner of the workspace takes connections, but gives no answer of use.",
            f"End it and start again. {error}",
        )
        return
    if health is not None:
        yield from _of_service(str(path), health)
    elif owner.pid is not None:
        told = last_owner(LOCK_PATH)
        remedy = f"End process {owner.pid}, or wait for its end, where other clients need the graph."
        if told is not None and told.socket is not None:
            remedy = f"It may be starting: try again. Otherwise end process {owner.pid} and start it anew."
        yield Finding("socket", "note", "The process that has the workspace cannot be attached to.", remedy)
    elif path.exists() and not path.is_socket():
        remedy = "Move it away, or set LCG_SOCKET_PATH."
        yield Finding("socket", "problem", f"{path} is no socket, so no service can listen there.", remedy)
    else:
        yield Finding("socket", "ok", "No service runs. `lcg`, and `lcg --mcp-stdio --connect auto`, start one.")


def _of_service(path: str, health: dict[str, object]) -> Iterator[Finding]:
    who = f"Process {health['pid']}, lcg {health['version']}, answers at {path}: {health['state']}."
    if health["version"] != __version__:
        remedy = f"This is lcg {__version__}: end that process, so that the next start is of one version."
        yield Finding("socket", "note", who, remedy)
    elif health["state"] == "degraded":
        yield Finding("socket", "problem", who, "See `store`.")
    else:
        yield Finding("socket", "ok", who)
