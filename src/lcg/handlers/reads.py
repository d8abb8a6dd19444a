"""Graph reads: lists by group, by source and by uuid, recent episodes, and neighbourhoods."""

from collections.abc import Sequence
from typing import TypedDict

from lcg.generated.params import (
    GetEdgesByGroupParams,
    GetEdgesByUuidsParams,
    GetEntitiesBySourceParams,
    GetEntityNeighborsParams,
    GetEpisodesParams,
    GetNodesByGroupParams,
    ListEntitiesParams,
    ListRelationshipsParams,
)
from lcg.generated.results import (
    EdgeRecord,
    EntityRecord,
    GetEdgesByGroupResult,
    GetEdgesByUuidsResult,
    GetEntitiesBySourceResult,
    GetEntityNeighborsResult,
    GetEpisodesResult,
    GetNodesByGroupResult,
    ListEntitiesResult,
    ListRelationshipsResult,
    WarningRecord,
)
from lcg.graph.entries import Kind
from lcg.graph.graph import Graph
from lcg.handlers.paging import page_of
from lcg.handlers.records import edge_record, entity_record, episode_record
from lcg.model.rows import Edge
from lcg.model.times import Micros
from lcg.runtime.call import Call
from lcg.runtime.groups import GroupFilter
from lcg.services.freshness import Freshness
from lcg.services.names import merged_into


class _NodePage(TypedDict):
    nodes: list[EntityRecord]
    count: int
    total: int
    has_more: bool


class _EdgePage(TypedDict):
    edges: list[EdgeRecord]
    count: int
    total: int
    has_more: bool


class ReadHandlers:
    """Reads the graph by key, by group and by neighbourhood."""

    def __init__(self, graph: Graph, freshness: Freshness) -> None:
        self._graph = graph
        self._freshness = freshness

    def get_episodes(self, params: GetEpisodesParams, call: Call) -> GetEpisodesResult:
        """Return a group's newest episodes."""
        index = self._graph.index
        page = page_of(index.newest_episodes(params.group_id), params.offset, params.last_n)
        rows = self._graph.episodes(page.uuids)
        episodes = [episode_record(index, rows[uuid]) for uuid in page.uuids if uuid in rows]
        result: GetEpisodesResult = {
            "episodes": episodes,
            "count": len(episodes),
            "total": page.total,
            "has_more": page.has_more,
        }
        said = self._freshness.warnings(GroupFilter((params.group_id,)))
        if said:
            result["warnings"] = said
        return result

    def get_nodes_by_group(self, params: GetNodesByGroupParams, call: Call) -> GetNodesByGroupResult:
        """List the entities of groups, all of them unless a page is asked for."""
        page = self._nodes(params.groups, params.offset, params.num_results)
        return {**page, **self._said(params.groups)}

    def list_entities(self, params: ListEntitiesParams, call: Call) -> ListEntitiesResult:
        """List entities, page by page."""
        page = self._nodes(params.groups, params.offset, params.num_results)
        return {**page, **self._said(params.groups)}

    def get_edges_by_group(self, params: GetEdgesByGroupParams, call: Call) -> GetEdgesByGroupResult:
        """List the relationships of groups, all of them unless a page is asked for."""
        page = self._edges(params.groups, params.offset, params.num_results, params.valid_at)
        return {**page, **self._said(params.groups)}

    def list_relationships(self, params: ListRelationshipsParams, call: Call) -> ListRelationshipsResult:
        """List relationships, page by page."""
        page = self._edges(params.groups, params.offset, params.num_results, params.valid_at)
        return {**page, **self._said(params.groups)}

    def get_edges_by_uuids(self, params: GetEdgesByUuidsParams, call: Call) -> GetEdgesByUuidsResult:
        """Return relationships in the order asked for, and which of them there are not."""
        index = self._graph.index
        rows = self._graph.edges(params.uuids)
        found = [uuid for uuid in params.uuids if uuid in rows and not index.is_unbound(uuid)]
        edges = [edge_record(index, rows[uuid]) for uuid in found]
        known = set(found)
        return {
            "edges": edges,
            "count": len(edges),
            "missing": [uuid for uuid in params.uuids if uuid not in known],
        }

    def get_entities_by_source(self, params: GetEntitiesBySourceParams, call: Call) -> GetEntitiesBySourceResult:
        """List the entities that episodes of a source mention, each once."""
        index = self._graph.index
        mentioned = {
            uuid
            for episode in index.episodes_from(params.source, params.groups)
            for uuid in index.entities_of(episode)
            if index.is_visible(uuid)
        }
        page = self._node_page(sorted(mentioned, reverse=True), params.groups, params.offset, params.num_results)
        return {"source": params.source, **page, **self._said(params.groups)}

    def get_entity_neighbors(self, params: GetEntityNeighborsParams, call: Call) -> GetEntityNeighborsResult:
        """Return the relationships of an entity, one page of them, and the entities at their other ends."""
        center = self._graph.entities([params.entity_uuid]).get(params.entity_uuid)
        matching = [
            edge
            for direction in ("out", "in")
            for edge in self._graph.neighbour_edges(params.entity_uuid, direction)
            if edge.group_id in params.groups and (params.valid_at is None or edge.holds_at(params.valid_at))
        ]
        page = matching[params.offset : params.offset + params.num_results]
        index = self._graph.index
        ends = dict.fromkeys(_other_end(edge, params.entity_uuid) for edge in page)
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
        said = self._freshness.warnings(params.groups)
        if said:
            result["warnings"] = said
        if center is not None and center.is_tombstone:
            result["merged_into"] = merged_into(center) or ""
        return result

    def _nodes(self, groups: GroupFilter, offset: int, limit: int | None) -> _NodePage:
        return self._node_page(self._graph.index.visible(Kind.ENTITY, groups), groups, offset, limit)

    def _node_page(self, uuids: Sequence[str], groups: GroupFilter, offset: int, limit: int | None) -> _NodePage:
        page = page_of(uuids, offset, limit)
        rows = self._graph.entities(page.uuids)
        index = self._graph.index
        nodes = [entity_record(index, rows[uuid], groups) for uuid in page.uuids if uuid in rows]
        return {"nodes": nodes, "count": len(nodes), "total": page.total, "has_more": page.has_more}

    def _edges(self, groups: GroupFilter, offset: int, limit: int | None, moment: Micros | None) -> _EdgePage:
        uuids = self._graph.index.visible(Kind.EDGE, groups)
        if moment is not None:
            holding = self._graph.edges_holding_at(moment)
            uuids = [uuid for uuid in uuids if uuid in holding]
        page = page_of(uuids, offset, limit)
        rows = self._graph.edges(page.uuids)
        index = self._graph.index
        edges = [edge_record(index, rows[uuid], groups) for uuid in page.uuids if uuid in rows]
        return {"edges": edges, "count": len(edges), "total": page.total, "has_more": page.has_more}

    def _said(self, groups: GroupFilter) -> "_Said":
        said = self._freshness.warnings(groups)
        return {"warnings": said} if said else {}


class _Said(TypedDict, total=False):
    warnings: list[WarningRecord]


def _other_end(edge: Edge, entity_uuid: str) -> str:
    """Return the end of an edge that is not this entity; of a self-edge, the entity."""
    return edge.target_uuid if edge.source_uuid == entity_uuid else edge.source_uuid
