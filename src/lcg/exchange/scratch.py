"""Folders for what a command needs only while it runs, beside the graph that it is about."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"exchange-(\d+)-")


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """Give a new folder that only this user can read, and remove it at the end.

    Removes first what commands left here that were killed.

    Raises:
        OSError: the disk refused.
    """
    made = not parent.exists()
    parent.mkdir(parents=True, exist_ok=True)
    for path in parent.glob("exchange-*"):
        found = _NAME.match(path.name)
        if found and not _is_running(int(found[1])):
            shutil.rmtree(path, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=f"exchange-{os.getpid()}-", dir=parent)).absolute()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if made:
            # Nothing came of it, unless something else is there by now.
            with suppress(OSError):
                parent.rmdir()


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
