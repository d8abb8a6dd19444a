"""Whether what a read shows is all that the logs hold."""

import logging
import threading
import time

from lcg.graph.graph import Graph
from lcg.graph.positions import pending, shown
from lcg.runtime.groups import GroupFilter
from lcg.services import warnings
from lcg.services.warnings import Warnings
from lcg.wal.errors import LogError
from lcg.wal.log import Log

_log = logging.getLogger(__name__)
_LOOK_SECONDS = 1.0


class Freshness:
    """Notices logs that are ahead of the graph. It looks at the disk at most once a second, not at every read."""

    def __init__(self, graph: Graph, log: Log) -> None:
        self._graph = graph
        self._log = log
        self._lock = threading.Lock()
        self._looked_at = float("-inf")
        self._ahead: Warnings = []

    def warnings(self, groups: GroupFilter) -> Warnings:
        """Return a warning for each of these groups whose log holds lines that the graph does not show."""
        with self._lock:
            if time.monotonic() - self._looked_at > _LOOK_SECONDS:
                self._ahead = self._look()
                self._looked_at = time.monotonic()
            return [warning for warning in self._ahead if warning.get("group_id") in groups]

    def _look(self) -> Warnings:
        found: Warnings = []
        for group_id in self._log.groups():
            try:
                position = self._graph.state.positions.get(group_id)
                # The position is read first: lines that are logged meanwhile are on their way into the graph, and a
                # second look tells them from lines that stay behind.
                stream = self._log.stream(group_id)
                waiting = pending(stream, position)
                if waiting and waiting == pending(stream, self._graph.state.positions.get(group_id)):
                    found.append(warnings.wal_ahead(group_id, shown(position), stream.max_seq, waiting))
            except (LogError, OSError):
                _log.exception("looking at the log of group %r", group_id)
        return found
