"""What an answer has to look like: as the schema of a tool, and in words for models without tools."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

_TEXT: Final = {"type": "string"}
_TEXT_OR_NULL: Final = {"type": ["string", "null"]}
_TIME: Final = {"type": ["string", "null"], "description": "YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ, or null"}


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a model has to call; its input is the answer."""

    name: str
    description: str
    schema: Mapping[str, Any]


ENTITIES_SHAPE: Final = (
    "Answer with one JSON object and nothing else: "
    '{"entities": [{"name": "...", "entity_type": "...", "summary": "..."}]}. '
    'Without entities it is {"entities": []}.'
)
EDGES_SHAPE: Final = (
    "Answer with one JSON object and nothing else: "
    '{"edges": [{"source_name": "...", "target_name": "...", "fact": "...", "relation_type": "..." or null, '
    '"valid_at": "..." or null, "invalid_at": "..." or null}]}. Without relationships it is {"edges": []}.'
)
TYPES_SHAPE: Final = 'Answer with one JSON object and nothing else: {"types": ["...", "..."]}.'
TYPES_ARRAY_SHAPE: Final = 'Answer with one JSON array of strings and nothing else: ["...", "..."].'


def entities_tool() -> Tool:
    """Return the tool that takes entities."""
    item = _object({"name": _TEXT, "entity_type": _TEXT, "summary": _TEXT}, ("name", "entity_type", "summary"))
    return Tool("extract_entities", "Store the entities that the text names.", _array("entities", item))


def edges_tool(names: Sequence[str]) -> Tool:
    """Return the tool that takes relationships; their ends can be nothing but these names."""
    end = {"type": "string", "enum": list(names)}
    properties = {
        "source_name": end,
        "target_name": end,
        "fact": _TEXT,
        "relation_type": _TEXT_OR_NULL,
        "valid_at": _TIME,
        "invalid_at": _TIME,
    }
    item = _object(properties, ("source_name", "target_name", "fact"))
    return Tool("extract_edges", "Store the relationships that the text states.", _array("edges", item))


def _object(properties: Mapping[str, Any], required: Sequence[str]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(required)}


def _array(key: str, item: Mapping[str, Any]) -> dict[str, Any]:
    return _object({key: {"type": "array", "items": dict(item)}}, (key,))
