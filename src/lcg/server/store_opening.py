"""Opening the graph on its store: the one that is there, or a new one when it is missing, unfinished or ruined."""

import logging
import time
from pathlib import Path

from lcg.errors import Unavailable
from lcg.graph.derived import Derived
from lcg.graph.followed import FollowedStreams
from lcg.graph.opening import catch_up, load_graph
from lcg.graph.state import GraphState
from lcg.search.index_file import SearchIndexReset
from lcg.settings import Settings
from lcg.store.kuzu.probe import is_sound
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import StoreError
from lcg.wal.log import Log

_log = logging.getLogger(__name__)

_IN_USE = "Could not set lock"
"""What the engine says of a file that another process has open. Such a store is sound and is left where it is."""


def followed_streams(settings: Settings) -> FollowedStreams:
    """Return the list of logs that the workspace's graph follows."""
    return FollowedStreams(_beside(settings.db_path, ".streams"))


def open_state(settings: Settings, derived: Derived, log: Log, followed: FollowedStreams) -> GraphState:
    """Open the store and replay what the log has more.

    A store that cannot be read is set aside when there is a log, and a new one is filled from it.

    Raises:
        Unavailable: the store is open in another program, or it cannot be read and there is no log to build it from.
        StoreError: the engine did not take what was replayed.
        OSError: a log cannot be read, or the disk refused.
    """
    state = _load_store(settings, derived, log) or _make_store(settings, derived, log, followed)
    try:
        try:
            catch_up(state, log, followed)
        except SearchIndexReset as reset:
            # Its file was damaged and is empty now; the second pass fills it from the rows.
            _log.warning("a search index was damaged and is built anew: %s", reset)
            state = load_graph(state.store, derived)
            catch_up(state, log, followed)
    except BaseException:
        state.close()
        raise
    return state


def _load_store(settings: Settings, derived: Derived, log: Log) -> GraphState | None:
    """Open the store that is there and read all of it; None when there is none, or none any more.

    A damaged page can end the process right here. The mark that is left then makes the next start look first.
    """
    path = settings.db_path
    if _beside(path, ".unfinished").exists():
        for leftover in (path, _engine_log(path)):
            leftover.unlink(missing_ok=True)
    if not path.exists():
        _set_aside(_engine_log(path))
        return None
    opening = _beside(path, ".opening")
    try:
        if opening.exists() and not is_sound(path, settings.engine):
            raise StoreError("an earlier start died while it read the store, and so did a process that tried it")
        opening.touch()
        return _read(KuzuStore(path, settings.engine, cypher_allow_files=settings.cypher_allow_files), derived)
    except StoreError as error:
        if _IN_USE in str(error):
            _log.error("the store %s is open in another program; end that and start again: %s", path, error)
            raise Unavailable("store_unreadable", []) from error
        if not any(log.stream(group_id).max_seq is not None for group_id in log.groups()):
            _log.error("the store %s cannot be read and there is no log to rebuild it from: %s", path, error)
            raise Unavailable("store_unreadable", []) from error
        _log.error("the store %s cannot be read (%s); it is set aside", path, error)
    finally:
        opening.unlink(missing_ok=True)
    for damaged in (path, _engine_log(path)):
        _set_aside(damaged)
    return None


def _read(store: KuzuStore, derived: Derived) -> GraphState:
    try:
        return load_graph(store, derived)
    except BaseException:
        store.close()
        raise


def _make_store(settings: Settings, derived: Derived, log: Log, followed: FollowedStreams) -> GraphState:
    """Make an empty store and decide which logs fill it. One whose making is cut short is made again."""
    path = settings.db_path
    unfinished = _beside(path, ".unfinished")
    unfinished.touch()
    streams = {group_id: log.stream(group_id) for group_id in log.groups()}
    written = {group_id: stream.generation for group_id, stream in streams.items() if stream.max_seq is not None}
    if written:
        verb = "is filled from" if settings.auto_hydrate else "leaves out (LCG_AUTO_HYDRATE=0)"
        _log.warning("the new store %s %s the logs of %d groups", path, verb, len(written))
    state = _read(KuzuStore(path, settings.engine, cypher_allow_files=settings.cypher_allow_files), derived)
    try:
        followed.replace(written if settings.auto_hydrate else {})
        unfinished.unlink()
    except BaseException:
        state.close()
        raise
    return state


def _engine_log(path: Path) -> Path:
    return _beside(path, ".wal")


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _set_aside(path: Path) -> None:
    if path.exists():
        path.rename(_beside(path, f".corrupt-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"))
