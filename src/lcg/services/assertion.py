"""Planning direct assertions: one entity or one relationship that the caller already knows."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.planning import Plan, Planned, PlanView
from lcg.model.ids import new_uuid
from lcg.model.operations import EdgePut, EntityPut
from lcg.model.rows import Edge, Entity
from lcg.model.times import Micros
from lcg.services.names import Found, find_by_name, follow_merges
from lcg.services.warnings import Warnings


@dataclass(frozen=True, slots=True)
class EntityAssertion:
    """An entity as a caller states it. `attributes` None counts as `{}`; `uuid` demands an existing entity."""

    group_id: str
    name: str
    uuid: str | None
    labels: tuple[str, ...]
    summary: str
    attributes: Mapping[str, Any] | None
    now: Micros
    refresh_vectors: bool = False


@dataclass(frozen=True, slots=True)
class EdgeAssertion:
    """A relationship as a caller states it. What is None keeps its stored value on an update."""

    group_id: str
    source_name: str
    target_name: str
    predicate: str
    fact: str | None
    attributes: Mapping[str, Any] | None
    relation_type: str | None
    valid_at: Micros | None
    now: Micros
    refresh_vectors: bool = False


@dataclass(frozen=True, slots=True)
class Asserted:
    """What became of an assertion."""

    uuid: str
    created: bool
    warnings: Warnings


def plan_entity(wish: EntityAssertion) -> Plan[Asserted]:
    """Return the plan of an upsert by (group, name), or of an update by uuid."""

    def plan(view: PlanView) -> Planned[Asserted]:
        found = _target(view, wish)
        row = _entity_row(found.entity, wish)
        _refuse_taken_name(view, row)
        changed = row != found.entity
        asserted = Asserted(row.uuid, found.entity is None, found.warnings)
        return Planned([EntityPut(row)] if changed else [], asserted)

    return plan


def plan_edge(wish: EdgeAssertion) -> Plan[Asserted]:
    """Return the plan of an upsert by (source, predicate, target) among the edges that still hold."""

    def plan(view: PlanView) -> Planned[Asserted]:
        source = find_by_name(view, wish.group_id, wish.source_name)
        target = find_by_name(view, wish.group_id, wish.target_name)
        if source.entity is None or target.entity is None:
            raise _missing_ends(wish, source, target)
        known = view.active_edges(wish.group_id, source.entity.uuid, wish.predicate, target.entity.uuid)
        old = known[0] if known else None
        row = _edge_update(old, wish) if old else _new_edge(source.entity, target.entity, wish)
        asserted = Asserted(row.uuid, old is None, _distinct([*source.warnings, *target.warnings]))
        return Planned([EdgePut(row)] if row != old else [], asserted)

    return plan


def _target(view: PlanView, wish: EntityAssertion) -> Found:
    if wish.uuid is None:
        return find_by_name(view, wish.group_id, wish.name)
    entity = view.entity(wish.uuid)
    if entity is None or entity.group_id != wish.group_id:
        raise OperationFailed(
            ErrorKind.NOT_FOUND,
            f"No entity {wish.uuid} in group {wish.group_id!r}. Leave `entity_uuid` out to find or create it by "
            "its name; new entities always get a uuid of the server's.",
            uuid=wish.uuid,
            group_id=wish.group_id,
        )
    return Found(follow_merges(view, entity))


def _entity_row(old: Entity | None, wish: EntityAssertion) -> Entity:
    labels = tuple(dict.fromkeys(("Entity", *wish.labels)))
    attributes = _json_text(wish.attributes)
    if old is None:
        return Entity(new_uuid(), wish.group_id, wish.name, labels, wish.now, wish.summary, attributes)
    row = replace(old, name=wish.name, labels=labels, summary=wish.summary, attributes=attributes)
    if wish.refresh_vectors:
        return replace(row, name_embedded=None, summary_embedded=None)
    return replace(
        row,
        name_embedded=_embedded(old.name_embedded, old.name, row.name),
        summary_embedded=_embedded(old.summary_embedded, old.summary, row.summary),
    )


def _embedded(embedded: str | None, old_text: str, new_text: str) -> str | None:
    """Return what the vector goes on standing for, null when that is the text again."""
    text = old_text if embedded is None else embedded
    return None if text == new_text else text


def _refuse_taken_name(view: PlanView, row: Entity) -> None:
    owners = [owner for owner in view.entities_named(row.group_id, row.name) if owner.uuid != row.uuid]
    mine = view.entity(row.uuid)
    renamed = mine is None or mine not in view.entities_named(row.group_id, row.name)
    if owners and renamed:
        raise OperationFailed(
            ErrorKind.CONFLICT,
            f"The name {row.name!r} already belongs to entity {owners[0].uuid} of group {row.group_id!r}. "
            "Take another name, or make the two one with knowledge_merge_entities.",
            name=row.name,
            uuid=owners[0].uuid,
            group_id=row.group_id,
        )


def _new_edge(source: Entity, target: Entity, wish: EdgeAssertion) -> Edge:
    return Edge(
        uuid=new_uuid(),
        group_id=wish.group_id,
        name=wish.predicate,
        source_uuid=source.uuid,
        target_uuid=target.uuid,
        fact=wish.fact or f"{source.name} {wish.predicate} {target.name}",
        created_at=wish.now,
        valid_at=wish.valid_at,
        attributes=_json_text(wish.attributes),
        relation_type=wish.relation_type,
    )


def _edge_update(old: Edge, wish: EdgeAssertion) -> Edge:
    fact = wish.fact or old.fact
    return replace(
        old,
        fact=fact,
        valid_at=old.valid_at if wish.valid_at is None else wish.valid_at,
        relation_type=wish.relation_type or old.relation_type,
        attributes=old.attributes if wish.attributes is None else _json_text(wish.attributes),
        fact_embedded=None if wish.refresh_vectors else _embedded(old.fact_embedded, old.fact, fact),
    )


def _missing_ends(wish: EdgeAssertion, source: Found, target: Found) -> OperationFailed:
    ends = ((source, wish.source_name), (target, wish.target_name))
    names = list(dict.fromkeys(name for found, name in ends if found.entity is None))
    return OperationFailed(
        ErrorKind.NOT_FOUND,
        f"Group {wish.group_id!r} has no entity named {' and none named '.join(map(repr, names))}. "
        "Assert it first with knowledge_assert_entity; to reach an entity of another group, use "
        "knowledge_add_cross_group_edge.",
        names=names,
        group_id=wish.group_id,
    )


def _json_text(attributes: Mapping[str, Any] | None) -> str:
    return orjson.dumps(dict(attributes or {})).decode()


def _distinct(found: Warnings) -> Warnings:
    return [warning for position, warning in enumerate(found) if warning not in found[:position]]
