"""The command line of the MCP inspector, a client in another language, as one more kind of client."""

import functools
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.e2e.clients import ATTACHED, EVERY_SCOPE, checked, rows_of
from tests.finished import finished
from tests.processes import REAL, environment

PACKAGE = "@modelcontextprotocol/inspector@0.15.0"
FETCHING_S = 60.0
CALL_S = 60.0


class Missing(Exception):
    """The inspector cannot be had here."""


@functools.cache
def command() -> str:
    """Return the path of the inspector's program, which is fetched unless it is there. Raises Missing."""
    if not shutil.which("node") or not shutil.which("npx"):
        raise Missing("the MCP inspector needs node and npx")
    try:
        done = finished(
            ["npx", "-y", "-p", PACKAGE, "-c", "command -v mcp-inspector"],
            FETCHING_S,
            env=os.environ | {"npm_config_fetch_retries": "0"},
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"npx did not fetch {PACKAGE} within {FETCHING_S:.0f} s") from None
    if done.returncode:
        raise Missing(f"npx cannot fetch {PACKAGE}: {' '.join(done.stderr.split())[:200]}")
    return done.stdout.strip()


class Inspector:
    """Starts the inspector, and by it an MCP process, for every request. Raises Missing when it cannot be had."""

    def __init__(self, workspace: Path, *arguments: str) -> None:
        self._workspace = workspace
        self._command = [command(), "--cli", *REAL, "--mcp-stdio", *EVERY_SCOPE, *(arguments or ATTACHED)]

    def _run(self, *options: str) -> dict[str, Any]:
        done = finished([*self._command, *options], CALL_S, cwd=self._workspace, env=environment())
        assert done.returncode == 0, done.stdout + done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def tools(self) -> list[str]:
        """Return the names of the tools that are listed."""
        return [tool["name"] for tool in self._run("--method", "tools/list")["tools"]]

    def result(self, method: str, **params: Any) -> Any:
        """Call a tool. Raises Refused when it fails."""
        given = {name: value if isinstance(value, str) else json.dumps(value) for name, value in params.items()}
        pairs = [word for name, text in given.items() for word in ("--tool-arg", f"{name}={text}")]
        return checked(method, self._run("--method", "tools/call", "--tool-name", method, *pairs))

    def rows(self, query: str, **parameters: Any) -> list[list[Any]]:
        """Return all rows of a Cypher query."""
        return rows_of(self, query, parameters)


def asked_for_everything() -> bool:
    """Whether the environment asks for the calls that cost seconds each."""
    return os.environ.get("LCG_ALL_CLIENTS", "") not in ("", "0")
