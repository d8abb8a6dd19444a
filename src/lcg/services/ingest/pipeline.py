"""The way of a text into the graph: skip it if it is known, read it, embed it, write it as one record."""

from lcg.graph.graph import Graph
from lcg.ontology.workspace import Ontologies
from lcg.providers.extractor.protocol import Extractor
from lcg.services.embedding import Embedding
from lcg.services.ingest.chunk import Ingest, Ingested, Reading
from lcg.services.ingest.plan import newest_revision, outcome_if_unchanged, plan_ingest
from lcg.services.ingest.reading import read_text


class Ingestion:
    """Ingests texts. Safe from any thread: reading and embedding run side by side, writing goes through the graph."""

    def __init__(self, graph: Graph, embedding: Embedding, extractor: Extractor | None, ontologies: Ontologies) -> None:
        self._graph = graph
        self._embedding = embedding
        self.extractor = extractor
        self._ontologies = ontologies

    def extractor_key(self, group_id: str) -> str:
        """Return what tells whether a text would be read alike: provider, model and the hash of the ontology."""
        if self.extractor is None:
            return "none::"
        ontology = self._ontologies.of_group(group_id)
        return f"{self.extractor.provider}:{self.extractor.model or ''}:{ontology.fingerprint if ontology else ''}"

    def ingest(self, wish: Ingest, origin: str) -> Ingested:
        """Store a text with everything that the extractor finds in it.

        Raises:
            OperationFailed: no extractor, or it failed, or the log refused the write. Nothing was stored then.
        """
        if self.extractor is not None:
            known = outcome_if_unchanged(newest_revision(self._graph.index, wish), wish)
            if known is not None:
                return known
        reading = read_text(self.extractor, wish)
        warning = self._embedding.prepare(_texts(wish, reading))
        ontology = self._ontologies.of_group(wish.group_id)
        outcome: Ingested = self._graph.write(wish.group_id, origin, plan_ingest(wish, reading, ontology))
        self._ontologies.note_read(wish.group_id)
        outcome.embedding_warning = warning
        return outcome


def _texts(wish: Ingest, reading: Reading) -> list[str]:
    """Return every text that may become a row's vector: one call to the model for the whole chunk."""
    found = reading.extraction
    names = [entity.name for entity in found.entities]
    summaries = [entity.summary for entity in found.entities]
    return [wish.text, *names, *summaries, *(edge.fact for edge in found.edges)]
