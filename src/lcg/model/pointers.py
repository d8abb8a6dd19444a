"""Cross-group pointers: the ends of an edge in other groups, as its attributes record them.

They stand under `cross_group_pointers`, by side, foreign sides only. What a pointer resolved to is also the edge's
endpoint; where the other group's log was then holds in one workspace only, so no digest covers it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

import orjson

from lcg.model.names import name_key

KEY = "cross_group_pointers"
POSITIONS = ("bound_at_seq", "bound_generation")
"""Where the other group's log was when a pointer was bound. In another workspace that log has other numbers."""

Binding = Literal["bound", "unbound", "ambiguous"]
Side = Literal["src", "dst"]
SIDES: tuple[Side, ...] = get_args(Side)
_BINDINGS = get_args(Binding)


@dataclass(frozen=True, slots=True)
class Pointer:
    """An end in another group: the name that is looked up there, and what the last look-up found.

    `resolved_uuid` is None unless bound; the position of the group's log is None where none was recorded.
    """

    source_group_id: str
    endpoint_name: str
    binding: Binding
    resolved_uuid: str | None = None
    bound_at_seq: int | None = None
    bound_generation: str | None = None

    def record(self) -> dict[str, str | int]:
        """Return the pointer as attributes and clients have it: without what is None."""
        every = {
            "source_group_id": self.source_group_id,
            "endpoint_name": self.endpoint_name,
            "binding_state": self.binding,
            "resolved_uuid": self.resolved_uuid,
            "bound_at_seq": self.bound_at_seq,
            "bound_generation": self.bound_generation,
        }
        return {key: value for key, value in every.items() if value is not None}


def holds_pointers(attributes: str) -> bool:
    """Say, quickly, whether an edge's attributes may hold pointers."""
    return KEY in attributes


def pointers_of(attributes: str) -> dict[Side, Pointer]:
    """Return the pointers in an edge's attributes, by side. What is no pointer is passed over."""
    if not holds_pointers(attributes):
        return {}
    sides = _sides(attributes)
    found = {side: _pointer(sides.get(side)) for side in SIDES}
    return {side: pointer for side, pointer in found.items() if pointer is not None}


def with_pointers(attributes: str, pointers: Mapping[Side, Pointer]) -> str:
    """Return attributes with these pointers in place of those that were there; none leave no trace."""
    value = orjson.loads(attributes)
    value.pop(KEY, None)
    if pointers:
        value[KEY] = {side: pointers[side].record() for side in SIDES if side in pointers}
    return orjson.dumps(value).decode()


def without_positions(attributes: str) -> str:
    """Return attributes, a JSON object as text, without the positions of their pointers; others come back as they are.

    Doing it twice changes nothing more.
    """
    sides = _sides(attributes)
    if not sides:
        return attributes
    kept = {
        side: {key: part for key, part in pointer.items() if key not in POSITIONS}
        if isinstance(pointer, dict)
        else pointer
        for side, pointer in sides.items()
    }
    return orjson.dumps({**orjson.loads(attributes), KEY: kept}).decode()


def _sides(attributes: str) -> dict[str, object]:
    """Return what stands under the key; nothing where attributes are no JSON object: Cypher can leave any text."""
    try:
        value = orjson.loads(attributes)
    except orjson.JSONDecodeError:
        return {}
    sides = value.get(KEY) if isinstance(value, dict) else None
    return sides if isinstance(sides, dict) else {}


def _pointer(value: object) -> Pointer | None:
    if not isinstance(value, dict):
        return None
    group_id, name, binding = (value.get(key) for key in ("source_group_id", "endpoint_name", "binding_state"))
    if not isinstance(group_id, str) or not isinstance(name, str) or binding not in _BINDINGS:
        return None
    uuid, seq, generation = (value.get(key) for key in ("resolved_uuid", *POSITIONS))
    return Pointer(
        group_id,
        name_key(name),
        cast(Binding, binding),
        uuid if isinstance(uuid, str) else None,
        seq if type(seq) is int else None,
        generation if isinstance(generation, str) else None,
    )
