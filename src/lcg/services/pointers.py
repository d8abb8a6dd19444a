"""Cross-group edges: planning one, and looking up an end in another group. Rebinding is in `rebinding`."""

from dataclasses import dataclass

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.graph import Graph
from lcg.graph.planning import Plan, Planned, PlanView
from lcg.model.ids import new_uuid
from lcg.model.names import name_key
from lcg.model.operations import EdgePut
from lcg.model.pointers import Pointer, Side, with_pointers
from lcg.model.rows import Edge
from lcg.model.times import Micros
from lcg.services.names import find_by_name, follow_merges


@dataclass(frozen=True, slots=True)
class OwnEnd:
    """An end in the edge's own group, by its uuid."""

    uuid: str


@dataclass(frozen=True, slots=True)
class ForeignEnd:
    """An end in another group, by a name that is looked up there."""

    source_group_id: str
    endpoint_name: str


End = OwnEnd | ForeignEnd


@dataclass(frozen=True, slots=True)
class CrossGroupEdge:
    """An edge as a caller states it."""

    group_id: str
    name: str
    source: End
    target: End
    fact: str
    relation_type: str | None
    valid_at: Micros | None
    now: Micros


@dataclass(frozen=True, slots=True)
class Made:
    """The edge that was made, and its foreign ends."""

    edge: Edge
    pointers: dict[Side, Pointer]


def plan_cross_group_edge(graph: Graph, wish: CrossGroupEdge) -> Plan[Made]:
    """Return the plan of a new edge.

    The plan raises:
        OperationFailed: `not_found`, unknown uuids; `precondition`, a uuid of another group, or both ends are one.
    """

    def plan(view: PlanView) -> Planned[Made]:
        _refuse_unknown(view, wish)
        pointers: dict[Side, Pointer] = {}
        ends: dict[Side, str] = {}
        sides: tuple[tuple[Side, End], ...] = (("src", wish.source), ("dst", wish.target))
        for side, end in sides:
            if isinstance(end, OwnEnd):
                ends[side] = _own_entity(view, wish.group_id, end.uuid)
            else:
                pointers[side] = resolve(graph, view, end.source_group_id, end.endpoint_name)
                ends[side] = pointers[side].resolved_uuid or ""
        if ends["src"] and ends["src"] == ends["dst"]:
            raise _one_entity(ends["src"])
        edge = Edge(
            uuid=new_uuid(),
            group_id=wish.group_id,
            name=wish.name,
            source_uuid=ends["src"],
            target_uuid=ends["dst"],
            fact=wish.fact,
            created_at=wish.now,
            valid_at=wish.valid_at,
            attributes=with_pointers("{}", pointers),
            relation_type=wish.relation_type,
        )
        return Planned([EdgePut(edge)], Made(edge, pointers))

    return plan


def resolve(graph: Graph, view: PlanView, source_group_id: str, name: str) -> Pointer:
    """Look a name up in a group: no entity, one, or several. Merged ones lead on; a merge that ends nowhere is none."""
    key = name_key(name)
    # On the writer's thread: nothing moves a position while a plan is made.
    position = graph.state.positions.get(source_group_id)
    is_known = position is not None and position.applied_seq >= 0
    seq = position.applied_seq if position is not None and is_known else None
    generation = position.generation if position is not None and is_known else None
    if len(view.index.named(source_group_id, key)) > 1:
        return Pointer(source_group_id, key, "ambiguous", None, seq, generation)
    try:
        found = find_by_name(view, source_group_id, key).entity
    except OperationFailed:
        found = None
    if found is None:
        return Pointer(source_group_id, key, "unbound", None, seq, generation)
    return Pointer(source_group_id, key, "bound", found.uuid, seq, generation)


def _refuse_unknown(view: PlanView, wish: CrossGroupEdge) -> None:
    uuids = dict.fromkeys(end.uuid for end in (wish.source, wish.target) if isinstance(end, OwnEnd))
    unknown = [uuid for uuid in uuids if view.entity(uuid) is None]
    if unknown:
        raise OperationFailed(
            ErrorKind.NOT_FOUND,
            f"No entity {' and none '.join(unknown)}. knowledge_find_entities finds uuids; an end in another group is "
            "given by `source_group_id` and `endpoint_name`.",
            uuids=unknown,
            group_id=wish.group_id,
        )


def _own_entity(view: PlanView, group_id: str, uuid: str) -> str:
    entity = view.entity(uuid)
    assert entity is not None
    if entity.group_id != group_id:
        raise OperationFailed(
            ErrorKind.PRECONDITION,
            f"Entity {uuid} belongs to group {entity.group_id!r}, the edge to group {group_id!r}; nothing was written. "
            f'Give this end as {{"source_group_id": "{entity.group_id}", "endpoint_name": "{entity.name}"}}.',
            uuid=uuid,
            entity_group_id=entity.group_id,
            group_id=group_id,
        )
    return follow_merges(view, entity).uuid


def _one_entity(uuid: str) -> OperationFailed:
    return OperationFailed(
        ErrorKind.PRECONDITION,
        f"Both ends are the entity {uuid}; nothing was written. Name two different ones.",
        uuid=uuid,
    )
