"""Rows as lines of JSON, and back: the format `jsonl`, which holds all that a log holds of a row.

A line is an object with `type`, `group` and the fields that the log has. Attributes are an object where the text of
these can be made again exactly, else that text.
"""

from typing import Any, Final

import orjson

from lcg.model.operations import EdgePut, EntityPut, EpisodePut, MentionPut, Record
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.wal import codec
from lcg.wal.errors import LineError
from lcg.wal.fields import kind

FORMAT: Final = "lcg-graph"
VERSION: Final = 1
KINDS: Final = ("entity", "edge", "episode", "mention")
"""In the order in which they stand in a file: rows that others refer to come first."""

ELSEWHERE: Final = "ends_elsewhere"
"""Member of an edge of which an end is not in the file."""

_RECORD: Final = {"seq": 1, "ts": "1970-01-01T00:00:00Z", "v": codec.VERSION, "origin": ""}
"""What a line of the log has around a row."""
_PUT: Final[dict[type, Any]] = {Entity: EntityPut, Edge: EdgePut, Episode: EpisodePut, Mention: MentionPut}
_KIND_OF: Final[dict[type, str]] = {Entity: "entity", Edge: "edge", Episode: "episode", Mention: "mention"}


def line_of(row: Row, *, elsewhere: bool = False) -> bytes:
    """Return a row as a line, without a line feed. `elsewhere`: an end of this edge is not in the file.

    Raises:
        LineError: the row could not stand in a log either.
    """
    record = Record(row.group_id, 1, 0, "", (_PUT[type(row)](row),))
    fields = orjson.loads(codec.encode(record))["ops"][0]
    del fields["op"]
    if "attributes" in fields:
        fields["attributes"] = _as_object(fields["attributes"])
    end: dict[str, Any] = {ELSEWHERE: True} if elsewhere else {}
    return orjson.dumps({"type": _KIND_OF[type(row)], "group": row.group_id, **fields, **end})


def row_of(fields: dict[str, Any]) -> Row:
    """Return the row of a line that is decoded from JSON already.

    Raises:
        LineError: it is none; the reason names the field.
    """
    of_kind, group = fields.get("type"), fields.get("group")
    if of_kind not in KINDS:
        shown = repr(of_kind[:40]) if isinstance(of_kind, str) else kind(of_kind)
        raise LineError(f"type must be one of {', '.join(KINDS)}, got {shown}")
    if not isinstance(group, str) or not group:
        raise LineError(f"group must be text that is not empty, got {kind(group)}")
    raw = {**fields, "op": f"{of_kind}.put"}
    if isinstance(raw.get("attributes"), dict):
        raw["attributes"] = _as_text(raw["attributes"])
    try:
        record = codec.record_of({**_RECORD, "group": group, "ops": [raw]}, group)
    except LineError as error:
        raise LineError(error.reason.removeprefix(f"ops[0] {of_kind}.put: ")) from None
    operation = record.operations[0]
    assert isinstance(operation, EntityPut | EdgePut | EpisodePut | MentionPut)
    return operation.row


def header(groups: list[str], rows: dict[str, int]) -> bytes:
    """Return the first line of a file: which groups it holds, and how many rows of each kind, so that an end shows."""
    return orjson.dumps({"format": FORMAT, "version": VERSION, "groups": groups, "rows": rows})


def _as_object(text: str) -> Any:
    try:
        value = orjson.loads(text)
        return value if orjson.dumps(value).decode() == text else text
    except (orjson.JSONDecodeError, orjson.JSONEncodeError):
        return text


def _as_text(value: dict[str, Any]) -> str:
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError as error:
        raise LineError(f"attributes have no JSON form: {error}") from None
