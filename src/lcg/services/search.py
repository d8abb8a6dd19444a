"""Hybrid search: full text and vectors, each filtered by group before the cut, fused by reciprocal rank.

What the best passages for the query point to takes turns with what was found directly: see `evidence.py`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from lcg.graph.graph import Graph
from lcg.model.rows import Edge, Entity
from lcg.model.times import Micros
from lcg.runtime.groups import GroupFilter
from lcg.search.fusion import RankedList, fuse, interleave
from lcg.search.protocol import Hit, TextIndex, TextKind, Vector, VectorIndex, VectorKind
from lcg.search.text import telling_words
from lcg.services.embedding import Embedding
from lcg.services.evidence import PASSAGES, Evidence
from lcg.services.found_rows import existing
from lcg.services.passage_ranking import PassageRanking
from lcg.services.query_vector import query_vector
from lcg.services.warnings import Warnings

RowT = TypeVar("RowT", Entity, Edge)

_CANDIDATES_PER_RESULT = 3
_FEWEST_CANDIDATES = 30
_MOST_CANDIDATES = 2**31 - 1
"""No index holds so many rows, and each can be asked for that many."""
_EVIDENCE_WEIGHT = 1.05
"""Three rows that passages point to come before the best that was found directly; from there on they take turns."""
_CERTAIN_WEIGHT = 2.0
"""What words and vectors agree on comes before all that passages point to."""
_ENTITIES_POINTED_TO = 5
_LIKE_ENOUGH = 0.45
"""The calibrated similarity to the query from which on a passage is evidence: a long one is like no short question."""
_LOOKED_AT = 10
"""How many of the rows that were found first, or fit best, are read to see what they are."""
_FITTING = 0.9
"""The share of the best passage's likeness from which on a row that was asserted comes before what they point to."""
_MOST_FITTING = 3


@dataclass(frozen=True, slots=True)
class Answer(Generic[RowT]):
    """Found rows with their fused scores, best first, and what there is to say about the search."""

    rows: list[tuple[RowT, float]] = field(default_factory=list)
    warnings: Warnings = field(default_factory=list)


class Search:
    """Finds entities and relationships by words and by meaning. Safe from any thread."""

    def __init__(self, graph: Graph, text: TextIndex, vectors: VectorIndex, embedding: Embedding) -> None:
        self._graph = graph
        self._text = text
        self._vectors = vectors
        self._embedding = embedding
        self._ranking = PassageRanking(text, vectors)
        self._evidence = Evidence(graph, text, vectors)

    def entities(self, query: str, groups: GroupFilter, limit: int) -> Answer[Entity]:
        """Find entities by name and summary. One that is named exactly as asked comes first."""
        kinds = (VectorKind.ENTITY_NAME, VectorKind.ENTITY_SUMMARY)
        exact = self._graph.index.named_in(groups, query)

        def evidence(vector: Vector, direct: list[str]) -> list[str]:
            if self._is_name(query, direct):
                return []
            passages = self._passages(query, vector, groups)
            fitting = self._fitting(VectorKind.ENTITY_SUMMARY, vector, direct, passages)
            own = self._asserted(fitting, self._graph.entities, lambda row: self._graph.index.episodes_of(row.uuid))
            pointed_to = self._evidence.entities(list(passages), groups)[:_ENTITIES_POINTED_TO]
            return list(dict.fromkeys([*own, *pointed_to]))

        return self._search(TextKind.ENTITY, kinds, query, groups, limit, self._graph.entities, evidence, exact=exact)

    def edges(self, query: str, groups: GroupFilter, limit: int, moment: Micros | None = None) -> Answer[Edge]:
        """Find relationships by predicate and fact; with a time, only those whose fact holds then."""
        keep = None if moment is None else self._graph.edges_holding_at(moment)

        def evidence(vector: Vector, direct: list[str]) -> list[str]:
            passages = self._passages(query, vector, groups)
            fitting = self._fitting(VectorKind.EDGE_FACT, vector, direct, passages)
            own = self._asserted(fitting, self._graph.edges, lambda row: row.episodes)
            stated = self._evidence.facts(list(passages), vector, groups, keep)
            return list(dict.fromkeys([*own, *stated]))

        kinds = (VectorKind.EDGE_FACT,)
        return self._search(TextKind.EDGE, kinds, query, groups, limit, self._graph.edges, evidence, keep)

    def _is_name(self, query: str, found: list[str]) -> bool:
        """Say whether the query is a name, or part of one, among the first that were found."""
        words = telling_words(query)
        names = self._text.names(found[:_LOOKED_AT])
        return any(words <= set(name.words.split()) for name in names.values())

    def _fitting(self, kind: VectorKind, vector: Vector, uuids: list[str], passages: Mapping[str, float]) -> list[str]:
        """Return the rows that are about as like the query as the best passage is, best first."""
        if not passages:
            return []
        likeness = self._vectors.similarities(kind, vector, uuids)
        fitting = [uuid for uuid in likeness if likeness[uuid] >= _FITTING * max(passages.values())]
        return sorted(fitting, key=lambda uuid: (-round(likeness[uuid], 6), uuid))

    def _asserted(
        self,
        uuids: list[str],
        fetch: Callable[[list[str]], Mapping[str, RowT]],
        episodes_of: Callable[[RowT], Iterable[str]],
    ) -> list[str]:
        """Return the first of these rows that were not read from a text: what is has the time of its text.

        No passage points to them for what they say, so they would stand behind all that one points to, however well
        they fit.
        """
        rows = fetch(uuids[:_LOOKED_AT])
        source_of = self._graph.index.source_of

        def is_asserted(row: RowT) -> bool:
            sources = map(source_of, episodes_of(row))
            return all(source is None or source.created_at != row.created_at for source in sources)

        return [uuid for uuid in uuids if uuid in rows and is_asserted(rows[uuid])][:_MOST_FITTING]

    def _passages(self, query: str, vector: Vector, groups: GroupFilter) -> dict[str, float]:
        """Return the best passages for a query, best first, with their cosines; only those that are like it."""
        ranked = self._ranking.ranked(query, vector, groups, _FEWEST_CANDIDATES)[:PASSAGES]
        calibrate = self._embedding.embedder.calibrate
        likeness = self._vectors.similarities(VectorKind.EPISODE_CONTENT, vector, ranked)
        return {
            uuid: likeness[uuid] for uuid in ranked if uuid in likeness and calibrate(likeness[uuid]) >= _LIKE_ENOUGH
        }

    def _search(
        self,
        text_kind: TextKind,
        vector_kinds: Sequence[VectorKind],
        query: str,
        groups: GroupFilter,
        limit: int,
        fetch: Callable[[list[str]], Mapping[str, RowT]],
        evidence: Callable[[Vector, list[str]], list[str]],
        keep: Set[str] | None = None,
        exact: Sequence[str] = (),
    ) -> Answer[RowT]:
        if groups.is_empty:
            return Answer()
        said: Warnings = []
        vector = query_vector(self._embedding, self._vectors, query, said)

        def candidates(depth: int) -> list[list[Hit]]:
            lists = [self._text.search(text_kind, query, groups, depth)]
            if vector is not None:
                lists += [self._vectors.search(kind, vector, groups, depth) for kind in vector_kinds]
            return lists

        depth = min(max(_FEWEST_CANDIDATES, _CANDIDATES_PER_RESULT * limit), _MOST_CANDIDATES)
        found: list[RankedList] = [RankedList(uuids) for uuids in _kept(candidates, depth, keep)]
        ranked = fuse([RankedList(exact), *found], depth)
        if vector is not None:
            direct = [hit.uuid for hit in ranked]
            pointed_to = evidence(vector, direct)
            if pointed_to:
                certain = RankedList(_agreed(found), _CERTAIN_WEIGHT)
                ranked = interleave([certain, RankedList(direct), RankedList(pointed_to, _EVIDENCE_WEIGHT)], depth)
        scores = {hit.uuid: hit.score for hit in ranked}
        return Answer([(row, scores[row.uuid]) for row in existing(list(scores), fetch, limit)], said)


def _agreed(lists: Sequence[RankedList]) -> list[str]:
    """Return the row that comes first by words, the first list, and by some vector; none when they disagree."""
    by_words, *by_vectors = lists
    first = by_words.uuids[:1]
    return list(first) if first and any(ranked.uuids[:1] == first for ranked in by_vectors) else []


def _kept(candidates: Callable[[int], list[list[Hit]]], depth: int, keep: Set[str] | None) -> Iterator[list[str]]:
    """Yield each list's best `depth` rows among those to keep, looking deeper while too few of them are."""
    reach = depth
    while True:
        lists = [[hit.uuid for hit in hits] for hits in candidates(reach)]
        kept = [[uuid for uuid in uuids if keep is None or uuid in keep][:depth] for uuids in lists]
        short = any(len(best) < depth and len(uuids) >= reach for best, uuids in zip(kept, lists, strict=True))
        if keep is None or not short:
            yield from kept
            return
        reach *= 4
