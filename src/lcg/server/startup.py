"""Opening a workspace: models, store, log and search indexes, each where it is."""

import logging
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

from lcg.errors import OperationFailed
from lcg.graph.derived import Derived
from lcg.graph.disk_space import DiskSpace
from lcg.graph.graph import Graph
from lcg.graph.record_log import RecordLog
from lcg.ontology.workspace import Ontologies
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.providers.embedder.protocol import Embedder, EmbedderError
from lcg.providers.embedder.remote import RemoteEmbedder
from lcg.runtime.threads import made_aside
from lcg.search.fts import SqliteTextIndex
from lcg.search.index_file import remove_index
from lcg.search.protocol import TextIndex, VectorIndex
from lcg.search.vectors import SqliteVectorIndex
from lcg.server.models import Models
from lcg.server.store_opening import StoreOpener
from lcg.server.sums import Sums
from lcg.services.brought_vectors import BroughtVectors
from lcg.services.clearing import Clearing
from lcg.services.cypher import CypherQueries
from lcg.services.dump import Dumper
from lcg.services.embedding import Embedding
from lcg.services.freshness import Freshness
from lcg.services.healing import Healer
from lcg.services.ingest.pipeline import Ingestion
from lcg.services.maintenance import Maintenance
from lcg.services.opening import Opening
from lcg.services.passages import PassageSearch
from lcg.services.rebuild.rebuilder import Rebuilder
from lcg.services.search import Search
from lcg.services.situation import Core
from lcg.settings import Settings
from lcg.store.files import StoreFiles
from lcg.telemetry import Telemetry
from lcg.wal.log import Log

_log = logging.getLogger(__name__)
_PROBE_S = 2.0
"""A start waits so long for a remote embedder."""


def view_sums(settings: Settings) -> Sums:
    """Return the sums of the files of store and search indexes."""
    files = StoreFiles(settings.db_path)
    return Sums(files.sums, [files.store, *_index_files(settings)])


def _index_files(settings: Settings) -> tuple[Path, Path]:
    return settings.search_dir / "text.db", settings.search_dir / "vectors.db"


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
    embedder = _begin_embedder(models)
    settings.search_dir.mkdir(parents=True, exist_ok=True)
    settings.db_path.parent.mkdir(parents=True, exist_ok=True)
    sums = view_sums(settings)
    sums.take()
    text_file, vectors_file = _index_files(settings)

    def open_text() -> TextIndex:
        _remove_changed(sums, text_file)
        return SqliteTextIndex(text_file)

    def open_vectors() -> VectorIndex:
        _remove_changed(sums, vectors_file)
        return SqliteVectorIndex(vectors_file, embedder.model, embedder.dim)

    @cache
    def embedding() -> Embedding:
        return Embedding(embedder, derived.vectors, keeps_queries=models.embedder is not None)

    # The libraries leave the interpreter to others while they read, so the store is read meanwhile.
    derived = Derived(made_aside("lcg-text", open_text), made_aside("lcg-vectors", open_vectors))
    try:
        opener = StoreOpener(settings, derived, log, telemetry, lambda: BroughtVectors(embedding()), sums)
        return _open_core(settings, log, models, ontologies, opener, embedding, derived, how), derived
    except BaseException:
        derived.close()
        raise


def _remove_changed(sums: Sums, file: Path) -> None:
    if sums.changed(file):
        _log.warning("the search index %s is not what it was when it was closed, so it is made anew", file)
        remove_index(file)


def _open_core(
    settings: Settings,
    log: Log,
    models: Models,
    ontologies: Ontologies,
    opener: StoreOpener,
    made_embedding: Callable[[], Embedding],
    derived: Derived,
    how: Opening,
) -> Core:
    followed = opener.followed
    clearing = Clearing(opener.files, log, followed, opener.open)
    interrupted = clearing.pending()
    if interrupted is not None:
        _log.warning("a clear of the whole graph was interrupted; it is finished now")
        clearing.finish(interrupted).close()
    record_log = RecordLog(log, followed, DiskSpace(settings.db_path, settings.search_dir))
    graph = Graph(opener.open, record_log, opener.open(how))
    embedding, text, vectors = made_embedding(), derived.text, derived.vectors
    healer = Healer(graph, embedding, behind=models.embedder is not None)
    healer.heal()
    return Core(
        graph=graph,
        embedding=embedding,
        healer=healer,
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


def _begin_embedder(models: Models) -> Embedder:
    """Return the embedder, which makes itself ready while the engine opens; whoever needs it first waits for it.

    A remote one is given a moment to say who it is. If it does not, the start goes on without.
    """
    if models.embedder is None:
        builtin = BuiltinEmbedder()
        threading.Thread(target=_warm_up, args=(builtin,), name="lcg-embedder", daemon=True).start()
        return builtin
    probing = threading.Thread(target=_probe, args=(models.embedder,), name="lcg-embedder", daemon=True)
    probing.start()
    probing.join(_PROBE_S)
    return models.embedder


def _probe(embedder: RemoteEmbedder) -> None:
    try:
        embedder.probe()
    except EmbedderError as error:
        _log.warning("the start goes on without an embedder: %s", error)
    except OperationFailed:
        return  # the service ends


def _warm_up(embedder: BuiltinEmbedder) -> None:
    try:
        embedder.load()
    except Exception:
        _log.exception("loading the built-in embedder")
