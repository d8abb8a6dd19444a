"""Searching the texts that went in: by meaning and by words, scored by similarity."""

from dataclasses import dataclass, field

from lcg.graph.graph import Graph
from lcg.model.rows import Episode
from lcg.runtime.groups import GroupFilter
from lcg.search.protocol import TextIndex, TextKind, Vector, VectorIndex, VectorKind
from lcg.services.embedding import Embedding
from lcg.services.found_rows import existing
from lcg.services.passage_ranking import PassageRanking
from lcg.services.query_vector import query_vector
from lcg.services.warnings import Warnings

_CANDIDATES_PER_RESULT = 3
_FEWEST_CANDIDATES = 30


@dataclass(frozen=True, slots=True)
class PassageAnswer:
    """Found episodes, best first, each with its calibrated similarity (None: no embedder), and warnings."""

    rows: list[tuple[Episode, float | None]] = field(default_factory=list)
    warnings: Warnings = field(default_factory=list)


class PassageSearch:
    """Finds episodes. Superseded revisions of a chunk are not in the indexes, so they are never found."""

    def __init__(self, graph: Graph, text: TextIndex, vectors: VectorIndex, embedding: Embedding) -> None:
        self._graph = graph
        self._text = text
        self._vectors = vectors
        self._embedding = embedding
        self._ranking = PassageRanking(text, vectors)

    def passages(self, query: str, groups: GroupFilter, limit: int, min_score: float) -> PassageAnswer:
        """Find at most `limit` episodes whose similarity reaches `min_score`, or that hold every word of the query."""
        if groups.is_empty:
            return PassageAnswer()
        depth = max(_FEWEST_CANDIDATES, _CANDIDATES_PER_RESULT * limit)
        said: Warnings = []
        vector = query_vector(self._embedding, self._vectors, query, said)
        ranked = self._ranking.ranked(query, vector, groups, depth)
        if vector is None:
            return PassageAnswer([(row, None) for row in self._rows(ranked, limit)], said)
        scores = self._scores(vector, ranked)
        literal = self._text.holds_all_terms(TextKind.EPISODE, query, ranked)
        kept = [uuid for uuid in ranked if scores.get(uuid, 0.0) >= min_score or uuid in literal]
        return PassageAnswer([(row, scores.get(row.uuid)) for row in self._rows(kept, limit)], said)

    def _scores(self, vector: Vector, uuids: list[str]) -> dict[str, float]:
        calibrate = self._embedding.embedder.calibrate
        found = self._vectors.similarities(VectorKind.EPISODE_CONTENT, vector, uuids)
        return {uuid: round(calibrate(cosine), 6) for uuid, cosine in found.items()}

    def _rows(self, uuids: list[str], limit: int) -> list[Episode]:
        return existing(uuids, self._graph.episodes, limit)
