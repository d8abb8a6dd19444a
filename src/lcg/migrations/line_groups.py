"""Whose line is it? Told from the line itself, and for lines that name rows only, from the lines that made the rows."""

import re
from collections.abc import Iterator
from typing import Any

from lcg.wal import fields
from lcg.wal.errors import LineError

_GROUP_KEYS = ("group_id", "group_ids", "gids", "gid")
_LITERAL = r"'((?:[^'\\]|\\.)*)'"
_GROUP_IN_TEXT = re.compile(rf"group_id\s*[:=]\s*{_LITERAL}")
_UUID_IN_TEXT = re.compile(rf"\buuid\s*[:=]\s*{_LITERAL}")
_IN_TEXT = re.compile(_LITERAL)
_LONGEST_ID = 200


class LineGroups:
    """Remembers which group the rows belong to. Lines come in the order of the log."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}

    def of(self, line: bytes) -> list[str] | None:
        """Return the groups that a line belongs to: several for a purge, none when nothing tells.

        None is a line that cannot be read at all.
        """
        try:
            content = fields.parse(line)
        except LineError:
            return None
        if isinstance(content.get("group"), str):
            return [content["group"]]
        params = content.get("params")
        params = params if isinstance(params, dict) else {}
        text = content.get("cypher")
        text = text if isinstance(text, str) else ""
        groups = list(dict.fromkeys(_groups(params))) or list(dict.fromkeys(_GROUP_IN_TEXT.findall(text)))
        if not groups:
            named = (*_texts(params), *_IN_TEXT.findall(text))
            return list(dict.fromkeys(self._owners[uuid] for uuid in named if uuid in self._owners))
        if len(groups) == 1:
            uuids = {**dict.fromkeys(_UUID_IN_TEXT.findall(text)), **dict.fromkeys(_uuids(params))}
            self._owners.update(dict.fromkeys(uuids, groups[0]))
        return groups


def _groups(params: dict[str, Any]) -> Iterator[str]:
    for scope in _scopes(params):
        for key in _GROUP_KEYS:
            value = scope.get(key)
            yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str))


def _uuids(params: dict[str, Any]) -> Iterator[str]:
    yield from (uuid for scope in _scopes(params) if isinstance(uuid := scope.get("uuid"), str))


def _scopes(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the parameters, and those that hold the columns of a row as an object."""
    yield params
    yield from (value for value in params.values() if isinstance(value, dict))


def _texts(params: dict[str, Any]) -> Iterator[str]:
    for value in params.values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and len(one) <= _LONGEST_ID:
                yield one
