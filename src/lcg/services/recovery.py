"""Bringing back a store that is not open, or replacing one that is: files are set aside, the logs are the truth.

An open graph is swapped on its writer's thread. Where there is none, since the startup failed, everything is opened
anew. Either way an attempt that fails leaves the service degraded, and every other strategy can be tried after it.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from lcg.errors import LcgError, OperationFailed, Unavailable
from lcg.generated.errors import ErrorKind
from lcg.graph.entries import Count
from lcg.graph.state import UNLOGGED, GraphState
from lcg.search.index_file import SearchIndexError
from lcg.services.opening import Opening
from lcg.services.situation import Core, Situation
from lcg.store.files import StoreFiles
from lcg.store.protocol import StoreError
from lcg.wal.log import Log

_log = logging.getLogger(__name__)

Strategy = Literal["drop_lbug_wal", "rebuild_from_workspace_wal", "restore_from_backup"]
DROP: Final = "drop_lbug_wal"
REBUILD: Final = "rebuild_from_workspace_wal"
RESTORE: Final = "restore_from_backup"


class AttemptFailed(Exception):
    """A recovery did not bring the store back. `restart_required`: a file could not even be set aside."""

    def __init__(self, message: str, kind: str, *, restart_required: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.restart_required = restart_required


class _Stuck(Exception):
    """A file cannot be set aside."""


@dataclass(slots=True)
class Recovered:
    """What a recovery did. `unlogged` counts the Cypher mutations that were known before or are known now."""

    set_aside: list[str] = field(default_factory=list)
    mutations_replayed: int = 0
    groups_replayed: int = 0
    episodes_before: int = 0
    episodes_after: int = 0
    unlogged: int = 0
    was_needed: bool = True


class Recovery:
    """The recoveries of one service, one at a time.

    Args:
        situation: how the service stands.
        files: the store's files.
        log: the logs.
        open_anew: opens everything when nothing is open, and settles the situation with it.
        is_sound: tries a store file in a process of its own.
    """

    def __init__(
        self,
        situation: Situation,
        files: StoreFiles,
        log: Log,
        open_anew: Callable[[Opening], Core],
        is_sound: Callable[[Path], bool],
    ) -> None:
        self._situation = situation
        self._files = files
        self._log = log
        self._open_anew = open_anew
        self._is_sound = is_sound
        self._running = threading.Lock()

    def available(self) -> list[str]:
        """Return the strategies that have what they need right now."""
        with_needs = (
            (DROP, self._files.has_store),
            (REBUILD, True),
            (RESTORE, self._files.newest_backup() is not None),
        )
        return [strategy for strategy, is_there in with_needs if is_there]

    def recover(self, strategy: Strategy) -> Recovered:
        """Bring the store back by one strategy.

        Raises:
            OperationFailed: `busy`; `not_found`, what the strategy needs.
            AttemptFailed: it did not help.
        """
        with self._alone():
            self._check_needs(strategy)
            return self._attempt(strategy, Recovered())

    def recover_full(self) -> Recovered:
        """Bring a store that does not answer back, as a start would; do nothing about one that does.

        Raises:
            OperationFailed: `busy`; `not_found`, there is no log.
            AttemptFailed: nothing helped.
        """
        with self._alone():
            core = self._situation.core
            if core is not None and _answers(core):
                episodes = core.graph.index.count(Count.EPISODES)
                return Recovered(episodes_before=episodes, episodes_after=episodes, was_needed=False)
            if not any(self._log.stream(group_id).file_count for group_id in self._log.groups()):
                raise OperationFailed(
                    ErrorKind.NOT_FOUND,
                    f"There is no log under {self._log.root} (LCG_WAL_DIR) to bring the store back from; nothing was "
                    "changed. Put the logs back, or choose a strategy of knowledge_recover: "
                    f"{', '.join(self.available())}.",
                )
            done = Recovered()
            if self._files.has_store:
                try:
                    return self._attempt(DROP, done)
                except AttemptFailed as failed:
                    if failed.restart_required:
                        raise
                    _log.warning("dropping the engine's log did not help: %s", failed)
            return self._attempt(REBUILD, done)

    def finish(self) -> None:
        """Wait for the end of a recovery that runs; none begins after this."""
        self._running.acquire()

    # Parts

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if self._situation.state == "starting":
            raise _busy("The service is starting, and recovers by itself what it can")
        if not self._running.acquire(blocking=False):
            raise _busy("A recovery is running")
        try:
            core = self._situation.core
            with core.rebuilder.jobs.shut("A recovery") if core else nullcontext():
                yield
        finally:
            self._running.release()

    def _check_needs(self, strategy: Strategy) -> None:
        if self._files.clear_note.exists() or strategy in self.available():
            return
        missing = {
            DROP: f"the store {self._files.store}",
            RESTORE: f"a backup ({self._files.store.parent}/*.pre-*-backup)",
        }[strategy]
        raise OperationFailed(
            ErrorKind.NOT_FOUND,
            f"{strategy} needs {missing}, which is not there; nothing was changed. What can be tried: "
            f"{', '.join(self.available())}.",
        )

    def _attempt(self, strategy: Strategy, done: Recovered) -> Recovered:
        """Try a strategy; `done` has what an attempt before this one found out."""
        try:
            copy = self._try_backup() if strategy == RESTORE else None
            how = Opening.FROM_LOGS if strategy == REBUILD else Opening.AS_IT_IS
            core = self._situation.core
            if core is not None:
                self._swap(core, how, done, lambda: self._move(strategy, copy, done))
            else:
                core = self._start(how, lambda: self._move(strategy, copy, done))
            core.healer.heal()
            self._describe(core, done)
        except Exception as error:
            raise _explained(strategy, error) from error
        return done

    def _swap(self, core: Core, how: Opening, done: Recovered, move: Callable[[], None]) -> None:
        def change(state: GraphState) -> GraphState:
            done.episodes_before = state.index.count(Count.EPISODES)
            done.unlogged = max(done.unlogged, _unlogged(state))
            with suppress(StoreError):
                state.close()
            clear = core.clearing.pending()
            if clear is not None:
                # It was asked for, and would be finished by the next start, whatever is recovered here.
                return core.clearing.finish(clear)
            move()
            return core.reopen(how)

        try:
            core.graph.swap("recovering", change)
        except BaseException:
            core.graph.failure = Unavailable("store_unreadable", [])
            raise

    def _start(self, how: Opening, move: Callable[[], None]) -> Core:
        before = self._situation.trouble
        self._situation.settle(None, Unavailable("recovering", []))
        try:
            # The store is not what is in the way, so it is left alone: what was begun has to be finished first.
            is_migrating = before is not None and before.data["reason"] == "migration_failed"
            if is_migrating or self._files.clear_note.exists():
                return self._open_anew(Opening.MEND)
            move()
            return self._open_anew(how)
        except BaseException as error:
            trouble = error if isinstance(error, Unavailable) else Unavailable("store_unreadable", [])
            self._situation.settle(None, trouble)
            raise

    def _try_backup(self) -> Path:
        backup = self._files.newest_backup()
        assert backup is not None
        copy = self._files.copy_backup(backup)
        try:
            if not self._is_sound(copy):
                raise StoreError(f"the backup {backup.name} cannot be read either; nothing was changed")
        except StoreError:
            copy.unlink()
            raise
        return copy

    def _move(self, strategy: Strategy, copy: Path | None, done: Recovered) -> None:
        files = self._files
        try:
            done.set_aside += files.set_engine_log_aside() if strategy == DROP else files.set_store_aside()
        except OSError as error:
            raise _Stuck(str(error)) from error
        if copy is not None:
            files.put_in_place(copy)

    def _describe(self, core: Core, done: Recovered) -> None:
        state = core.graph.state
        done.mutations_replayed = sum(state.replayed.values())
        done.groups_replayed = len(state.replayed)
        done.episodes_after = state.index.count(Count.EPISODES)
        done.unlogged = max(done.unlogged, _unlogged(state))


def _answers(core: Core) -> bool:
    if core.graph.trouble is not None:
        return False
    try:
        with core.graph.reader() as reader:
            return reader.probe()
    except StoreError:
        return False


def _unlogged(state: GraphState) -> int:
    try:
        return int(state.store.meta(UNLOGGED) or "0")
    except StoreError:
        return 0


def _busy(what: str) -> OperationFailed:
    return OperationFailed(ErrorKind.BUSY, f"{what}; wait for its end (knowledge_status tells), then look again.")


def _explained(strategy: Strategy, error: Exception) -> AttemptFailed:
    _log.error("%s failed", strategy, exc_info=error)
    if isinstance(error, _Stuck):
        return AttemptFailed(
            f"A file of the store cannot be set aside, so the process ends now; mend the disk (rights, space), then "
            f"start it again. {error}",
            ErrorKind.IO,
            restart_required=True,
        )
    others = "knowledge_status lists what else can be tried (recovery_available)."
    if isinstance(error, Unavailable):
        return AttemptFailed(f"{strategy} did not help: {error.data['reason']}. {others}", ErrorKind.UNAVAILABLE)
    if isinstance(error, LcgError):
        return AttemptFailed(error.message, str(error.data.get("kind", ErrorKind.UNAVAILABLE)))
    kind = ErrorKind.IO if isinstance(error, OSError | SearchIndexError) else ErrorKind.UNAVAILABLE
    return AttemptFailed(f"{strategy} did not help. {others} Cause: {error or type(error).__name__}", kind)
