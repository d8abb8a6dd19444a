"""Which logs a graph follows, in a small file beside the store.

The store keeps a position for each group, but it can lack one: an engine that loses the end of its own log forgets
the groups that were new in it, and a crash between a group's first line and its first transaction leaves none. A log
that this file names is replayed all the same. One that it does not name came from elsewhere, and waits until somebody
asks for it.
"""

import logging
from collections.abc import Mapping
from pathlib import Path

import orjson

from lcg.wal.fileops import SystemFileOps, replace_file
from lcg.wal.stream import Stream

_log = logging.getLogger(__name__)


class FollowedStreams:
    """The identity of each group's log that the graph follows (None: a log without identity)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path)

    def includes(self, stream: Stream) -> bool:
        """Say whether the graph follows a log: this one, not another one of the same group."""
        known = stream.group_id in self._known
        return known and self._known[stream.group_id] == stream.generation

    def add(self, group_id: str, generation: str | None) -> None:
        """Follow one more log; on disk when this returns.

        Raises:
            OSError: the disk refused, and nothing was changed.
        """
        if self._known.get(group_id, generation) != generation or group_id not in self._known:
            self.replace({**self._known, group_id: generation})

    def replace(self, known: Mapping[str, str | None]) -> None:
        """Follow these logs and no others. Errors as in `add`."""
        replace_file(SystemFileOps(), self._path, orjson.dumps(known))
        self._known = dict(known)


def _read(path: Path) -> dict[str, str | None]:
    try:
        known = orjson.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, orjson.JSONDecodeError) as error:
        _log.warning("%s cannot be read and counts as empty: %s", path, error)
        return {}
    if not isinstance(known, dict):
        return {}
    return {group: value for group, value in known.items() if value is None or isinstance(value, str)}
