"""Opening a workspace: models, store, log and search indexes, each where it is."""

import logging
import threading

from lcg.graph.derived import Derived
from lcg.graph.disk_space import DiskSpace
from lcg.graph.graph import Graph
from lcg.graph.record_log import RecordLog
from lcg.ontology.workspace import Ontologies
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.search.fts import SqliteTextIndex
from lcg.search.vectors import SqliteVectorIndex
from lcg.server.models import Models
from lcg.server.store_opening import StoreOpener
from lcg.services.clearing import Clearing
from lcg.services.cypher import CypherQueries
from lcg.services.dump import Dumper
from lcg.services.embedding import Embedding
from lcg.services.freshness import Freshness
from lcg.services.ingest.pipeline import Ingestion
from lcg.services.maintenance import Maintenance
from lcg.services.opening import Opening
from lcg.services.passages import PassageSearch
from lcg.services.rebuild.rebuilder import Rebuilder
from lcg.services.search import Search
from lcg.services.situation import Core
from lcg.settings import Settings
from lcg.telemetry import Telemetry
from lcg.wal.log import Log

_log = logging.getLogger(__name__)


def open_log(settings: Settings) -> Log:
    """Open the workspace's log; nothing is read or made yet."""
    return Log(
        settings.wal_dir,
        max_events=settings.wal_max_events_per_file,
        max_bytes=settings.wal_max_bytes_per_file,
    )


def open_core(
    settings: Settings,
    log: Log,
    models: Models,
    telemetry: Telemetry,
    ontologies: Ontologies,
    how: Opening = Opening.MEND,
) -> tuple[Core, Derived]:
    """Open everything that calls need, and replay what the log has more than the store.

    Raises:
        Unavailable: the store cannot be opened, and there is no log to build it from.
        StoreError: it cannot be opened as it was to be.
    """
    embedder = BuiltinEmbedder()
    # The model's files load while the engine opens; whoever needs it first waits for it.
    threading.Thread(target=_warm_up, args=(embedder,), name="lcg-embedder", daemon=True).start()
    settings.search_dir.mkdir(parents=True, exist_ok=True)
    settings.db_path.parent.mkdir(parents=True, exist_ok=True)
    text = SqliteTextIndex(settings.search_dir / "text.db")
    vectors = SqliteVectorIndex(settings.search_dir / "vectors.db", embedder.model, embedder.dim)
    derived = Derived(text, vectors)
    try:
        opener = StoreOpener(settings, derived, log, telemetry)
        return _open_core(
            settings, log, models, ontologies, opener, Embedding(embedder, vectors), derived, how
        ), derived
    except BaseException:
        derived.close()
        raise


def _open_core(
    settings: Settings,
    log: Log,
    models: Models,
    ontologies: Ontologies,
    opener: StoreOpener,
    embedding: Embedding,
    derived: Derived,
    how: Opening,
) -> Core:
    followed, text, vectors = opener.followed, derived.text, derived.vectors
    clearing = Clearing(opener.files, log, followed, opener.open)
    interrupted = clearing.pending()
    if interrupted is not None:
        _log.warning("a clear of the whole graph was interrupted; it is finished now")
        clearing.finish(interrupted).close()
    record_log = RecordLog(log, followed, DiskSpace(settings.db_path, settings.search_dir))
    graph = Graph(opener.open, record_log, opener.open(how))
    graph.run(lambda _: embedding.heal())
    return Core(
        graph=graph,
        embedding=embedding,
        search=Search(graph, text, vectors, embedding),
        passages=PassageSearch(graph, text, vectors, embedding),
        cypher=CypherQueries(graph, embedding),
        ingestion=Ingestion(graph, embedding, models.extractor, ontologies, models.judge),
        freshness=Freshness(graph, log),
        clearing=clearing,
        maintenance=Maintenance(graph, log, embedding),
        rebuilder=Rebuilder(graph, log, followed, embedding, most_samples=settings.replay_failure_samples),
        reopen=opener.open,
        dumper=Dumper(graph, settings.wal_dir, settings.db_path.parent.parent / "wal-compacted"),
    )


def _warm_up(embedder: BuiltinEmbedder) -> None:
    try:
        embedder.load()
    except Exception:
        _log.exception("loading the built-in embedder")
