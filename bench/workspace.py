"""A workspace for measurements: opened as the service opens it, and filled through the handler of process_chunk."""

import sys
from pathlib import Path

from bench.articles import Chunk
from lcg.generated.params import decode_process_chunk
from lcg.handlers.ingestion import IngestionHandlers
from lcg.ontology.workspace import Ontologies
from lcg.providers.embedder.remote import RemoteEmbedder
from lcg.providers.extractor.protocol import Extractor
from lcg.runtime.call import Call
from lcg.server.log_opening import open_log
from lcg.server.models import Models
from lcg.server.startup import open_core
from lcg.settings import Settings
from lcg.telemetry import Telemetry

GROUP = "articles"
REFERENCE_TIME = "2026-01-01T00:00:00Z"


class Workspace:
    """An open workspace; `core` and `derived` are what its service would work with."""

    def __init__(self, root: Path, extractor: Extractor, embedder: RemoteEmbedder | None = None) -> None:
        """Open a workspace in an empty folder; without an embedder the built-in one serves."""
        settings = Settings(
            db_path=root / "db" / "graph.db",
            wal_dir=root / "wal",
            search_dir=root / "search",
            workspace_root=root,
            telemetry=False,
        )
        telemetry = Telemetry(enabled=False)
        self._log = open_log(settings)
        self.core, self.derived = open_core(
            settings, self._log, Models(extractor, None, embedder), telemetry, Ontologies(root)
        )
        self._ingestion = IngestionHandlers(self.core.ingestion, lambda: sys.maxsize, telemetry)

    def ingest(self, chunk: Chunk) -> str:
        """Ingest a chunk and return the uuid of its episode."""
        raw = {
            "chunk_text": chunk.text,
            "chunk_id": str(chunk.place),
            "source_file": chunk.title,
            "group_id": GROUP,
            "reference_time": REFERENCE_TIME,
        }
        done = self._ingestion.process_chunk(decode_process_chunk(raw), Call("knowledge_process_chunk"))
        return done["episode_uuid"]

    def settle(self) -> None:
        """Wait until the store has all that was acknowledged."""
        self.core.graph.state.store.settle()

    def close(self) -> None:
        """Close the workspace."""
        self.core.graph.close()
        self.derived.close()
        self._log.close()
