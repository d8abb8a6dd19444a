"""Reading the format `jsonl`, and giving its rows other uuids."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import orjson

from lcg.exchange.lines import ELSEWHERE, FORMAT, KINDS, VERSION, row_of
from lcg.exchange.reading import NotThisFormat, Refusals
from lcg.exchange.staged import Duplicate, Staged, StagedRow
from lcg.model.names import group_key, has_control, is_blank
from lcg.model.pointers import KEY, SIDES
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.wal.directory import group_directory
from lcg.wal.errors import GroupRefused, LineError
from lcg.wal.fields import kind as kind_of

_SPACE: Final = uuid.UUID("5d0e3f3e-6c0a-5a0f-9d0c-1f6c5d8f2b11")
_LONGEST_UUID: Final = 200
_MERGED_INTO: Final = "merged_into"

Objects = Iterator[tuple[int, dict[str, Any]]]


def stage_own(objects: Objects, staged: Staged, refusals: Refusals, group: str | None) -> None:
    """Stage the rows of a file of our own, in `group` where one is given.

    Raises:
        NotThisFormat: the first line is no header that is known here; or a group is given, and the file has several.
    """
    _, header = next(objects, (0, {}))
    expected = _expected(header)
    seen, last, groups = dict.fromkeys(KINDS, 0), 1, dict[str, str]()
    for last, fields in objects:
        kind = fields.get("type")
        if isinstance(kind, str) and kind in seen:
            seen[kind] += 1
        try:
            row = row_of(fields)
            _refuse_group(row.group_id, groups)
            if group is not None:
                row = replace(row, group_id=group)
            _refuse_uuid(row)
            if isinstance(row, Entity):
                _refuse_name(row.name)
            staged.add(StagedRow(row, last, _flag(fields)))
        except LineError as error:
            refusals.add(last, error.reason)
        except Duplicate as found:
            refusals.add(last, f"line {found.number} has the same uuid: its {found.kind}")
    if group is not None and len(groups) > 1:
        raise NotThisFormat(
            f"it holds {len(groups)} groups, which cannot become one: their names may be the same. Export them one by "
            "one (--group), or import it without --group."
        )
    for kind, number in expected.items():
        if seen[kind] != number and not refusals.count:
            refusals.add(last, f"the header promises {number:,} lines of type {kind}, and {seen[kind]:,} came")


def regenerated(staged: Staged, group: str | None) -> Iterator[StagedRow]:
    """Yield the rows with uuids that follow from their old ones and the group, so that another time gives the same."""

    def new(old: str) -> str:
        return str(uuid.uuid5(_SPACE, f"{group or ''}\0{old}")) if staged.has(old) else old

    for group_id in staged.groups():
        for each in staged.rows(group_id):
            yield replace(each, row=_renewed(each.row, new))


def _expected(header: dict[str, Any]) -> dict[str, int]:
    if header.get("format") != FORMAT:
        raise NotThisFormat(
            f'its first line has to be a header such as {{"format":"{FORMAT}","version":{VERSION}}}, as lcg export '
            "writes it"
        )
    version = header.get("version")
    if type(version) is not int or version != VERSION:
        raise NotThisFormat(
            f"`version` of its header has to be {VERSION}, the only one that this program reads; got {_shown(version)}"
        )
    rows = header.get("rows", {})
    counts = rows if isinstance(rows, dict) else {"rows": rows}
    for kind, number in counts.items():
        if kind not in KINDS or type(number) is not int or number < 0:
            raise NotThisFormat(
                f"`rows` of its header has to count lines by type ({', '.join(KINDS)}); got {kind!r:.60}: "
                f"{_shown(number)}"
            )
    return counts


def _refuse_group(group_id: str, known: dict[str, str]) -> None:
    """Refuse a group that can have no log, or none beside those known; note one that can."""
    other = known.setdefault(group_key(group_id), group_id)
    if other != group_id:
        raise LineError(f"group {group_id!r} differs from group {other!r} of the file by letter case only")
    try:
        group_directory(Path(), group_id)
    except GroupRefused as error:
        raise LineError(str(error)) from None
    if group_id != group_id.strip():
        raise LineError("group must not begin or end with white space")


def _refuse_uuid(row: Row) -> None:
    uuids = (row.episode_uuid, row.entity_uuid) if isinstance(row, Mention) else (row.uuid,)
    if any(len(each) > _LONGEST_UUID or not each.isprintable() or " " in each for each in uuids):
        raise LineError(f"a uuid has at most {_LONGEST_UUID} characters, without blanks and control characters")


def _refuse_name(name: str) -> None:
    """Refuse an entity that nobody could ask for, as knowledge_assert_entity does."""
    if is_blank(name):
        raise LineError(f"name must be text that is not blank, got {'white space only' if name else 'empty text'}")
    if has_control(name):
        raise LineError(f"name must not hold control characters such as tabs and line breaks, got {name!r:.80}")


def _flag(fields: dict[str, Any]) -> bool:
    value = fields.get(ELSEWHERE, False)
    if isinstance(value, bool):
        return value
    raise LineError(f"{ELSEWHERE} must be true or false, got {_shown(value)}")


def _shown(value: object) -> str:
    return f"{value!r:.60}" if isinstance(value, str) else kind_of(value)


def _renewed(row: Row, new: Callable[[str], str]) -> Row:
    match row:
        case Entity():
            attributes = _with_uuids(row.attributes, new) if row.is_tombstone else row.attributes
            return replace(row, uuid=new(row.uuid), attributes=attributes)
        case Edge():
            return replace(
                row,
                uuid=new(row.uuid),
                source_uuid=new(row.source_uuid),
                target_uuid=new(row.target_uuid),
                attributes=_with_uuids(row.attributes, new),
                episodes=tuple(map(new, row.episodes)),
            )
        case Episode():
            return replace(row, uuid=new(row.uuid))
        case Mention():
            return replace(row, episode_uuid=new(row.episode_uuid), entity_uuid=new(row.entity_uuid))


def _with_uuids(attributes: str, new: Callable[[str], str]) -> str:
    """Return attributes with new uuids where this program keeps some: into what was merged, what a pointer found."""
    if _MERGED_INTO not in attributes and KEY not in attributes:
        return attributes
    value = orjson.loads(attributes)
    if isinstance(value.get(_MERGED_INTO), str):
        value[_MERGED_INTO] = new(value[_MERGED_INTO])
    pointers = value.get(KEY)
    for pointer in (pointers.get(side) for side in SIDES) if isinstance(pointers, dict) else ():
        if isinstance(pointer, dict) and isinstance(pointer.get("resolved_uuid"), str):
            pointer["resolved_uuid"] = new(pointer["resolved_uuid"])
    return orjson.dumps(value).decode()
