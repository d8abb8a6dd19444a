"""Search: knowledge_find_entities, knowledge_query_cypher."""

from lcg.generated.params import FindEntitiesParams, QueryCypherParams
from lcg.generated.results import FindEntitiesResult, QueryCypherResult
from lcg.graph.graph import Graph
from lcg.handlers.records import entity_record
from lcg.runtime.call import Call
from lcg.services.freshness import Freshness
from lcg.services.search import Search


class SearchHandlers:
    """Finds rows by words and meaning, or by a Cypher query."""

    def __init__(self, graph: Graph, search: Search, freshness: Freshness) -> None:
        self._graph = graph
        self._search = search
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

    def query_cypher(self, params: QueryCypherParams, call: Call) -> QueryCypherResult:
        """Run one guarded, read-only Cypher query."""
        with self._graph.reader() as reader:
            answer = reader.cypher(
                params.query,
                dict(params.parameters or {}),
                max_rows=params.max_rows,
                timeout_ms=params.timeout_ms,
            )
        return {
            "columns": answer.columns,
            "rows": answer.rows,
            "count": len(answer.rows),
            "truncated": answer.truncated,
        }
