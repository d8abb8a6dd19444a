"""Semantic search maintenance: knowledge_backfill_summary_embeddings."""

from lcg.generated.params import BackfillSummaryEmbeddingsParams
from lcg.generated.results import BackfillSummaryEmbeddingsResult as Backfilled
from lcg.graph.graph import Graph
from lcg.runtime.call import Call
from lcg.services.embedding import Embedding
from lcg.services.summaries import backfill_summaries


class SummaryHandlers:
    """Keeps entities findable by what they are about."""

    def __init__(self, graph: Graph, embedding: Embedding) -> None:
        self._graph = graph
        self._embedding = embedding

    def backfill_summary_embeddings(self, params: BackfillSummaryEmbeddingsParams, call: Call) -> Backfilled:
        """Embed every summary of a group."""
        total, backfilled = backfill_summaries(
            self._graph, self._embedding, params.group_id, call, dry_run=params.dry_run
        )
        return {
            "group_id": params.group_id,
            "total_entities": total,
            "backfilled": backfilled,
            "dry_run": params.dry_run,
        }
