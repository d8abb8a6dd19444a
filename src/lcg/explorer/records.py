"""What the page reads: rows of the graph in the shapes of explorer/src/data.ts."""

from collections.abc import Sequence
from typing import Any, Final, TypedDict

import orjson

from lcg.model.rows import Edge, Entity, Episode
from lcg.model.times import Micros, format_time

MOST_SOURCES: Final = 40
"""Sources that are listed of one entity or fact; the page tells how many there are."""

_EVERY_ENTITY: Final = "Entity"


class NodeRecord(TypedDict):
    """An entity. `degree` counts its facts in the whole graph, `source_count` the episodes that mention it."""

    uuid: str
    name: str
    group: str
    types: list[str]
    summary: str
    attributes: dict[str, Any]
    created_at: str
    degree: int
    sources: list[str]
    source_count: int


class FactRecord(TypedDict):
    """A relationship; times are UTC or null."""

    uuid: str
    source: str
    target: str
    predicate: str
    fact: str
    group: str
    relation_type: str | None
    valid_at: str | None
    invalid_at: str | None
    sources: list[str]
    source_count: int


class SourceRecord(TypedDict):
    """An episode. `text` is null where it is to be asked for, or left out; `cut` says that it is a beginning."""

    uuid: str
    label: str
    group: str
    created_at: str
    text: str | None
    cut: bool


class PartRecord(TypedDict):
    """A part of the graph: its facts have both ends in it, or in a part before it."""

    nodes: list[NodeRecord]
    facts: list[FactRecord]
    sources: list[SourceRecord]


class GraphRecord(PartRecord):
    """The part that a page begins with, and how much there is."""

    format: int
    title: str
    groups: list[str] | None
    total_nodes: int
    total_facts: int


class AroundRecord(PartRecord):
    """Facts around an entity, one page of them; `next` is where the page after it begins."""

    has_more: bool
    next: int


def node_record(row: Entity, degree: int, episodes: Sequence[str]) -> NodeRecord:
    """Return an entity that these episodes mention."""
    return {
        "uuid": row.uuid,
        "name": row.name,
        "group": row.group_id,
        "types": [label for label in row.labels if label != _EVERY_ENTITY],
        "summary": row.summary,
        "attributes": _attributes(row.attributes),
        "created_at": format_time(row.created_at),
        "degree": degree,
        "sources": list(episodes[:MOST_SOURCES]),
        "source_count": len(episodes),
    }


def fact_record(row: Edge, episodes: Sequence[str]) -> FactRecord:
    """Return a relationship that these episodes state."""
    return {
        "uuid": row.uuid,
        "source": row.source_uuid,
        "target": row.target_uuid,
        "predicate": row.name,
        "fact": row.fact,
        "group": row.group_id,
        "relation_type": row.relation_type or None,
        "valid_at": _time(row.valid_at),
        "invalid_at": _time(row.invalid_at),
        "sources": list(episodes[:MOST_SOURCES]),
        "source_count": len(episodes),
    }


def source_record(row: Episode, most_chars: int) -> SourceRecord:
    """Return an episode with the beginning of its text; with 0 characters, without any."""
    return {
        "uuid": row.uuid,
        "label": row.source_description or row.name,
        "group": row.group_id,
        "created_at": format_time(row.created_at),
        "text": row.content[:most_chars] if most_chars else None,
        "cut": 0 < most_chars < len(row.content),
    }


def _time(moment: Micros | None) -> str | None:
    return None if moment is None else format_time(moment)


def _attributes(text: str) -> dict[str, Any]:
    try:
        value = orjson.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
