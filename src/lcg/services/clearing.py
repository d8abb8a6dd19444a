"""Clearing the whole graph, so that an interruption at any point is finished at the next start.

A note beside the store says that a clear began. Logs and store are renamed aside, which is quick and can be told from
not having happened; only then are they deleted. The note goes last. A start that finds the note does what is left.
"""

import logging
import shutil
from collections.abc import Callable
from dataclasses import dataclass

import orjson

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.followed import FollowedStreams
from lcg.graph.graph import Graph
from lcg.graph.state import GraphState
from lcg.store.files import StoreFiles
from lcg.wal.fileops import SystemFileOps, replace_file
from lcg.wal.log import Log

_log = logging.getLogger(__name__)
_ASIDE = ".clearing"


@dataclass(frozen=True, slots=True)
class ClearNote:
    """What a clear was asked to do."""

    preserve_wal: bool


class Clearing:
    """The files of a clear. The store is one file with the engine's own log beside it; the note lies there, too.

    `reopen` opens the graph anew, over what is there then.
    """

    def __init__(
        self, files: StoreFiles, log: Log, followed: FollowedStreams, reopen: Callable[[], GraphState]
    ) -> None:
        self._note = files.clear_note
        self._files = files
        self._log = log
        self._followed = followed
        self._reopen = reopen

    def clear(self, graph: Graph, *, preserve_wal: bool) -> None:
        """Empty the graph. Every other call is told meanwhile that the store is not open.

        Raises:
            OperationFailed: `io`, the disk refused. What was begun is finished at the next start.
        """

        def change(state: GraphState) -> GraphState:
            state.close()
            return self.finish(ClearNote(preserve_wal))

        try:
            self.begin(preserve_wal=preserve_wal)
            graph.swap("recovering", change)
        except OSError as error:
            raise OperationFailed(
                ErrorKind.IO,
                f"The graph could not be cleared: {error}. Mend the disk, then restart the service: it "
                "finishes what was begun.",
            ) from error

    def finish(self, note: ClearNote) -> GraphState:
        """Do what is left of a clear, and return the empty graph."""
        self.remove_files(note)
        state = self._reopen()
        self.end()
        return state

    def begin(self, *, preserve_wal: bool) -> None:
        """Note durably that the graph is being cleared. From here on it will be, whatever happens.

        Raises:
            OSError: the disk refused; nothing was begun.
        """
        self._note.parent.mkdir(parents=True, exist_ok=True)
        replace_file(SystemFileOps(), self._note, orjson.dumps({"preserve_wal": preserve_wal}) + b"\n")

    def pending(self) -> ClearNote | None:
        """Return the note of a clear that began and has not ended."""
        try:
            content = self._note.read_bytes()
        except FileNotFoundError:
            return None
        try:
            return ClearNote(preserve_wal=bool(orjson.loads(content)["preserve_wal"]))
        except (orjson.JSONDecodeError, KeyError, TypeError):
            # The note is written whole or not at all; one that makes no sense must not delete anybody's logs.
            _log.error("%s makes no sense; the store is cleared and the logs are kept", self._note)
            return ClearNote(preserve_wal=True)

    def remove_files(self, note: ClearNote) -> None:
        """Take the store, and unless they are kept the logs, out of the way. The store must be closed.

        Raises:
            OSError: the disk refused; the next start tries again.
        """
        if not note.preserve_wal:
            self._followed.replace({})
        for path in (self._files.store, *self._files.engine_files):
            path.unlink(missing_ok=True)
        if note.preserve_wal:
            self._exclude_all()
            return
        aside = self._log.root.with_name(self._log.root.name + _ASIDE)
        shutil.rmtree(aside, ignore_errors=True)
        self._log.move_aside(aside)

    def end(self) -> None:
        """Delete what was set aside, then the note."""
        aside = self._log.root.with_name(self._log.root.name + _ASIDE)
        if aside.exists():
            shutil.rmtree(aside)
        self._note.unlink(missing_ok=True)

    def _exclude_all(self) -> None:
        for group_id in self._log.groups():
            stream = self._log.stream(group_id)
            if stream.max_seq is not None:
                self._log.save_excluded(group_id, stream.excluded.leaving_out(1, stream.max_seq))
