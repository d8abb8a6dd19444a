"""Reading the items of an answer, each on its own: what is whole is kept, what is not is counted."""

from collections.abc import Iterable, Sequence
from typing import Any

from lcg.model.names import has_control, is_blank
from lcg.model.times import Micros, parse_time
from lcg.ontology.words import relation_name
from lcg.providers.extractor.protocol import ExtractedEdge, ExtractedEntity


def read_entities(items: Iterable[Any]) -> tuple[list[ExtractedEntity], int]:
    """Return the entities that are whole, and how many were dropped.

    An entity has a name and a type, of which the type may be blank. A missing summary is an empty one.
    """
    kept, dropped = [], 0
    for item in items:
        entity = _entity(item)
        if entity is None:
            dropped += 1
        else:
            kept.append(entity)
    return kept, dropped


def read_edges(items: Iterable[Any]) -> tuple[list[ExtractedEdge], int]:
    """Return the relationships that are whole, and how many were dropped.

    A relationship has two ends and a fact. A time that cannot be read counts as absent, so does a blank type.
    """
    kept, dropped = [], 0
    for item in items:
        edge = _edge(item)
        if edge is None:
            dropped += 1
        else:
            kept.append(edge)
    return kept, dropped


def read_types(items: Sequence[Any], count: int) -> list[str]:
    """Return as many verdicts as there were items; what is no text, or missing, is no verdict."""
    found = [item if isinstance(item, str) else "" for item in items[:count]]
    return found + [""] * (count - len(found))


def prompt_names(names: Iterable[str]) -> list[str]:
    """Return names fit for a prompt: no control characters, none blank, none twice."""
    plain = ("".join(char for char in name if not has_control(char)).strip() for name in names)
    return list(dict.fromkeys(name for name in plain if name))


def _entity(item: Any) -> ExtractedEntity | None:
    if not isinstance(item, dict):
        return None
    name, entity_type, summary = item.get("name"), item.get("entity_type"), item.get("summary") or ""
    if not isinstance(name, str) or not isinstance(entity_type, str) or not isinstance(summary, str):
        return None
    return None if is_blank(name) else ExtractedEntity(name, entity_type.strip(), summary.strip())


def _edge(item: Any) -> ExtractedEdge | None:
    if not isinstance(item, dict):
        return None
    ends_and_fact = [item.get(key) for key in ("source_name", "target_name", "fact")]
    source, target, fact = (text if isinstance(text, str) else "" for text in ends_and_fact)
    relation = item.get("relation_type") or ""
    if not isinstance(relation, str) or any(map(is_blank, (source, target, fact))):
        return None
    return ExtractedEdge(
        source,
        target,
        fact.strip(),
        relation_name(relation) or None,
        _time(item.get("valid_at")),
        _time(item.get("invalid_at")),
    )


def _time(value: Any) -> Micros | None:
    try:
        return parse_time(value) if isinstance(value, str) else None
    except ValueError:
        return None
