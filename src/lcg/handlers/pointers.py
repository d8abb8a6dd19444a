"""Cross-group pointers: knowledge_add_cross_group_edge, knowledge_rebind_pointers."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, cast

from lcg.errors import InvalidParams
from lcg.generated.params import AddCrossGroupEdgeParams, RebindPointersParams
from lcg.generated.results import AddCrossGroupEdgeResult, PointerRecord, RebindPointersResult
from lcg.graph.graph import Graph
from lcg.model.pointers import Pointer
from lcg.model.times import now
from lcg.runtime import decode
from lcg.runtime.call import Call
from lcg.services.embedding import Embedding
from lcg.services.pointers import CrossGroupEdge, End, ForeignEnd, Made, OwnEnd, plan_cross_group_edge
from lcg.services.rebinding import rebind_pointers


class PointerHandlers:
    """Joins groups by edges whose ends are looked up by name."""

    def __init__(self, graph: Graph, embedding: Embedding) -> None:
        self._graph = graph
        self._embedding = embedding

    def add_cross_group_edge(self, params: AddCrossGroupEdgeParams, call: Call) -> AddCrossGroupEdgeResult:
        """Make an edge whose ends may lie in other groups."""
        wish = CrossGroupEdge(
            group_id=params.group_id,
            name=params.name,
            source=_end(call.method, "source", params.source, params.group_id),
            target=_end(call.method, "target", params.target, params.group_id),
            fact=params.fact,
            relation_type=params.relation_type,
            valid_at=params.valid_at,
            now=now(),
        )
        warning = self._embedding.prepare((wish.fact,))
        made: Made = self._graph.write(wish.group_id, call.method, plan_cross_group_edge(self._graph, wish))
        edge = made.edge
        return {
            "uuid": edge.uuid,
            "name": edge.name,
            "group_id": edge.group_id,
            "source_node_uuid": edge.source_uuid,
            "target_node_uuid": edge.target_uuid,
            "fact": edge.fact,
            "cross_group_pointers": {
                "src": _record(made.pointers.get("src")),
                "dst": _record(made.pointers.get("dst")),
            },
            "embedding_warning": warning,
        }

    def rebind_pointers(self, params: RebindPointersParams, call: Call) -> RebindPointersResult:
        """Look up again every pointer into a group."""
        done = rebind_pointers(self._graph, params.source_group_id, call)
        return cast(RebindPointersResult, asdict(done))


def _record(pointer: Pointer | None) -> PointerRecord | None:
    return None if pointer is None else cast(PointerRecord, pointer.record())


def _end(tool: str, side: str, given: Mapping[str, Any], group_id: str) -> End:
    keys = set(given)
    if keys == {"uuid"}:
        return OwnEnd(given["uuid"])
    if keys != {"source_group_id", "endpoint_name"}:
        raise InvalidParams(
            tool,
            side,
            "object with `uuid` alone, or with both `source_group_id` and `endpoint_name`",
            f"an object with {' and '.join(f'`{key}`' for key in given) or 'nothing in it'}",
        )
    place = f"{side}.source_group_id"
    source_group_id = decode.one_required(tool, {place: given["source_group_id"]}, place)
    if source_group_id == group_id:
        raise InvalidParams(
            tool,
            place,
            "another group than the edge's own",
            f"{group_id!r}, the edge's own group",
            advice="Name an entity of this group by its `uuid`; an edge inside one group is made by "
            "knowledge_assert_relationship.",
        )
    return ForeignEnd(source_group_id, given["endpoint_name"])
