"""Ingestion over an in-memory store, with an extractor that a test scripts and an embedder for which all is one."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lcg.model.rows import Edge, Entity
from lcg.model.times import Micros
from lcg.ontology.workspace import Ontologies
from lcg.providers.dedup.protocol import Judge
from lcg.providers.embedder.protocol import EmbedderError
from lcg.providers.extractor.protocol import (
    NO_SURROUNDINGS,
    ExtractedEdge,
    ExtractedEntity,
    Extraction,
    SourceType,
    Surroundings,
)
from lcg.services.ingest.chunk import ChunkIdentity, Ingest, Ingested
from lcg.services.ingest.pipeline import Ingestion
from tests.graph.harness import NOON, Workspace
from tests.workspaces import write_ontology

DAY = 86_400_000_000


class ScriptedExtractor:
    """Answers a text with what the test prepared for it."""

    provider = "test"
    model: str | None = None

    def __init__(self) -> None:
        self.answers: dict[str, Extraction] = {}

    def extract(
        self,
        text: str,
        source_type: SourceType,
        reference_time: Micros,
        surroundings: Surroundings = NO_SURROUNDINGS,
    ) -> Extraction:
        """Return the prepared answer."""
        return self.answers[text]


class OneEmbedder:
    """Finds that everything means the same, so spelling alone decides."""

    provider = "test"
    model = "letters"
    dim = 27

    def __init__(self) -> None:
        self.broken = False

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the same unit row for each text."""
        if self.broken:
            raise EmbedderError("it is down")
        return np.tile(np.eye(1, self.dim, dtype=np.float32), (len(texts), 1))

    def calibrate(self, cosine: float) -> float:
        """Return the cosine itself."""
        return cosine


class Ingests:
    """A workspace that takes texts whose extraction is given beside them."""

    def __init__(self, directory: Path, ontology: str | None = None, judge: Judge | None = None) -> None:
        self.workspace = Workspace(directory)
        if ontology is not None:
            write_ontology(directory, ontology)
        self.extractor = ScriptedExtractor()
        self.ingestion = Ingestion(
            self.workspace.graph, self.workspace.embedding, self.extractor, Ontologies(directory), judge
        )
        self._count = 0

    def all_means_the_same(self) -> OneEmbedder:
        """Let every vector be the same from now on."""
        embedder = OneEmbedder()
        self.workspace.embedding.embedder = embedder
        return embedder

    def wish(
        self,
        entities: Iterable[ExtractedEntity | str] = (),
        edges: Iterable[ExtractedEdge] = (),
        group: str = "a",
        at: Micros = NOON,
    ) -> Ingest:
        """Prepare a text whose extraction gives these."""
        self._count += 1
        text = f"text {self._count}"
        named = [ExtractedEntity(entity) if isinstance(entity, str) else entity for entity in entities]
        self.extractor.answers[text] = Extraction(named, list(edges))
        chunk = ChunkIdentity("notes.md", text, "test")
        return Ingest(group, text, text, "text", f"notes.md:{text}", "text", at, chunk)

    def ingest(
        self,
        entities: Iterable[ExtractedEntity | str] = (),
        edges: Iterable[ExtractedEdge] = (),
        group: str = "a",
        at: Micros = NOON,
    ) -> Ingested:
        """Ingest a text whose extraction gives these."""
        return self.ingestion.ingest(self.wish(entities, edges, group, at), "test")

    def names(self, group: str = "a") -> list[str]:
        """Return the names of the group's live entities, sorted."""
        return sorted(row.name for row in self.entities(group))

    def entities(self, group: str = "a") -> list[Entity]:
        """Return the group's live entities."""
        return [row for row in self.workspace.rows()[0] if row.group_id == group and not row.is_tombstone]

    def edges(self) -> list[Edge]:
        """Return every fact, by its text."""
        return sorted(self.workspace.rows()[1], key=lambda row: row.fact)


@contextmanager
def ingests(ontology: str | None = None, judge: Judge | None = None) -> Iterator[Ingests]:
    """Run ingestion over a temporary directory for the length of a `with` block."""
    with tempfile.TemporaryDirectory() as directory:
        made = Ingests(Path(directory), ontology, judge)
        try:
            yield made
        finally:
            made.workspace.close()
