"""Trying a store file in a process of its own: a damaged page can crash or hang the engine instead of failing.

The engine holds the interpreter while it hangs, so only a signal that nobody handles ends it: the child sets itself
an alarm.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

from lcg.store.kuzu.engine import format_of_engine
from lcg.store.kuzu.formats import refuse_another
from lcg.store.kuzu.store import KuzuStore

_PATIENCE_SECONDS = 30
_BYTES_PER_SECOND = 2 << 20
"""Many times less than a store that is sound takes."""


def is_sound(path: Path, engine: str) -> bool:
    """Say whether a process can open the store, read all of it and close it. Nobody else may have it open.

    Raises:
        OtherEngine: it is of another engine, which may well read it.
    """
    refuse_another(path, format_of_engine(engine))
    command = [sys.executable, "-m", "lcg.store.kuzu.probe", str(path), engine]
    nothing = subprocess.DEVNULL
    return subprocess.run(command, check=False, stdin=nothing, stdout=nothing, stderr=nothing).returncode == 0


def _read_all(path: Path, engine: str) -> None:
    store = KuzuStore(path, engine)
    with store.reader() as reader:
        for rows in (reader.scan_entities(), reader.scan_edges(), reader.scan_episodes(), reader.scan_mentions()):
            for _ in rows:
                pass
    store.close()


if __name__ == "__main__":
    store_path = Path(sys.argv[1])
    signal.alarm(_PATIENCE_SECONDS + store_path.stat().st_size // _BYTES_PER_SECOND)
    _read_all(store_path, sys.argv[2])
    # The engine's threads are not waited for.
    os._exit(0)
