"""Opening a workspace: models, store, log and search indexes, each where it is, a ruined store set aside."""

import logging
import threading
import time
from pathlib import Path

from lcg.errors import Unavailable
from lcg.graph.derived import Derived
from lcg.graph.graph import Graph
from lcg.graph.opening import open_graph
from lcg.graph.record_log import RecordLog
from lcg.graph.state import GraphState
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.providers.extractor.protocol import Extractor
from lcg.search.fts import SqliteTextIndex
from lcg.search.index_file import SearchIndexReset
from lcg.search.vectors import ExactVectorIndex
from lcg.services.embedding import Embedding
from lcg.services.freshness import Freshness
from lcg.services.ingest.pipeline import Ingestion
from lcg.services.passages import PassageSearch
from lcg.services.search import Search
from lcg.services.situation import Core
from lcg.settings import Settings
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import StoreError
from lcg.wal.log import Log

_log = logging.getLogger(__name__)


def open_log(settings: Settings) -> Log:
    """Open the workspace's log; nothing is read or made yet."""
    return Log(
        settings.wal_dir,
        max_events=settings.wal_max_events_per_file,
        max_bytes=settings.wal_max_bytes_per_file,
    )


def open_core(settings: Settings, log: Log, extractor: Extractor | None) -> tuple[Core, Derived]:
    """Open everything that calls need, and replay what the log has more than the store.

    Raises:
        Unavailable: the store cannot be opened, and there is no log to build it from.
    """
    embedder = BuiltinEmbedder()
    # The model's files load while the engine opens; whoever needs it first waits for it.
    threading.Thread(target=_warm_up, args=(embedder,), name="lcg-embedder", daemon=True).start()
    settings.search_dir.mkdir(parents=True, exist_ok=True)
    settings.db_path.parent.mkdir(parents=True, exist_ok=True)
    text = SqliteTextIndex(settings.search_dir / "text.db")
    vectors = ExactVectorIndex(settings.search_dir / "vectors.db", embedder.model, embedder.dim)
    derived = Derived(text, vectors)
    graph = Graph(lambda: _open_state(settings, derived, log), RecordLog(log))
    embedding = Embedding(embedder, vectors)
    graph.run(lambda _: embedding.heal())
    core = Core(
        graph=graph,
        embedding=embedding,
        search=Search(graph, text, vectors, embedding),
        passages=PassageSearch(graph, text, vectors, embedding),
        ingestion=Ingestion(graph, embedding, extractor),
        freshness=Freshness(graph, log),
    )
    return core, derived


def open_extractor(settings: Settings) -> Extractor | None:
    """Return the extractor that was asked for, or None."""
    if settings.extractor is None:
        return None
    from lcg.providers.extractor.rules.extractor import RuleExtractor

    return RuleExtractor()


def _open_state(settings: Settings, derived: Derived, log: Log) -> GraphState:
    store, is_new = _open_store(settings, log)
    hydrate = is_new and settings.auto_hydrate
    try:
        try:
            return open_graph(store, derived, log, hydrate=hydrate)
        except SearchIndexReset as reset:
            # Its file was damaged and is empty now; the second pass fills it from the rows.
            _log.warning("a search index was damaged and is built anew: %s", reset)
            return open_graph(store, derived, log, hydrate=hydrate)
    except BaseException:
        store.close()
        raise


def _open_store(settings: Settings, log: Log) -> tuple[KuzuStore, bool]:
    """Open the store; say whether it is new. A ruined one is set aside when a log can fill a new one."""
    path = settings.db_path
    if not path.exists():
        _set_aside(_engine_log(path))
        return KuzuStore(path, settings.engine), True
    try:
        return KuzuStore(path, settings.engine), False
    except StoreError as error:
        if not any(log.stream(group_id).max_seq is not None for group_id in log.groups()):
            _log.error("the store %s cannot be opened and there is no log to rebuild it from: %s", path, error)
            raise Unavailable("store_unreadable", []) from error
        _log.error("the store %s cannot be opened (%s); it is set aside and rebuilt from the log", path, error)
    for damaged in (path, _engine_log(path)):
        _set_aside(damaged)
    return KuzuStore(path, settings.engine), True


def _engine_log(path: Path) -> Path:
    return path.with_name(path.name + ".wal")


def _set_aside(path: Path) -> None:
    if path.exists():
        path.rename(path.with_name(f"{path.name}.corrupt-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"))


def _warm_up(embedder: BuiltinEmbedder) -> None:
    try:
        embedder.load()
    except Exception:
        _log.exception("loading the built-in embedder")
