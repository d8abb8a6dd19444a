"""Search: entities, relationships, passages, and Cypher."""

from lcg.generated.params import (
    FindEntitiesParams,
    FindRelationshipsParams,
    QueryCypherParams,
    SearchPassagesParams,
)
from lcg.generated.results import (
    FindEntitiesResult,
    FindRelationshipsResult,
    QueryCypherResult,
    SearchPassagesResult,
)
from lcg.graph.graph import Graph
from lcg.handlers.records import edge_record, entity_record, passage_record
from lcg.runtime.call import Call
from lcg.services.cypher import CypherQueries
from lcg.services.freshness import Freshness
from lcg.services.passages import PassageSearch
from lcg.services.search import Search


class SearchHandlers:
    """Finds rows by words and meaning, or by a Cypher query."""

    def __init__(
        self, graph: Graph, search: Search, passages: PassageSearch, cypher: CypherQueries, freshness: Freshness
    ) -> None:
        self._graph = graph
        self._cypher = cypher
        self._search = search
        self._passages = passages
        self._freshness = freshness

    def find_entities(self, params: FindEntitiesParams, call: Call) -> FindEntitiesResult:
        """Find entities by name and summary."""
        answer = self._search.entities(params.query, params.groups, params.num_results)
        index = self._graph.index
        nodes = [entity_record(index, row, params.groups, score) for row, score in answer.rows]
        result: FindEntitiesResult = {"nodes": nodes, "count": len(nodes)}
        said = [*answer.warnings, *self._freshness.warnings(params.groups)]
        if said:
            result["warnings"] = said
        return result

    def find_relationships(self, params: FindRelationshipsParams, call: Call) -> FindRelationshipsResult:
        """Find relationships by predicate and fact."""
        answer = self._search.edges(params.query, params.groups, params.num_results, params.valid_at)
        index = self._graph.index
        edges = [edge_record(index, row, params.groups, score) for row, score in answer.rows]
        result: FindRelationshipsResult = {"edges": edges, "count": len(edges)}
        said = [*answer.warnings, *self._freshness.warnings(params.groups)]
        if said:
            result["warnings"] = said
        return result

    def search_passages(self, params: SearchPassagesParams, call: Call) -> SearchPassagesResult:
        """Find episodes by what they say."""
        answer = self._passages.passages(params.query, params.groups, params.num_results, params.min_score)
        passages = [passage_record(row, score) for row, score in answer.rows]
        result: SearchPassagesResult = {"passages": passages, "count": len(passages)}
        said = [*answer.warnings, *self._freshness.warnings(params.groups)]
        if said:
            result["warnings"] = said
        return result

    def query_cypher(self, params: QueryCypherParams, call: Call) -> QueryCypherResult:
        """Run one guarded Cypher query, which may change rows."""
        answer = self._cypher.run(
            params.query,
            dict(params.parameters or {}),
            max_rows=params.max_rows,
            timeout_ms=params.timeout_ms,
            call=call,
        )
        return {
            "columns": answer.columns,
            "rows": answer.rows,
            "count": len(answer.rows),
            "truncated": answer.truncated,
        }
