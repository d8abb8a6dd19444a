"""From `.graphiti` to `.lcg`: what an older program kept there is moved to where this one looks for it.

A note in `.lcg` says that it began, and goes last, so a start that finds it goes on where the last one stopped. Nothing
is overwritten: what is in the way of something else sends that to `.lcg/_unrecognized`, as does an unknown name.
Without the note, data at both places means two workspaces in one; nobody can tell which is wanted, so nothing is moved.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from lcg.migrations.moving import copy, holds_data, move, remove, same
from lcg.wal.fileops import SystemFileOps, fsync_directory, make_directory

_OLD = ".graphiti"
_BACKUP = ".graphiti.bak"
_NOTE = "migrating"
_STRANGE = "_unrecognized"
_SAME_NAME = ("ontology.yaml", "ontology-hash.json", "ontology")
_log = logging.getLogger(__name__)


class TwoWorkspaces(Exception):
    """Both directories hold data of their own."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where things are: the directory `.lcg`, the store and the root of the logs."""

    home: Path
    store: Path
    logs: Path

    @property
    def old(self) -> Path:
        """The directory of the older program."""
        return self.home.with_name(_OLD)

    @property
    def is_due(self) -> bool:
        """Whether there is something to migrate. No longer so once it is done."""
        return self.old.is_dir() and not self._is_used_in_place()

    def _is_used_in_place(self) -> bool:
        old = self.old.resolve()
        return any(path.resolve().is_relative_to(old) for path in (self.store, self.logs))


def migrate_workspace(workspace: Workspace, *, keep_backup: bool) -> None:
    """Move everything, or with `keep_backup` copy it and rename the old directory. Whoever calls owns the workspace.

    Raises:
        TwoWorkspaces: nothing was changed.
        OSError: the disk refused. Nothing is lost; the next call goes on.
    """
    _repair_layout(workspace)
    note = workspace.home / _NOTE
    if workspace.is_due:
        if not note.exists():
            _refuse_two(workspace)
            make_directory(SystemFileOps(), workspace.home)
            note.touch()
            fsync_directory(SystemFileOps(), workspace.home)
        _log.warning("moving what %s holds to %s", workspace.old, workspace.home)
        for source in sorted(workspace.old.iterdir()):
            _bring(source, _target(workspace, source.name), workspace, keep=keep_backup)
        _take_away(workspace.old, keep=keep_backup)
    note.unlink(missing_ok=True)


def _target(workspace: Workspace, name: str) -> Path:
    if name == "wal":
        return workspace.logs
    if name in ("db", "db.wal"):
        return workspace.store.with_name(workspace.store.name + name.removeprefix("db"))
    return (workspace.home if name in _SAME_NAME else workspace.home / _STRANGE) / name


def _bring(source: Path, target: Path, workspace: Workspace, *, keep: bool) -> None:
    if not holds_data(source):
        if not keep:
            source.unlink()
    elif not _is_there(target):
        (copy if keep else move)(source, target)
    elif source.is_dir() and target.is_dir() and not source.is_symlink():
        for child in sorted(source.iterdir()):
            _bring(child, target / child.name, workspace, keep=keep)
        if not keep:
            source.rmdir()
    elif same(source, target):
        # An earlier try got so far.
        if not keep:
            remove(source)
    else:
        inside = source.relative_to(workspace.old)
        _log.warning("%s differs from %s, so it goes to %s", source, target, workspace.home / _STRANGE)
        _bring(source, _free(source, workspace.home / _STRANGE / inside), workspace, keep=keep)


def _free(source: Path, wanted: Path) -> Path:
    """Return a name that is not taken, or taken by a copy of the very same."""
    names = (wanted.with_name(f"{wanted.name}.{number}") if number else wanted for number in count())
    return next(path for path in names if not _is_there(path) or same(source, path))


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _take_away(old: Path, *, keep: bool) -> None:
    if keep:
        numbers = count(2)
        backup = old.with_name(_BACKUP)
        while _is_there(backup):
            backup = old.with_name(f"{_BACKUP}-{next(numbers)}")
        old.rename(backup)
    elif old.is_symlink():
        old.unlink()
    else:
        old.rmdir()
    fsync_directory(SystemFileOps(), old.parent)


def _refuse_two(workspace: Workspace) -> None:
    ours = [path for path in (workspace.store, *_visible(workspace.logs)) if _is_there(path)]
    theirs = [path for path in (workspace.old / "db", workspace.old / "wal") if _is_there(path)]
    if ours and theirs:
        raise TwoWorkspaces(
            f"{ours[0]} and {theirs[0]} both hold data, and nobody can tell which of the two is wanted. Move one "
            f"of the directories {workspace.home} and {workspace.old} away, then start again."
        )


def _visible(directory: Path) -> Iterator[Path]:
    if directory.is_dir():
        yield from (path for path in directory.iterdir() if not path.name.startswith("."))


def _repair_layout(workspace: Workspace) -> None:
    """Give a store that stands where its directory belongs its place in that directory."""
    directory = workspace.store.parent
    aside = directory.with_name(f"{directory.name}.moving")
    if directory.is_file():
        directory.rename(aside)
    if aside.is_file() and not _is_there(workspace.store):
        engine_log = directory.with_name(f"{directory.name}.wal")
        if engine_log.is_file():
            move(engine_log, workspace.store.with_name(f"{workspace.store.name}.wal"))
        move(aside, workspace.store)
