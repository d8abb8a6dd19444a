"""The environments of the clients: made when they are needed, kept in build/clients/, made anew when pins change."""

import functools
import hashlib
import importlib.metadata
import os
import shutil
import subprocess
import venv
from pathlib import Path
from typing import Final

from tests.processes import ROOT

KEPT: Final = ROOT / "build" / "clients"
REQUIREMENTS: Final = Path(__file__).parent / "requirements"
NODE: Final = "node@22.23.3"
"""Some programs need a newer node than the machine has; it comes as a package."""

_FETCHING_S: Final = 600


class Missing(Exception):
    """A client cannot be had here; the message says why."""


def python(name: str) -> Path:
    """Return the interpreter of an environment with the packages of requirements/NAME.txt. Raises Missing."""
    pins = (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8")
    folder = KEPT / name
    if not _is_there(folder, pins):
        venv.create(folder, clear=True, with_pip=True)
        command = (
            folder / "bin/pip",
            "install",
            "-q",
            "--disable-pip-version-check",
            "-r",
            REQUIREMENTS / f"{name}.txt",
        )
        _fetched(command, folder, f"the packages of requirements/{name}.txt")
        _mark(folder, pins)
    return folder / "bin/python"


def node_programs(package: str) -> Path:
    """Return the folder with the programs that a package of npm brings. Raises Missing."""
    if not shutil.which("npm"):
        raise Missing("npm is not here")
    folder = KEPT / package.lstrip("@").replace("/", "-").replace("@", "-")
    if not _is_there(folder, package):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        _fetched(("npm", "install", "--no-audit", "--no-fund", "--silent", package), folder, package)
        _mark(folder, package)
    return folder / "node_modules/.bin"


@functools.cache
def newer_node() -> Path:
    """Return the folder with a node that is new enough. Raises Missing."""
    return node_programs(NODE)


def version_of(name: str, package: str) -> str:
    """Return which version of a package an environment pins."""
    for line in (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        found, _, version = line.partition("==")
        if found == package:
            return version
    raise KeyError(f"requirements/{name}.txt does not pin {package}")


def installed(package: str) -> str:
    """Return the version of a package in the environment that runs this."""
    return importlib.metadata.version(package)


def _fetched(command: tuple[str | Path, ...], folder: Path, what: str) -> None:
    environment = os.environ | {"npm_config_fetch_retries": "1", "npm_config_update_notifier": "false"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_FETCHING_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise Missing(f"{what} did not come within {_FETCHING_S} s") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "no reason was given").splitlines()
        raise Missing(f"{what} cannot be had: {said[-1][:160]}")


def _is_there(folder: Path, pins: str) -> bool:
    mark = folder / ".complete"
    return mark.is_file() and mark.read_text(encoding="utf-8") == _digest(pins)


def _mark(folder: Path, pins: str) -> None:
    (folder / ".complete").write_text(_digest(pins), encoding="utf-8")


def _digest(pins: str) -> str:
    return hashlib.sha256(pins.encode()).hexdigest()
