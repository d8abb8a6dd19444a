"""What the index tells of cross-group pointers: how they stand, and which edges point into a group."""

from collections import Counter

from lcg.graph.entries import Kind
from lcg.graph.index import GraphIndex
from lcg.model.pointers import Binding, Pointer


def binding_now(index: GraphIndex, pointer: Pointer) -> Binding:
    """Return how a pointer stands: one whose entity is gone is unbound, whatever its edge still records."""
    if pointer.binding != "bound" or is_target_there(index, pointer):
        return pointer.binding
    return "unbound"


def is_target_there(index: GraphIndex, pointer: Pointer) -> bool:
    """Say whether the entity that a pointer was resolved to exists."""
    return pointer.resolved_uuid is not None and index.has(Kind.ENTITY, pointer.resolved_uuid)


def count_bindings(index: GraphIndex) -> Counter[Binding]:
    """Count the pointers of all edges that are not invalidated, by how they stand."""
    return Counter(
        binding_now(index, pointer)
        for group_id in index.groups()
        for _, pointers in index.pointers(group_id)
        for pointer in pointers
    )


def edges_pointing_into(index: GraphIndex, source_group_id: str) -> dict[str, list[str]]:
    """Return, by the group that owns them, the edges that point into a group and are not invalidated, by uuid."""
    found: dict[str, list[str]] = {}
    for group_id in sorted(index.groups()):
        for uuid, pointers in index.pointers(group_id):
            if any(pointer.source_group_id == source_group_id for pointer in pointers):
                found.setdefault(group_id, []).append(uuid)
    return {group_id: sorted(uuids) for group_id, uuids in found.items()}
