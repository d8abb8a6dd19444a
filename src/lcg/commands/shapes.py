"""What rows of the graph look like in the JSON of the sub-commands, and in a line for people."""

from collections.abc import Mapping
from typing import Any

from lcg.commands.output import one_line


def entity(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return `{uuid, name, group_id, labels, summary, sources, score}`; `score` is null where nothing was ranked."""
    return {
        "uuid": record["uuid"],
        "name": record["name"],
        "group_id": record["group_id"],
        "labels": record["labels"],
        "summary": record["summary"],
        "sources": record["source_descriptions"],
        "score": record.get("score"),
    }


def fact(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return `{uuid, predicate, fact, group_id, source_uuid, target_uuid, relation_type, valid_at, ...}`.

    `valid_at` and `invalid_at` are UTC or null, `source_uuid` and `target_uuid` its two ends, `sources` as in `entity`.
    """
    return {
        "uuid": record["uuid"],
        "predicate": record["name"],
        "fact": record["fact"],
        "group_id": record["group_id"],
        "source_uuid": record["source_node_uuid"],
        "target_uuid": record["target_node_uuid"],
        "relation_type": record["relation_type"],
        "valid_at": record["valid_at"],
        "invalid_at": record["invalid_at"],
        "sources": record["source_descriptions"],
        "score": record.get("score"),
    }


def passage(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return `{uuid, name, text, source, group_id, created_at, valid_at, score}`."""
    return {
        "uuid": record["uuid"],
        "name": record["name"],
        "text": record["content"],
        "source": record["source_description"],
        "group_id": record["group_id"],
        "created_at": record["created_at"],
        "valid_at": record["valid_at"],
        "score": record["score"],
    }


def entity_line(shape: Mapping[str, Any]) -> str:
    """Return `Ada (Person): what she is`."""
    types = [label for label in shape["labels"] if label != "Entity"]
    kind = f" ({', '.join(types)})" if types else ""
    summary = f": {shape['summary']}" if shape["summary"].strip() else ""
    return one_line(f"{shape['name']}{kind}{summary}")


def fact_line(shape: Mapping[str, Any]) -> str:
    """Return `Ada works at Acme (since 2024-01-01)`."""
    return one_line(f"{shape['fact']}{_span(shape['valid_at'], shape['invalid_at'])}")


def _span(valid_at: str | None, invalid_at: str | None) -> str:
    words = [f"{word} {time}" for word, time in (("since", valid_at), ("until", invalid_at)) if time]
    return f" ({', '.join(words)})" if words else ""
