"""The environments of rivals that npm brings: made when they are needed, kept in a folder, with pinned versions."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.scenario import Skipped

_FETCHING_S: Final = 600


def program(kept: Path, package: str, version: str, name: str) -> Path:
    """Return a program of a package.

    Raises:
        Skipped: npm is not here, or the package cannot be had.
    """
    folder = kept / "npm" / f"{package.strip('@').replace('/', '-')}-{version}"
    if not (folder / "ready").is_file():
        _install(folder, f"{package}@{version}")
    return folder / "node_modules" / ".bin" / name


def _install(folder: Path, wanted: str) -> None:
    if not shutil.which("npm"):
        raise Skipped(f"npm, which brings {wanted}, is not here.")
    print(f"making an environment for {wanted}", file=sys.stderr, flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    command = ("npm", "install", "--no-audit", "--no-fund", "--silent", wanted)
    environment = os.environ | {"npm_config_fetch_retries": "1", "npm_config_update_notifier": "false"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_FETCHING_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise Skipped(f"{wanted} did not come within {_FETCHING_S} s.") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "no reason was given").splitlines()
        raise Skipped(f"{wanted} cannot be had: {said[-1][:160]}")
    (folder / "ready").touch()
