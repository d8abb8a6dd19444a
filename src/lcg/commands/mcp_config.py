"""`lcg mcp-config`: say what an MCP client has to be told of this program, or put it into the client's file."""

import os
import re
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lcg.client_files.clients import CLIENTS, NAME, SCOPE, Client, decoded
from lcg.client_files.merging import Unmergeable
from lcg.client_files.saving import read, save
from lcg.commands.common import FAILED, USAGE, Parser, say
from lcg.server.scopes import parse_scopes
from lcg.settings import UsageError

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,20}")


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: 0 done, 1 the file was left as it is, 2 usage error."""
    try:
        options = _parser().read(arguments)
        if options is None:
            return 0
        client = CLIENTS[options.client]
        parse_scopes(options.scope)
        if not _NAME.fullmatch(options.name):
            raise UsageError(f"--name: {options.name!r} is not up to 20 letters, digits, `_` and `-`.")
        workspace = Path(os.path.expanduser(options.workspace)).absolute()
        if not workspace.is_dir():
            raise UsageError(f"--workspace: {workspace} is no directory; make it, or name another one.")
    except UsageError as error:
        say(f"lcg mcp-config: {error}")
        return USAGE
    path = _file(client, workspace, options.user)
    if options.print_path:
        sys.stdout.write(f"{path}\n")
        return 0
    return _configure(client, path, workspace, options)


def _parser() -> Parser:
    parser = Parser(
        "mcp-config",
        "Print what an MCP client has to be told, so that it has the graph of a workspace, shared with every other "
        "client of it. With --write, put it into the client's file: everything else there stays as it is, and a copy "
        "of the old file is kept. Exit status 0: done, 1: the file was left as it is, 2: wrong arguments.",
    )
    parser.add_argument("client", metavar="CLIENT", choices=sorted(CLIENTS), help=", ".join(sorted(CLIENTS)))
    parser.add_argument("--write", action="store_true", help="put it into the client's file")
    parser.add_argument("--user", action="store_true", help="for all projects of this user, not for this one only")
    parser.add_argument("--workspace", metavar="DIR", default=".", help="the workspace (default: this directory)")
    parser.add_argument("--scope", metavar="LIST", default=SCOPE, help=f"tools to show (default: {SCOPE})")
    parser.add_argument("--name", metavar="N", default=NAME, help=f"what the server is called there (default: {NAME})")
    parser.add_argument("--print-path", action="store_true", help="print the path of the client's file and end")
    return parser


def _file(client: Client, workspace: Path, for_user: bool) -> Path:
    if client.project_file is None or for_user:
        return client.user_file()
    return workspace / client.project_file


def _configure(client: Client, path: Path, workspace: Path, options: Namespace) -> int:
    of_project = client.project_file is not None and not options.user
    # A project's file is shared by people whose folders differ.
    folder = client.folder if of_project and client.folder else str(workspace)
    entry = client.entry(folder, options.scope)
    if not options.write:
        sys.stdout.write(client.text_with("", options.name, entry))
        say(f"For {client.title}: this belongs into {path}; --write puts it there.")
        return 0
    try:
        return _write(client, path, options.name, entry, for_user=options.user)
    except Unmergeable as error:
        place = f"{path}:{error.line}" if error.line is not None else f"{path}"
        say(f"lcg mcp-config: {place}: {error}. The file was left as it is.")
    except OSError as error:
        say(f"lcg mcp-config: {path}: {error.strerror or error}. The file was left as it is.")
    return FAILED


def _write(client: Client, path: Path, name: str, entry: dict[str, object], *, for_user: bool) -> int:
    old = read(path)
    text = decoded(old or b"")
    changed = client.text_with(text, name, entry)
    if old is not None and changed == text:
        say(f"{path} has it already; nothing was changed.")
        return 0
    backup = save(path, old, changed.encode())
    say(f"{path}: the server `{name}` is there now." + (f" The old file is {backup.name}." if backup else ""))
    if client.name == "codex" and not for_user:
        say("Codex reads a project's file only where the project is trusted.")
    say(f"Restart {client.title}, or let it read its servers again.")
    return 0
