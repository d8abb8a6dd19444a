"""The clients whose files are known, and what each has to be told of this program."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from lcg.client_files import json_file, toml_file
from lcg.client_files.merging import Unmergeable
from lcg.generated import config

SCOPE: Final = "read,write"
NAME: Final = "lcg"

Syntax = Literal["json", "jsonc", "toml"]


@dataclass(frozen=True, slots=True)
class Client:
    """A client of MCP and its files.

    Attributes:
        name: what it is called on the command line.
        title: what people call it.
        key: the object or table that holds the servers.
        syntax: how its files are written; `jsonc` is JSON with comments.
        project_file: its file relative to a project's folder, None when it has none.
        folder: what it replaces in arguments by the project's folder, None when it replaces nothing.
        typed: whether an entry says that it is of the kind `stdio`.
        more: further fields of an entry.
    """

    name: str
    title: str
    key: str
    syntax: Syntax
    project_file: str | None
    folder: str | None = None
    typed: bool = True
    more: tuple[tuple[str, Any], ...] = ()

    def user_file(self) -> Path:
        """Return the file that counts in all projects of this user."""
        home = Path.home()
        files = {
            "claude-code": Path(os.environ.get("CLAUDE_CONFIG_DIR") or home) / ".claude.json",
            "claude-desktop": _application_folder(home) / "Claude" / "claude_desktop_config.json",
            "cursor": home / ".cursor" / "mcp.json",
            "vscode": _application_folder(home) / "Code" / "User" / "mcp.json",
            "codex": Path(os.environ.get("CODEX_HOME") or home / ".codex") / "config.toml",
        }
        return files[self.name]

    def entry(self, workspace: str, scope: str) -> dict[str, Any]:
        """Return what the client has to be told: the program, and its arguments for a workspace."""
        program, *before = program_words()
        return {
            **({"type": "stdio"} if self.typed else {}),
            "command": program,
            "args": [*before, *arguments(workspace, scope)],
            **dict(self.more),
        }

    def text_with(self, text: str, name: str, entry: dict[str, Any]) -> str:
        """Return a file's text with an entry in it. Raises Unmergeable."""
        if self.syntax == "toml":
            return toml_file.with_server(text, self.key, name, entry)
        return json_file.with_server(text, self.key, name, entry, comments=self.syntax == "jsonc")

    def servers(self, text: str) -> dict[str, Any]:
        """Return the servers that a file's text has, by name. Raises Unmergeable."""
        if self.syntax == "toml":
            return toml_file.servers_in(text, self.key)
        return json_file.servers_in(text, self.key, comments=self.syntax == "jsonc")


CLIENTS: Final = {
    client.name: client
    for client in (
        # Its variable is set for servers of a project; `.` is where it starts them.
        Client("claude-code", "Claude Code", "mcpServers", "json", ".mcp.json", "${CLAUDE_PROJECT_DIR:-.}"),
        Client("claude-desktop", "Claude Desktop", "mcpServers", "json", None, typed=False),
        Client("cursor", "Cursor", "mcpServers", "jsonc", ".cursor/mcp.json", "${workspaceFolder}"),
        Client("vscode", "VS Code", "servers", "jsonc", ".vscode/mcp.json", "${workspaceFolder}"),
        # A service that has to be started first may take longer than the ten seconds that it waits by itself.
        Client(
            "codex",
            "Codex",
            "mcp_servers",
            "toml",
            ".codex/config.toml",
            typed=False,
            more=(("startup_timeout_sec", 60),),
        ),
    )
}


def arguments(workspace: str, scope: str = SCOPE) -> list[str]:
    """Return the arguments for a client: the graph of a workspace, shared with every other client of it.

    The workspace is named because clients differ in where they start their servers.
    """
    told = [f"--scope={scope}" if word.startswith("--scope=") else word for word in config.CLIENT_ARGUMENTS]
    return [*told, "--workspace", workspace]


def program_words() -> list[str]:
    """Return how this program is started from anywhere, since few clients have the same PATH as a shell."""
    beside = Path(sys.executable).with_name("lcg")
    if os.access(beside, os.X_OK):
        return [str(beside)]
    found = shutil.which("lcg")
    return [str(Path(found).absolute())] if found else [sys.executable, "-m", "lcg"]


def decoded(data: bytes) -> str:
    """Return a file's text. Raises Unmergeable."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unmergeable("it is no UTF-8 text", line) from None


def _application_folder(home: Path) -> Path:
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    return Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
