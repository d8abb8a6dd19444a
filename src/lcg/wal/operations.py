"""Reading the operations of a line: their kinds and plain values, from which those who want rows make them.

A log is read a million operations at a time: what is right passes in one condition, and only what is wrong is gone
through field by field, to be named.
"""

from collections.abc import Callable
from typing import Any

from lcg.model.operations import (
    EdgeDelete,
    EdgePut,
    EntityDelete,
    EntityPut,
    EpisodeDelete,
    EpisodePut,
    GroupClear,
    MentionDelete,
    MentionPut,
    Operation,
)
from lcg.model.plain import Plain, plain
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.wal import fields
from lcg.wal.errors import LineError

PlainOperation = tuple[str, Plain]
"""What is done, by its name in the log, and the values of the row that it puts or links; of a deletion the uuid."""

ENTITY_PUT, ENTITY_DELETE = "entity.put", "entity.delete"
EDGE_PUT, EDGE_DELETE = "edge.put", "edge.delete"
EPISODE_PUT, EPISODE_DELETE = "episode.put", "episode.delete"
MENTION_PUT, MENTION_DELETE = "mention.put", "mention.delete"
GROUP_CLEAR = "group.clear"


def read_operations(ops: list[Any], group_id: str) -> list[PlainOperation]:
    """Return the operations of a line of this group.

    Raises:
        LineError: one is none, and the reason says which one and why.
    """
    operations: list[PlainOperation] = []
    for raw in ops:
        op = raw.get("op") if type(raw) is dict else None
        decoder = _DECODERS.get(op) if type(op) is str else None
        if decoder is None:
            raise _unknown(len(operations), raw)
        try:
            operations.append((decoder[0], decoder[1](raw, group_id)))
        except LineError as error:
            raise LineError(f"ops[{len(operations)}] {op}: {error.reason}") from None
    return operations


def made(operation: PlainOperation) -> Operation:
    """Make the operation of its plain form."""
    kind, values = operation
    return _MAKERS[kind](values)


def plain_operation(operation: Operation) -> PlainOperation:
    """Return the plain form of an operation."""
    match operation:
        case GroupClear():
            return GROUP_CLEAR, ()
        case EntityDelete() | EdgeDelete() | EpisodeDelete():
            return _NAMES[type(operation)], (operation.uuid,)
        case _:
            return _NAMES[type(operation)], plain(operation.row)


_MAKERS: dict[str, Callable[[Plain], Operation]] = {
    ENTITY_PUT: lambda values: EntityPut(Entity(*values)),
    ENTITY_DELETE: lambda values: EntityDelete(*values),
    EDGE_PUT: lambda values: EdgePut(Edge(*values)),
    EDGE_DELETE: lambda values: EdgeDelete(*values),
    EPISODE_PUT: lambda values: EpisodePut(Episode(*values)),
    EPISODE_DELETE: lambda values: EpisodeDelete(*values),
    MENTION_PUT: lambda values: MentionPut(Mention(*values)),
    MENTION_DELETE: lambda values: MentionDelete(Mention(*values)),
    GROUP_CLEAR: lambda values: GroupClear(),
}


_NAMES: dict[type[Operation], str] = {
    EntityPut: ENTITY_PUT,
    EntityDelete: ENTITY_DELETE,
    EdgePut: EDGE_PUT,
    EdgeDelete: EDGE_DELETE,
    EpisodePut: EPISODE_PUT,
    EpisodeDelete: EPISODE_DELETE,
    MentionPut: MENTION_PUT,
    MentionDelete: MENTION_DELETE,
    GroupClear: GROUP_CLEAR,
}


def _unknown(index: int, raw: Any) -> LineError:
    if type(raw) is not dict:
        return LineError(f"ops[{index}] must be an object, got {fields.kind(raw)}")
    op = raw.get("op")
    shown = repr(op[:40]) if type(op) is str else fields.kind(op)
    return LineError(f"ops[{index}]: unknown operation {shown}")


def _entity(raw: fields.Fields, group_id: str) -> Plain:
    get = raw.get
    uuid, name, summary = get("uuid"), get("name"), get("summary", "")
    if not (type(uuid) is type(name) is type(summary) is str and uuid):
        raise fields.first_wrong(raw, ("uuid",), ("name", "summary"))
    return (
        uuid,
        group_id,
        name,
        fields.texts(raw, "labels"),
        fields.time(raw, "created_at"),
        summary,
        fields.object_text(raw, "attributes") if "attributes" in raw else "{}",
        fields.optional_text(raw, "name_embedded") if "name_embedded" in raw else None,
        fields.optional_text(raw, "summary_embedded") if "summary_embedded" in raw else None,
    )


def _edge(raw: fields.Fields, group_id: str) -> Plain:
    get = raw.get
    uuid, name, source, target, fact = get("uuid"), get("name"), get("source_uuid"), get("target_uuid"), get("fact")
    if not (type(uuid) is type(name) is type(source) is type(target) is type(fact) is str and uuid):
        raise fields.first_wrong(raw, ("uuid",), ("name", "source_uuid", "target_uuid", "fact"))
    return (
        uuid,
        group_id,
        name,
        source,
        target,
        fact,
        fields.time(raw, "created_at"),
        fields.optional_time(raw, "valid_at") if "valid_at" in raw else None,
        fields.optional_time(raw, "invalid_at") if "invalid_at" in raw else None,
        fields.object_text(raw, "attributes") if "attributes" in raw else "{}",
        fields.optional_text(raw, "relation_type") if "relation_type" in raw else None,
        fields.texts(raw, "episodes") if "episodes" in raw else (),
        fields.optional_text(raw, "fact_embedded") if "fact_embedded" in raw else None,
    )


def _episode(raw: fields.Fields, group_id: str) -> Plain:
    get = raw.get
    uuid, name, source, content = get("uuid"), get("name"), get("source"), get("content")
    description = get("source_description")
    if not (type(uuid) is type(name) is type(source) is type(description) is type(content) is str and uuid):
        raise fields.first_wrong(raw, ("uuid",), ("name", "source", "source_description", "content"))
    return (
        uuid,
        group_id,
        name,
        fields.time(raw, "created_at"),
        source,
        description,
        content,
        fields.optional_time(raw, "valid_at"),
        fields.optional_text(raw, "source_file"),
        fields.optional_text(raw, "chunk_id"),
        fields.optional_number(raw, "revision"),
        fields.optional_text(raw, "text_hash"),
        fields.optional_text(raw, "extractor_key"),
    )


def _mention(raw: fields.Fields, group_id: str) -> Plain:
    episode, entity = raw.get("episode_uuid"), raw.get("entity_uuid")
    if not (type(episode) is type(entity) is str and episode and entity):
        raise fields.first_wrong(raw, ("episode_uuid", "entity_uuid"))
    return group_id, episode, entity


def _uuid(raw: fields.Fields, _: str) -> Plain:
    return (fields.key(raw, "uuid"),)


_DECODERS: dict[str, tuple[str, Callable[[fields.Fields, str], Plain]]] = {
    ENTITY_PUT: (ENTITY_PUT, _entity),
    ENTITY_DELETE: (ENTITY_DELETE, _uuid),
    EDGE_PUT: (EDGE_PUT, _edge),
    EDGE_DELETE: (EDGE_DELETE, _uuid),
    EPISODE_PUT: (EPISODE_PUT, _episode),
    EPISODE_DELETE: (EPISODE_DELETE, _uuid),
    MENTION_PUT: (MENTION_PUT, _mention),
    MENTION_DELETE: (MENTION_DELETE, _mention),
    GROUP_CLEAR: (GROUP_CLEAR, lambda *_: ()),
}
