"""Opening the graph on its store: the one that is there, or a new one when it is missing, unfinished or ruined."""

import logging
import time
from collections.abc import Callable
from typing import Any

from lcg.errors import Unavailable
from lcg.graph.derived import Derived
from lcg.graph.followed import FollowedStreams
from lcg.graph.opening import catch_up, load_graph, rebuild_search
from lcg.graph.replay_hooks import LineVectors, NoVectors, ReplayHooks
from lcg.graph.state import GraphState
from lcg.search.index_file import SearchIndexReset
from lcg.server.sums import Sums
from lcg.services.opening import Opening
from lcg.settings import Settings
from lcg.store.behind import BehindStore
from lcg.store.files import StoreFiles
from lcg.store.kuzu.engine import format_of_engine
from lcg.store.kuzu.formats import refuse_another
from lcg.store.kuzu.probe import is_sound
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import OtherEngine, StoreError
from lcg.telemetry import Telemetry
from lcg.wal.log import Log

_log = logging.getLogger(__name__)

_IN_USE = "Could not set lock"
"""What the engine says of a file that another process has open. Such a store is sound and is left where it is."""


class StoreOpener:
    """Opens a workspace's graph, as often as it is asked to. Telemetry tells of every store that had to be mended."""

    def __init__(
        self,
        settings: Settings,
        derived: Derived,
        log: Log,
        telemetry: Telemetry,
        vectors: Callable[[], LineVectors] = NoVectors,
        sums: Sums | None = None,
    ) -> None:
        """Open nothing yet. `vectors` makes what takes the vectors that the lines of a log bring."""
        self.files = StoreFiles(settings.db_path)
        self._sums = sums or Sums(self.files.sums, ())
        self.followed = FollowedStreams(self.files.streams)
        self._settings = settings
        self._derived = derived
        self._log = log
        self._telemetry = telemetry
        self._began = 0.0
        self._is_mending = False
        self._hooks = ReplayHooks(self._begins, vectors)

    def open(self, how: Opening = Opening.MEND) -> GraphState:
        """Open the store and replay what the log has more.

        With `MEND` a store that cannot be read is tried without what the engine wrote last, then set aside when there
        is a log, and a new one is filled from it. `AS_IT_IS` does none of this and builds the search indexes anew.
        `FROM_LOGS` fills a new store from all logs; there must be none.

        Raises:
            Unavailable: the store is open in another program, or it cannot be read and there is no log to build it
                from.
            StoreError: the store cannot be read, or the engine did not take what was replayed.
            OSError: a log cannot be read, or the disk refused.
        """
        self._began, self._is_mending = time.monotonic(), False
        try:
            state = self._open(how)
        except BaseException as error:
            if self._is_mending:
                self._tell("recovery_failed", detail=str(error) or type(error).__name__)
            raise
        if self._is_mending:
            self._tell("recovery_complete", mutations_replayed=sum(state.replayed.values()))
        return state

    def _open(self, how: Opening) -> GraphState:
        state = self._load_store(how)
        if state is None and how is Opening.AS_IT_IS:
            raise StoreError(f"there is no store {self.files.store}")
        if state is not None:
            try:
                return self._levelled(state, how)
            except StoreError as error:
                # It could be read, and yet the engine does not take what the log has more.
                if how is not Opening.MEND:
                    raise
                self._refuse_hopeless(error)
                self._found(str(error))
                _log.error("the store %s takes nothing more (%s) and is set aside", self.files.store, error)
                self._tell("fallback_triggered", fallback_reason=str(error))
                self.files.set_store_aside()
        made = self._make_store(fill=self._settings.auto_hydrate or how is Opening.FROM_LOGS)
        return self._levelled(made, how)

    def _levelled(self, state: GraphState, how: Opening) -> GraphState:
        """Bring a store level with the logs; it is closed when that fails."""
        try:
            try:
                self._level(state, how)
            except SearchIndexReset as reset:
                # Its file was damaged and is empty now; the second pass fills it from the rows.
                _log.warning("a search index was damaged and is built anew: %s", reset)
                replayed = state.replayed
                state = load_graph(state.store, self._derived)
                state.replayed = replayed
                self._level(state, how)
        except BaseException:
            state.close()
            raise
        return state

    def _level(self, state: GraphState, how: Opening) -> None:
        if how is Opening.AS_IT_IS:
            rebuild_search(state)
        catch_up(state, self._log, self.followed, hooks=self._hooks)
        if self._is_mending:
            self._tell("replay_complete", mutations_replayed=sum(state.replayed.values()))
            # The indexes follow every row as it is taken in, and were brought level with the store before.
            self._tell("index_build_complete")

    def _load_store(self, how: Opening) -> GraphState | None:
        """Open the store that is there and read all of it; None when there is none, or none any more that serves.

        A damaged page can end the process right here. The mark that is left then makes the next start look first.
        """
        files = self.files
        files.remove_unfinished()
        if not files.store.exists():
            left = files.set_engine_log_aside()
            if how is Opening.MEND and (left or self._has_lines()):
                self._found("the store is missing")
            return None
        try:
            refuse_another(files.store, format_of_engine(self._settings.engine))
        except OtherEngine as error:
            if how is not Opening.MEND:
                raise
            self._leave_to(error)
            return None
        changed = self._sums.changed(files.store)
        if changed:
            _log.warning("the store %s is not what it was when it was closed, so all of it is checked", files.store)
        is_suspect = how is not Opening.MEND or files.opening.exists() or changed is True
        # After a kill the engine takes its own log in again, and it has lost hops and mentions by that.
        check = is_suspect or files.was_killed or changed is None
        try:
            return self._read(is_suspect=is_suspect, check=check)
        except StoreError as error:
            if how is not Opening.MEND:
                raise
            self._refuse_hopeless(error)
            self._found(str(error))
            _log.error("the store %s cannot be read: %s", files.store, error)
        return self._without_engine_log()

    def _leave_to(self, error: OtherEngine) -> None:
        """Set a store aside that another engine made. It is none the worse for it, and may be put back."""
        self._refuse_hopeless(error)
        names = self.files.set_store_aside(error.engine)
        _log.warning(
            "%s; it is set aside as %s, and the logs fill a new store. What Cypher changed is in no log.",
            error,
            ", ".join(names),
        )

    def _without_engine_log(self) -> GraphState | None:
        """Try the store as it was at its last checkpoint; if that is no good either, set it aside and return None."""
        files = self.files
        reason = "there is no engine log to drop"
        if files.set_engine_log_aside():
            try:
                state = self._read(is_suspect=True, check=True)
            except StoreError as error:
                reason = str(error)
            else:
                _log.warning("the engine's log of %s is set aside; the store is at its last checkpoint", files.store)
                self._tell("checkpoint_drop_complete")
                return state
        self._tell("fallback_triggered", fallback_reason=reason)
        _log.error("the store %s is set aside", files.store)
        files.set_store_aside()
        return None

    def _read(self, *, is_suspect: bool, check: bool) -> GraphState:
        """Open the store and read it; a suspect one is tried by another process first.

        With `check` they must be what was written; see `load_graph`.
        """
        files = self.files
        try:
            if is_suspect and not is_sound(files.store, self._settings.engine):
                raise StoreError("a process that tried to read the store failed or died")
            files.opening.touch()
            store = self._store()
            try:
                return load_graph(store, self._derived, check=check)
            except BaseException:
                store.close()
                raise
        finally:
            files.opening.unlink(missing_ok=True)

    def _refuse_hopeless(self, error: StoreError) -> None:
        store = self.files.store
        if _IN_USE in str(error):
            _log.error("the store %s is open in another program; end that and start again: %s", store, error)
            raise Unavailable("store_unreadable", []) from error
        if not self._has_lines():
            _log.error("the store %s cannot be read and there is no log to rebuild it from: %s", store, error)
            raise Unavailable("store_unreadable", []) from error

    def _has_lines(self) -> bool:
        return any(self._log.stream(group_id).max_seq is not None for group_id in self._log.groups())

    def _make_store(self, *, fill: bool) -> GraphState:
        """Make an empty store and decide which logs fill it. One whose making is cut short is made again."""
        files = self.files
        files.unfinished.touch()
        streams = {group_id: self._log.stream(group_id) for group_id in self._log.groups()}
        written = {group_id: stream.generation for group_id, stream in streams.items() if stream.max_seq is not None}
        if written:
            verb = "is filled from" if fill else "leaves out (LCG_AUTO_HYDRATE=0)"
            _log.warning("the new store %s %s the logs of %d groups", files.store, verb, len(written))
        store = self._store()
        try:
            state = load_graph(store, self._derived)
            self.followed.replace(written if fill else {})
            files.unfinished.unlink()
        except BaseException:
            store.close()
            raise
        return state

    def _store(self) -> BehindStore:
        settings = self._settings
        return BehindStore(KuzuStore(self.files.store, settings.engine, cypher_allow_files=settings.cypher_allow_files))

    # Telemetry

    def _begins(self, group_id: str, from_seq: int, reason: str) -> None:
        if self._is_mending:
            self._tell("cursor_derived", group_id=group_id, from_seq=from_seq, cursor_reason=reason)

    def _found(self, detail: str) -> None:
        self._is_mending = True
        self._tell("corruption_detected", detail=detail)

    def _tell(self, phase: str, **fields: Any) -> None:
        elapsed = round((time.monotonic() - self._began) * 1000)
        self._telemetry.emit("wal_auto_recovery", phase=phase, elapsed_ms=elapsed, **fields)
