"""Finding the entity that a name or a uuid means inside one group: the oldest of several, tombstones followed."""

from dataclasses import dataclass, field

import orjson

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.planning import PlanView
from lcg.model.rows import Entity
from lcg.services import warnings
from lcg.services.warnings import Warnings


@dataclass(frozen=True, slots=True)
class Found:
    """What a look-up gave: the live entity, or None, and what there is to say about it."""

    entity: Entity | None
    warnings: Warnings = field(default_factory=list)


def find_by_name(view: PlanView, group_id: str, name: str) -> Found:
    """Find the entity of a name. A live one wins over a tombstone; a tombstone leads to what it was merged into.

    Raises:
        OperationFailed: `precondition`, when a merge chain ends nowhere.
    """
    live = view.entities_named(group_id, name)
    if live:
        several = [warnings.duplicate_name(name, group_id, live[0].uuid)] if len(live) > 1 else []
        return Found(live[0], several)
    buried = view.tombstones_named(group_id, name)
    return Found(follow_merges(view, buried[0])) if buried else Found(None)


def follow_merges(view: PlanView, entity: Entity) -> Entity:
    """Return the live entity at the end of a merge chain.

    Raises:
        OperationFailed: `precondition`, when the chain ends nowhere, in a cycle or in another group.
    """
    seen: set[str] = set()
    current = entity
    while current.is_tombstone:
        seen.add(current.uuid)
        target = merged_into(current)
        after = view.entity(target) if target else None
        if after is None or after.uuid in seen or after.group_id != entity.group_id:
            raise OperationFailed(
                ErrorKind.PRECONDITION,
                f"Entity {entity.uuid} ({entity.name!r}) was merged away, but its merge chain leads "
                f"{_dead_end(after, seen)}. Assert the entity under another name, or merge it again.",
                uuid=entity.uuid,
                group_id=entity.group_id,
            )
        current = after
    return current


def merged_into(entity: Entity) -> str | None:
    """Return the uuid that a tombstone names as its successor, if it names one."""
    try:
        target = orjson.loads(entity.attributes).get("merged_into")
    except (orjson.JSONDecodeError, AttributeError):
        return None
    return target if isinstance(target, str) else None


def _dead_end(after: Entity | None, seen: set[str]) -> str:
    if after is None:
        return "nowhere"
    return "in a circle" if after.uuid in seen else f"into group {after.group_id!r}"
