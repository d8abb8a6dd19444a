"""Cross-group pointers in an edge's attributes: of `cross_group_pointers`, what holds in one workspace only."""

import orjson

KEY = "cross_group_pointers"
POSITIONS = ("bound_at_seq", "bound_generation")
"""Where the other group's log was when a pointer was bound. In another workspace that log has other numbers."""


def holds_pointers(attributes: str) -> bool:
    """Say, quickly, whether an edge's attributes may hold pointers."""
    return KEY in attributes


def without_positions(attributes: str) -> str:
    """Return attributes, a JSON object as text, without the positions of their pointers; others come back as they are.

    Doing it twice changes nothing more.
    """
    value = orjson.loads(attributes)
    sides = value.get(KEY)
    if not isinstance(sides, dict):
        return attributes
    kept = {
        side: {key: part for key, part in pointer.items() if key not in POSITIONS}
        if isinstance(pointer, dict)
        else pointer
        for side, pointer in sides.items()
    }
    return orjson.dumps({**value, KEY: kept}).decode()
