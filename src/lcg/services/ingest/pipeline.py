"""The way of a text into the graph: skip it if it is known, read it, embed it, write it as one record."""

from collections.abc import Iterable
from dataclasses import replace

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.model.names import name_key
from lcg.ontology.workspace import Ontologies
from lcg.providers.dedup.protocol import Judge
from lcg.providers.extractor.protocol import Extractor
from lcg.runtime.call import cancellation
from lcg.services.embedding import Embedding
from lcg.services.ingest.chunk import Ingest, Ingested, Reading
from lcg.services.ingest.judging import judge_names
from lcg.services.ingest.near import NearNames
from lcg.services.ingest.plan import newest_revision, outcome_if_unchanged, plan_ingest
from lcg.services.ingest.reading import read_text


class Ingestion:
    """Ingests texts. Safe from any thread: reading and embedding run side by side, writing goes through the graph.

    `judge` decides about names that are near to stored ones; without it, their spelling does.
    """

    def __init__(
        self,
        graph: Graph,
        embedding: Embedding,
        extractor: Extractor | None,
        ontologies: Ontologies,
        judge: Judge | None = None,
    ) -> None:
        self._graph = graph
        self._embedding = embedding
        self.extractor = extractor
        self.judge = judge
        self._ontologies = ontologies
        self._names = NearNames(graph, embedding.index)

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
        ontology = self._ontologies.of_group(wish.group_id)
        reading = read_text(self.extractor, wish, ontology)
        wish = self._as_read(wish)
        ends = self._foreign_ends(wish.group_id, reading)
        warning = self._embedding.prepare([*_texts(wish, reading), *ends])
        with self._names.watching() as watch:
            self._names.look(watch, wish.group_id, [*_names(reading), *ends])
            if self.judge is not None:
                judge_names(self.judge, self._graph, watch, reading.extraction.entities, ontology)
            if cancellation().is_set():
                raise OperationFailed(ErrorKind.CANCELLED, "operation cancelled")
            plan = plan_ingest(wish, reading, ontology, self._names, watch)
            outcome: Ingested = self._graph.write(wish.group_id, origin, plan)
        self._ontologies.note_read(wish.group_id)
        outcome.embedding_warning = warning
        return outcome

    def _as_read(self, wish: Ingest) -> Ingest:
        """Name the model that read the text: a second one may have taken over while it was read."""
        if wish.chunk is None:
            return wish
        return replace(wish, chunk=replace(wish.chunk, extractor_key=self.extractor_key(wish.group_id)))

    def _foreign_ends(self, group_id: str, reading: Reading) -> list[str]:
        """Return the ends of facts that are neither entities of the text nor of the group, each once."""
        own = {name_key(name) for name in _names(reading)}
        ends = (end for edge in reading.extraction.edges for end in (edge.source_name, edge.target_name))
        foreign = {name_key(end): end for end in ends if name_key(end) not in own}
        return [end for end in foreign.values() if self._names.is_unknown(group_id, end)]


def _names(reading: Reading) -> Iterable[str]:
    return (entity.name for entity in reading.extraction.entities)


def _texts(wish: Ingest, reading: Reading) -> list[str]:
    """Return every text that may become a row's vector: one call to the model for the whole chunk."""
    found = reading.extraction
    summaries = [entity.summary for entity in found.entities]
    return [wish.text, *_names(reading), *summaries, *(edge.fact for edge in found.edges)]
