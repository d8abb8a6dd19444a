"""Graph reads: knowledge_get_entity_neighbors."""

from lcg.generated.params import GetEntityNeighborsParams
from lcg.generated.results import GetEntityNeighborsResult
from lcg.graph.graph import Graph
from lcg.handlers.records import edge_record, entity_record
from lcg.model.rows import Edge
from lcg.model.times import Micros
from lcg.runtime.call import Call
from lcg.services.freshness import Freshness
from lcg.services.names import merged_into


class ReadHandlers:
    """Reads the graph by key and by neighbourhood."""

    def __init__(self, graph: Graph, freshness: Freshness) -> None:
        self._graph = graph
        self._freshness = freshness

    def get_entity_neighbors(self, params: GetEntityNeighborsParams, call: Call) -> GetEntityNeighborsResult:
        """Return the relationships of an entity, one page of them, and the entities at their other ends."""
        center = self._graph.entities([params.entity_uuid]).get(params.entity_uuid)
        matching = [
            edge
            for direction in ("out", "in")
            for edge in self._graph.neighbour_edges(params.entity_uuid, direction)
            if edge.group_id in params.groups and holds_at(edge, params.valid_at)
        ]
        page = matching[params.offset : params.offset + params.num_results]
        index = self._graph.index
        ends = dict.fromkeys(other_end(edge, params.entity_uuid) for edge in page)
        others = self._graph.entities(ends)
        live = [others[uuid] for uuid in ends if uuid in others and not others[uuid].is_tombstone]
        result: GetEntityNeighborsResult = {
            "center_uuid": params.entity_uuid,
            "nodes": [entity_record(index, row, params.groups) for row in live],
            "edges": [edge_record(index, row, params.groups) for row in page],
            "count": len(live),
            "node_count": len(live),
            "edge_count": len(page),
            "total": len(matching),
            "has_more": params.offset + len(page) < len(matching),
        }
        if center is not None and center.is_tombstone:
            result["merged_into"] = merged_into(center) or ""
        said = self._freshness.warnings(params.groups)
        if said:
            result["warnings"] = said
        return result


def holds_at(edge: Edge, moment: Micros | None) -> bool:
    """Say whether a fact holds at a time; without a time every fact does."""
    if moment is None:
        return True
    begun = edge.valid_at is None or edge.valid_at <= moment
    return begun and (edge.invalid_at is None or edge.invalid_at > moment)


def other_end(edge: Edge, entity_uuid: str) -> str:
    """Return the end of an edge that is not this entity; of a self-edge, the entity."""
    return edge.target_uuid if edge.source_uuid == entity_uuid else edge.source_uuid
