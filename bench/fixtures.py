"""Made-up workspaces, made once and kept: a scenario gets a copy that it may change.

A workspace of N entities has 2N relationships and N/2 episodes, in one group or spread over several. Its log is written
as `bench.made_log` does, then the service itself rebuilds store and indexes from it and is stopped when it is at rest.
A full run makes it again when the code that stores has changed since; others take what is there.
`python -m bench.fixtures ENTITIES [GROUPS] [--short]` makes one beforehand.
"""

import argparse
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from bench.made_log import write_log
from bench.scenario import Run
from bench.service import serving

EDGES_AN_ENTITY: Final = 2
_VERSION: Final = 1
"""To be raised when what is made changes: what was kept before is made again then."""
_SOURCES: Final = Path(__file__).parents[1] / "src" / "lcg"


def group_names(groups: int) -> list[str]:
    """Return the names of the groups of a workspace."""
    return [f"group-{number}" for number in range(1, groups + 1)]


@contextmanager
def workspace(run: Run, entities: int, groups: int = 1, *, short: bool = False) -> Iterator[Path]:
    """Give a copy of a made-up workspace, stopped cleanly, until the end of a `with` block.

    `entities` are those of all groups together. `short` is as in `bench.made_log`.
    """
    source = kept_workspace(run, entities, groups, short=short)
    with run.scratch() as folder:
        shutil.copytree(source / ".lcg", folder / ".lcg")
        yield folder


def kept_workspace(run: Run, entities: int, groups: int = 1, *, short: bool = False) -> Path:
    """Return the kept workspace itself, which nobody may change; it is made when it is not there."""
    name = f"{entities}-in-{groups}{'-short' if short else ''}-v{_VERSION}"
    place = run.kept / "workspaces" / name
    stored = _stored_by()
    ready = place / "ready"
    if ready.is_file() and (run.scale != "full" or ready.read_text(encoding="utf-8") == stored):
        return place
    print(f"making a workspace of {entities} entities in {groups} group(s)", file=sys.stderr, flush=True)
    with run.scratch() as folder:
        # The writer needs much memory for a while; this process is to stay small.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            pool.submit(_write, folder / ".lcg" / "wal", entities, groups, short=short).result()
        with serving(folder):
            pass
        fresh = place.with_name(f"{name}-{os.getpid()}")
        shutil.copytree(folder / ".lcg", fresh / ".lcg", ignore=shutil.ignore_patterns("*.sock", "lock"))
        (fresh / "ready").write_text(stored, encoding="utf-8")
        shutil.rmtree(place, ignore_errors=True)
        try:
            fresh.rename(place)
        except OSError:  # somebody else was faster
            shutil.rmtree(fresh)
    return place


def _stored_by() -> str:
    """Return a digest of the code that decides what is stored and how."""
    digest = hashlib.sha256()
    for room in ("model", "search", "store", "wal"):
        for path in sorted((_SOURCES / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _write(wal: Path, entities: int, groups: int, *, short: bool) -> None:
    for number, group in enumerate(group_names(groups)):
        share = entities * (number + 1) // groups - entities * number // groups
        write_log(wal, share, EDGES_AN_ENTITY * share, short=short, group=group, seed=1 + number)


def main() -> None:
    """Make the workspace that the command line asks for."""
    from bench.program import KEPT

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("entities", type=int)
    parser.add_argument("groups", type=int, nargs="?", default=1)
    parser.add_argument("--short", action="store_true", help="short texts")
    options = parser.parse_args()
    kept_workspace(Run("full", KEPT), options.entities, options.groups, short=options.short)


if __name__ == "__main__":
    main()
