"""Makes the environment that graphiti-core is measured in, once; its versions are pinned."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

RIVAL = "graphiti-core"
RIVAL_VERSION = "0.31.2"
_PINNED = [f"{RIVAL}[kuzu]=={RIVAL_VERSION}", "kuzu==0.11.3", "httpx==0.28.1"]
"""graphiti-core imports httpx and does not ask for it."""
_SAME_AS_HERE = ["numpy", "safetensors", "tokenizers", "wordllama"]
"""What the built-in embedder runs on."""
_MOST_SECONDS = 900


class NoEnvironment(Exception):
    """The environment cannot be had; the message says why."""


def rival_python(folder: Path) -> Path:
    """Return the interpreter of the environment in a folder; without one there, make it with pip's configured index.

    Raises:
        NoEnvironment: pip could not get what is needed.
    """
    python, ready = folder / "bin" / "python", folder / "ready"
    if ready.is_file():
        return python
    print(f"making an environment for {RIVAL} {RIVAL_VERSION} in {folder}", file=sys.stderr)
    packages = [*_PINNED, *(f"{name}=={version(name)}" for name in _SAME_AS_HERE)]
    _run([sys.executable, "-m", "venv", "--clear", str(folder)])
    _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages])
    ready.touch()
    return python


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=_MOST_SECONDS)
    except subprocess.CalledProcessError as error:
        last = [line for line in error.stderr.splitlines() if line.startswith("ERROR")] or ["no reason given"]
        raise NoEnvironment(f"{RIVAL} {RIVAL_VERSION} could not be installed: {last[-1]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoEnvironment(f"{RIVAL} {RIVAL_VERSION} could not be installed: {error}") from error
