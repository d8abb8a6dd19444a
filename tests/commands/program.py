"""The program as people run it: a process of its own in a workspace, without a terminal."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.processes import PATIENCE_S, REAL, environment


def lcg(
    workspace: Path, *arguments: str, env: Mapping[str, str] = MappingProxyType({})
) -> subprocess.CompletedProcess[str]:
    """Run a sub-command to its end."""
    return subprocess.run(
        [*REAL, *arguments],
        cwd=workspace,
        env=environment(env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S * 2,
        check=False,
    )


def answer(workspace: Path, *arguments: str) -> Any:
    """Run a sub-command that succeeds and return its JSON, which is all that it writes to stdout."""
    done = lcg(workspace, *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)
