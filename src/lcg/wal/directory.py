"""The root of all logs: one directory per group, named so that the id can be read back from it."""

import os
from pathlib import Path

from lcg.model.names import (
    DEFAULT_GROUP,
    GROUP_DIRECTORY_MAX_BYTES,
    decode_group,
    encode_group,
    group_key,
    has_control,
    is_blank,
)
from lcg.wal.errors import GroupRefused


def group_directory(root: Path, group_id: str) -> Path:
    """Return where a group's log is, or would be. It is always a direct child of the root.

    Raises:
        GroupRefused: the id is blank, holds control characters or lone surrogates, or is too long.
    """
    if is_blank(group_id):
        raise GroupRefused(group_id, "a group id must not be blank")
    if has_control(group_id):
        raise GroupRefused(group_id, "a group id must not hold control characters")
    try:
        name = encode_group(group_id)
    except UnicodeEncodeError:
        raise GroupRefused(group_id, "a group id must be well-formed text") from None
    if len(name) > GROUP_DIRECTORY_MAX_BYTES:
        limit = GROUP_DIRECTORY_MAX_BYTES
        raise GroupRefused(group_id, f"its directory name would have {len(name)} bytes; at most {limit} are possible")
    return root / name


def list_groups(root: Path) -> list[str]:
    """Return the ids of all groups that have a directory, sorted. Other entries of the root are passed over."""
    try:
        with os.scandir(root) as entries:
            names = [entry.name for entry in entries if entry.is_dir()]
    except FileNotFoundError:
        return []
    return sorted(group_id for group_id in map(decode_group, names) if group_id is not None)


def colliding_group(root: Path, group_id: str) -> str | None:
    """Return the group that differs from this id by letter case only: an existing one, or the default group.

    The default group counts although it may not exist yet, for one mistyped write would lock everybody out of it.
    """
    key = group_key(group_id)
    known = (*list_groups(root), DEFAULT_GROUP)
    return next((other for other in known if other != group_id and group_key(other) == key), None)
