"""Moving files and directories so that nothing is lost, whenever it is interrupted.

Within one file system a move is a rename. Across file systems it is a copy beside the target, compared with the source,
renamed into place; only then does the source go. What an interruption leaves behind is a draft, which the next try
makes anew.
"""

import errno
import os
import shutil
import stat
from pathlib import Path

from lcg.wal.fileops import SystemFileOps, fsync_directory, make_directory

_DRAFT = ".moving"
_PIECE = 1 << 20
_OPS = SystemFileOps()


def move(source: Path, target: Path) -> None:
    """Move a file or directory to a place where nothing is.

    Raises:
        OSError: the disk refused, or the copy differs; the source is whole then.
    """
    make_directory(_OPS, target.parent)
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        copy(source, target)
        remove(source)
    fsync_directory(_OPS, target.parent)
    fsync_directory(_OPS, source.parent)


def copy(source: Path, target: Path) -> None:
    """Copy a file or directory to a place where nothing is; on disk, and known to be the same, when this returns.

    Sockets and the like are left out. Errors as in `move`.
    """
    make_directory(_OPS, target.parent)
    draft = target.with_name(f".{target.name}{_DRAFT}")
    remove(draft)
    _copy(source, draft)
    if not same(source, draft):
        raise OSError(errno.EIO, "the copy differs from what was copied", str(source))
    draft.rename(target)
    fsync_directory(_OPS, target.parent)


def same(one: Path, other: Path) -> bool:
    """Say whether two files or directories hold the same. Sockets and the like do not count."""
    kinds = [_kind(path) for path in (one, other)]
    if kinds[0] != kinds[1]:
        return False
    if kinds[0] == stat.S_IFLNK:
        return one.readlink() == other.readlink()
    if kinds[0] == stat.S_IFREG:
        return _same_bytes(one, other)
    names = [{child.name for child in path.iterdir() if _kind(child)} for path in (one, other)]
    return names[0] == names[1] and all(same(one / name, other / name) for name in names[0])


def remove(path: Path) -> None:
    """Delete a file or directory; none is fine."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def holds_data(path: Path) -> bool:
    """Say whether this is a file, a directory or a link, and no socket or device."""
    return _kind(path) != 0


def _kind(path: Path) -> int:
    kind = stat.S_IFMT(path.lstat().st_mode)
    return kind if kind in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK) else 0


def _copy(source: Path, target: Path) -> None:
    kind = _kind(source)
    if kind == stat.S_IFLNK:
        target.symlink_to(source.readlink())
    elif kind == stat.S_IFREG:
        shutil.copy2(source, target)
        with target.open("rb") as file:
            os.fsync(file.fileno())
    elif kind == stat.S_IFDIR:
        target.mkdir()
        for child in source.iterdir():
            _copy(child, target / child.name)
        fsync_directory(_OPS, target)


def _same_bytes(one: Path, other: Path) -> bool:
    if one.stat().st_size != other.stat().st_size:
        return False
    with one.open("rb") as left, other.open("rb") as right:
        while piece := left.read(_PIECE):
            if piece != right.read(_PIECE):
                return False
    return True
