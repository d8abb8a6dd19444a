"""One record to one line of JSON and back.

A line names its group once; the rows in it do not repeat it. A field that equals its default is left out. Reading is
strict in what it knows (types, operations, version, group) and lets unknown keys pass, so that a later version can
add some without a new version number.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import orjson

from lcg.model import times
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
    Record,
)
from lcg.model.quickly_made import quickly_made
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.wal import fields
from lcg.wal.errors import LineError
from lcg.wal.operations import PlainOperation, made, read_operations

VERSION = 1
MAX_LINE_BYTES = 64 * 1024 * 1024
"""The longest line, without its line feed."""
MAX_SEQ = fields.MAX_NUMBER


@quickly_made
@dataclass(frozen=True, slots=True)
class PlainRecord:
    """A record whose operations are plain values, of the group whose log it stands in."""

    seq: int
    written_at: times.Micros
    origin: str
    operations: list[PlainOperation]


_SEQ_PREFIX = b'{"seq":'
# Rows made by one call share their times, so formatting and parsing them once is most of the work saved.
_format_time = lru_cache(maxsize=4096)(times.to_log)


def encode(record: Record) -> bytes:
    """Return the record's line, without a line feed.

    Raises:
        LineError: `decode` would not take the line: a row of another group, an empty uuid, attributes that are no JSON
            object, a number or time out of range, text that is not well-formed.
    """
    group_id = record.group_id
    if not 1 <= record.seq <= MAX_SEQ:
        raise LineError(f"seq must be from 1 to {MAX_SEQ}, got {record.seq}")
    try:
        line = {
            "seq": record.seq,
            "ts": times.to_log(record.written_at),
            "v": VERSION,
            "group": group_id,
            "origin": record.origin,
            "ops": [_ENCODERS[type(operation)](operation, group_id) for operation in record.operations],
        }
        return orjson.dumps(line)
    except (orjson.JSONEncodeError, OverflowError) as error:
        raise LineError(f"no JSON form: {error}") from error


def decode(line: bytes, group_id: str) -> Record:
    """Return the record of a line of this group's log; a line feed at its end is fine.

    Raises:
        LineError: it is none, and the reason says why.
    """
    return record_of(fields.parse(line), group_id)


def record_of(raw: fields.Fields, group_id: str) -> Record:
    """Return the record of a line that is decoded from JSON already. Errors as in `decode`."""
    return record_of_plain(plain_record_of(raw, group_id), group_id)


def record_of_plain(found: PlainRecord, group_id: str) -> Record:
    """Make the record of its plain form."""
    return Record(group_id, found.seq, found.written_at, found.origin, tuple(map(made, found.operations)))


def plain_record_of(raw: fields.Fields, group_id: str) -> PlainRecord:
    """As `record_of`, without making rows of what the operations hold."""
    return PlainRecord(*plain_values_of(raw, group_id))


def plain_values_of(raw: fields.Fields, group_id: str) -> tuple[int, times.Micros, str, list[PlainOperation]]:
    """Return the values of a `PlainRecord`, in the order of its fields."""
    version = fields.number(raw, "v", 1)
    if version != VERSION:
        raise LineError(f"version {version} is not known here; this program reads version {VERSION}")
    if fields.text(raw, "group") != group_id:
        raise LineError(f"the line belongs to group {raw['group'][:200]!r}")
    return (
        fields.number(raw, "seq", 1),
        fields.time(raw, "ts"),
        fields.text(raw, "origin"),
        read_operations(fields.items(raw, "ops"), group_id),
    )


def seq_of(line: bytes) -> int | None:
    """Return the number of a line, even of one that is no record for us, or None when it has none.

    A line that begins as ours do is not parsed further: its number is taken although the rest may be damaged, so that
    it is not given away twice.
    """
    if line.startswith(_SEQ_PREFIX):
        comma = line.find(b",", 7, 27)
        digits = line[7:comma] if comma > 0 else b""
        if digits.isdigit():
            seq = int(digits)
            return seq if seq <= MAX_SEQ else None
    try:
        value = fields.parse(line).get("seq")
    except LineError:
        return None
    return value if type(value) is int and 0 <= value <= MAX_SEQ else None


def is_whole(line: bytes) -> bool:
    """Say whether a piece of a file is one complete JSON object, and so no torn line."""
    try:
        fields.parse(line)
    except LineError:
        return False
    return True


def _check(row: Entity | Edge | Episode, group_id: str) -> None:
    """Refuse what could be written and not be read back; `decode` has the same rules."""
    if row.group_id != group_id:
        raise _foreign(row, group_id)
    if not row.uuid:
        raise LineError("uuid must not be empty")


def _foreign(row: Row, group_id: str) -> LineError:
    return LineError(f"a row of group {row.group_id!r} in a record of group {group_id!r}")


def _checked_attributes(attributes: str) -> str:
    if not fields.is_object_text(attributes):
        raise LineError("attributes must be a JSON object as text")
    return attributes


def _delete(op: str, uuid: str) -> fields.Fields:
    if not uuid:
        raise LineError(f"{op}: uuid must not be empty")
    return {"op": op, "uuid": uuid}


def _put_entity(operation: EntityPut, group_id: str) -> fields.Fields:
    row = operation.row
    _check(row, group_id)
    out: fields.Fields = {
        "op": "entity.put",
        "uuid": row.uuid,
        "name": row.name,
        "labels": row.labels,
        "created_at": _format_time(row.created_at),
    }
    if row.summary:
        out["summary"] = row.summary
    if row.attributes != "{}":
        out["attributes"] = _checked_attributes(row.attributes)
    if row.name_embedded is not None:
        out["name_embedded"] = row.name_embedded
    if row.summary_embedded is not None:
        out["summary_embedded"] = row.summary_embedded
    return out


def _put_edge(operation: EdgePut, group_id: str) -> fields.Fields:
    row = operation.row
    _check(row, group_id)
    out: fields.Fields = {
        "op": "edge.put",
        "uuid": row.uuid,
        "name": row.name,
        "source_uuid": row.source_uuid,
        "target_uuid": row.target_uuid,
        "fact": row.fact,
        "created_at": _format_time(row.created_at),
    }
    if row.valid_at is not None:
        out["valid_at"] = _format_time(row.valid_at)
    if row.invalid_at is not None:
        out["invalid_at"] = _format_time(row.invalid_at)
    if row.attributes != "{}":
        out["attributes"] = _checked_attributes(row.attributes)
    if row.relation_type is not None:
        out["relation_type"] = row.relation_type
    if row.episodes:
        out["episodes"] = row.episodes
    if row.fact_embedded is not None:
        out["fact_embedded"] = row.fact_embedded
    return out


def _put_episode(operation: EpisodePut, group_id: str) -> fields.Fields:
    row = operation.row
    _check(row, group_id)
    out: fields.Fields = {
        "op": "episode.put",
        "uuid": row.uuid,
        "name": row.name,
        "created_at": _format_time(row.created_at),
        "source": row.source,
        "source_description": row.source_description,
        "content": row.content,
    }
    if row.valid_at is not None:
        out["valid_at"] = _format_time(row.valid_at)
    if row.revision is not None and not 0 <= row.revision <= MAX_SEQ:
        raise LineError(f"revision must be from 0 to {MAX_SEQ}, got {row.revision}")
    for name in ("source_file", "chunk_id", "revision", "text_hash", "extractor_key"):
        value = getattr(row, name)
        if value is not None:
            out[name] = value
    return out


def _mention_fields(op: str, row: Mention, group_id: str) -> fields.Fields:
    if row.group_id != group_id:
        raise _foreign(row, group_id)
    if not row.episode_uuid or not row.entity_uuid:
        raise LineError("the ends of a mention must not be empty")
    return {"op": op, "episode_uuid": row.episode_uuid, "entity_uuid": row.entity_uuid}


_ENCODERS: dict[type, Callable[[Any, str], fields.Fields]] = {
    EntityPut: _put_entity,
    EntityDelete: lambda operation, _: _delete("entity.delete", operation.uuid),
    EdgePut: _put_edge,
    EdgeDelete: lambda operation, _: _delete("edge.delete", operation.uuid),
    EpisodePut: _put_episode,
    EpisodeDelete: lambda operation, _: _delete("episode.delete", operation.uuid),
    MentionPut: lambda operation, group_id: _mention_fields("mention.put", operation.row, group_id),
    MentionDelete: lambda operation, group_id: _mention_fields("mention.delete", operation.row, group_id),
    GroupClear: lambda *_: {"op": "group.clear"},
}
