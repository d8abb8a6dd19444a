"""Looking at the directories of a workspace before anything is opened: each one a directory, and ours to write in."""

import errno
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lcg.settings import LOCK_PATH, Settings

_ELSEWHERE: Final = "start lcg in another directory"


class PlaceRefused(Exception):
    """A place in the workspace is not what it has to be; the message says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A directory that is used: what for, how to have another one, and whether nothing works without writing there.

    A store that lies where its directory belongs is an old layout, which a migration mends.
    """

    path: Path
    holds: str
    remedy: str
    is_written: bool = True
    may_be_store: bool = False


def check_places(settings: Settings, *, writes: bool) -> None:
    """Refuse to start over a file in the place of a directory, or over directories that cannot be written in.

    A root of logs that cannot be written in is no reason: reads go on then, and every write says what is wrong.

    Raises:
        PlaceRefused: naming the path, what was expected there and the remedy.
    """
    for place in (
        _Place(LOCK_PATH.parent, "everything that a workspace holds", _ELSEWHERE),
        _Place(settings.wal_dir, "the logs", "set LCG_WAL_DIR to another place", is_written=False),
        _Place(settings.db_path.parent, "the store", "set LCG_DB_PATH to another place", may_be_store=True),
        _Place(settings.search_dir, "the search indexes", _ELSEWHERE),
    ):
        _check(place, writes=writes and place.is_written)


def _check(place: _Place, *, writes: bool) -> None:
    there = place.path
    while not (there.exists() or there.is_symlink()) and there != there.parent:
        there = there.parent
    if not there.is_dir():
        if place.may_be_store and there == place.path and there.is_file():
            return
        what = "a link to nothing" if there.is_symlink() and not there.exists() else "a file"
        raise PlaceRefused(
            f"{there} is {what}, but a directory is expected there, for {place.holds}. Move it away, or {place.remedy}."
        )
    if writes:
        _check_writable(there, place)


def _check_writable(there: Path, place: _Place) -> None:
    import tempfile  # here, since an attached process has no places to check, and its start is to be quick

    try:
        with tempfile.TemporaryFile(dir=there):
            return
    except OSError as error:
        if error.errno == errno.ENOSPC:
            # Reads go on over a full disk, and every write says what is wrong.
            return
        reason = error.strerror
    raise PlaceRefused(
        f"{there} cannot be written in ({reason}), but lcg keeps {place.holds} there. {_whose(there)}Mend the owner or "
        f"the rights of that directory, or {place.remedy}."
    )


def _whose(there: Path) -> str:
    owner = there.stat().st_uid
    if owner == os.geteuid():
        return ""
    return f"It belongs to user {owner}, and this process runs as user {os.geteuid()}. "
