"""The way of a text into the graph: skip it if it is known, read it, embed it, write it as one record."""

from lcg.graph.graph import Graph
from lcg.providers.extractor.protocol import Extractor
from lcg.services.embedding import Embedding
from lcg.services.ingest.chunk import Ingest, Ingested, Reading
from lcg.services.ingest.plan import newest_revision, outcome_if_unchanged, plan_ingest
from lcg.services.ingest.reading import read_text


class Ingestion:
    """Ingests texts. Safe from any thread: reading and embedding run side by side, writing goes through the graph."""

    def __init__(self, graph: Graph, embedding: Embedding, extractor: Extractor | None) -> None:
        self._graph = graph
        self._embedding = embedding
        self.extractor = extractor

    @property
    def extractor_key(self) -> str:
        """What tells whether the same text would be read alike: provider, model and (later) the ontology's hash."""
        if self.extractor is None:
            return "none::"
        return f"{self.extractor.provider}:{self.extractor.model or ''}:"

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
        outcome: Ingested = self._graph.write(wish.group_id, origin, plan_ingest(wish, reading))
        outcome.embedding_warning = warning
        return outcome


def _texts(wish: Ingest, reading: Reading) -> list[str]:
    """Return every text that may become a row's vector: one call to the model for the whole chunk."""
    found = reading.extraction
    names = [entity.name for entity in found.entities]
    summaries = [entity.summary for entity in found.entities]
    return [wish.text, *names, *summaries, *(edge.fact for edge in found.edges)]
