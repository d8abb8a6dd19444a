"""The interpreter, the packages, the variables and the disk."""

import difflib
import os
import platform
import shutil
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from lcg import __version__
from lcg.commands.checks.finding import Finding
from lcg.generated import config
from lcg.graph.disk_space import RESERVE_BYTES
from lcg.settings import Settings

_PACKAGES: Final = (
    "kuzu", "hnswlib", "pyarrow", "numpy", "orjson", "mcp", "wordllama", "tokenizers", "simsimd",
)  # fmt: skip
_PREFIXES: Final = ("LCG_", "GRAPHITI_", "LIMINIS_")
_FREE_BYTES: Final = 8 * RESERVE_BYTES
"""Below this it is worth a note; writes are refused much later."""


def check_environment(env: Mapping[str, str]) -> Iterator[Finding]:
    """Look at what is there before any setting counts."""
    version = ".".join(map(str, sys.version_info[:3]))
    where = f"lcg {__version__}, Python {version} ({sys.executable}), {platform.system()} {platform.machine()}"
    if (3, 11) <= sys.version_info[:2] < (3, 14):
        yield Finding("environment", "ok", where)
    else:
        yield Finding("environment", "problem", where, "lcg runs on Python 3.11 to 3.13; install it with one of them.")
    missing = [name for name in _PACKAGES if find_spec(name) is None]
    if missing:
        remedy = "Install lcg anew, with its dependencies."
        yield Finding("environment", "problem", f"These packages are missing: {', '.join(missing)}.", remedy)
    yield from _unknown_variables(env)


def check_settings(settings: Settings) -> Iterator[Finding]:
    """Look at what the variables say, and at the room on the disk."""
    for note in settings.notes:
        yield Finding("environment", "note", note, "Change that variable, or unset it.")
    place = next(path for path in (settings.db_path.absolute(), *settings.db_path.absolute().parents) if path.exists())
    free = shutil.disk_usage(place if place.is_dir() else place.parent).free
    said = f"{free >> 20:,} MB are free on the disk of the store."
    if free < RESERVE_BYTES:
        yield Finding("environment", "problem", said, "Make room: writes are refused until then.")
    elif free < _FREE_BYTES:
        yield Finding(
            "environment", "note", said, f"Make room soon: below {RESERVE_BYTES >> 20} MB writes are refused."
        )
    else:
        yield Finding("environment", "ok", said)


def _unknown_variables(env: Mapping[str, str]) -> Iterator[Finding]:
    known = {name for variable in config.VARIABLES for name in (variable.name, variable.old_name) if name}
    for name in sorted(env):
        if name.startswith(_PREFIXES) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            advice = f"Did you mean {near[0]}?" if near else "`lcg --help` lists all."
            yield Finding("environment", "note", f"The variable {name} means nothing to lcg.", f"{advice} Or unset it.")


def home_relative(path: Path) -> str:
    """Return a path as people write it."""
    home = Path(os.path.expanduser("~"))
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)
