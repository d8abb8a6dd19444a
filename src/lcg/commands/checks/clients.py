"""The files of MCP clients: which have this program, and whether what they start is there."""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lcg.client_files.clients import CLIENTS, Client, decoded
from lcg.client_files.merging import Unmergeable, is_ours
from lcg.client_files.saving import read
from lcg.commands.checks.environment import home_relative
from lcg.commands.checks.finding import Finding


def check_clients(workspace: Path) -> Iterator[Finding]:
    """Look into the files of every client that is known, of this workspace and of this user."""
    configured = 0
    for client in CLIENTS.values():
        for path, flag in _files(client, workspace):
            for finding in _look(client, path, flag):
                configured += finding.level == "ok"
                yield finding
    if not configured:
        names = ", ".join(sorted(CLIENTS))
        yield Finding(
            "clients", "note", "No client's file starts lcg.", f"`lcg mcp-config CLIENT --write` changes that: {names}."
        )


def _files(client: Client, workspace: Path) -> Iterator[tuple[Path, str]]:
    if client.project_file is not None:
        yield workspace / client.project_file, ""
    yield client.user_file(), "" if client.project_file is None else " --user"


def _look(client: Client, path: Path, flag: str) -> Iterator[Finding]:
    shown = f"{client.title}, {home_relative(path)}"
    again = f"`lcg mcp-config {client.name}{flag} --write` puts it right."
    try:
        data = read(path)
        servers = {} if data is None else client.servers(decoded(data))
    except Unmergeable as error:
        yield Finding("clients", "problem", f"{shown}: {error}.", "Mend the file: its client cannot read it either.")
        return
    except OSError as error:
        yield Finding("clients", "note", f"{shown}: {error.strerror}.", "Mend its rights, if that client is used.")
        return
    for name, entry in servers.items():
        if is_ours(entry):
            program = str(entry["command"])
            if shutil.which(program) is None:
                yield Finding("clients", "problem", f"{shown}: `{name}` starts {program}, which is not there.", again)
            else:
                yield Finding("clients", "ok", f"{shown}: `{name}` starts {_folder(entry)}.")


def _folder(entry: Mapping[str, Any]) -> str:
    words = [str(word) for word in entry.get("args", ())]
    place = words[words.index("--workspace") + 1] if "--workspace" in words[:-1] else entry.get("cwd")
    return f"lcg for {place}" if place else "lcg where that client starts it"
