"""Puts a server into a JSON file: the text around it stays as it is, comments and layout included."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lcg.client_files.merging import Unmergeable, merged, refuse_foreign

_COMMENT: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DECODER: Final = json.JSONDecoder()
_UNIT: Final = "  "


def with_server(text: str, key: str, name: str, entry: Mapping[str, Any], *, comments: bool) -> str:
    """Return the text of a file with a server in it.

    `key` is the object of servers, `comments` whether the client reads comments and trailing commas. An entry of this
    program keeps the fields that `entry` does not have.

    Raises:
        Unmergeable: the text cannot be read, or the name belongs to another program.
    """
    source = _Source(text if text.strip("\ufeff \t\r\n") else f"{text}{{}}\n", comments=comments)
    servers = source.value.get(key, {})
    if not isinstance(servers, dict):
        raise Unmergeable(f"`{key}` is no object", source.line_of((key,)))
    wanted = merged(source.value, key, name, entry)
    if wanted == source.value:
        return text
    if name in servers:
        refuse_foreign(servers[name], name, source.line_of((key, name)))
        for field, value in entry.items():
            if servers[name].get(field) != value:
                source = source.with_value((key, name, field), value)
    else:
        source = source.with_value((key, name), entry)
    if source.value != wanted:
        raise Unmergeable("the result would say something else than meant; please put the server in by hand")
    return source.text


def servers_in(text: str, key: str, *, comments: bool) -> dict[str, Any]:
    """Return the servers that the text of a file has. Raises Unmergeable."""
    servers = _Source(text if text.strip("\ufeff \t\r\n") else "{}", comments=comments).value.get(key, {})
    if not isinstance(servers, dict):
        raise Unmergeable(f"`{key}` is no object")
    return servers


@dataclass(frozen=True, slots=True)
class _Member:
    key: str
    key_start: int
    start: int
    end: int


class _Source:
    """A JSON text of which parts can be replaced. Places are offsets, equal in the text and in what is parsed of it."""

    def __init__(self, text: str, *, comments: bool) -> None:
        self.text = text
        self._comments = comments
        self._bare = _blanked(_COMMENT, text) if comments else text
        if self._bare.startswith("\ufeff"):
            self._bare = f" {self._bare[1:]}"
        self._plain = _blanked(_LAST_COMMA, self._bare) if comments else self._bare
        self._newline = "\r\n" if "\r\n" in text else "\n"
        try:
            value = json.loads(self._plain)
        except json.JSONDecodeError as error:
            raise Unmergeable(f"it is no JSON: {error.msg}", error.lineno) from None
        if not isinstance(value, dict):
            raise Unmergeable("it is no JSON object", self._line(self._skip(0)))
        self.value: dict[str, Any] = value

    def line_of(self, path: Sequence[str]) -> int:
        """Return the line in which the value at a path begins."""
        start = self._skip(0)
        for key in path:
            start = {member.key: member for member in self._members(start)}[key].start
        return self._line(start)

    def with_value(self, path: Sequence[str], value: object) -> "_Source":
        """Return the source with a value at a path; objects that are missing on the way are made."""
        start = self._skip(0)
        for index, key in enumerate(path):
            if self._plain[start] != "{":
                raise Unmergeable(f"`{path[index - 1]}` is no object", self._line(start))
            members = {member.key: member for member in self._members(start)}
            if key not in members:
                for outer in reversed(path[index + 1 :]):
                    value = {outer: value}
                return self._inserted(start, list(members.values()), key, value)
            start, end = members[key].start, members[key].end
        text = self.text[:start] + self._laid_out(value, self._indent(start)) + self.text[end:]
        return _Source(text, comments=self._comments)

    def _inserted(self, start: int, members: list[_Member], key: str, value: object) -> "_Source":
        brace = _DECODER.raw_decode(self._plain, start)[1] - 1
        filled = start + 1 + len(self.text[start + 1 : brace].rstrip())
        outer = self._indent(start)
        last = members[-1] if members else None
        head = self.text[:filled]
        if last is not None and "," not in self._bare[last.end : brace]:
            head = f"{self.text[: last.end]},{self.text[last.end : filled]}"
        if last is not None and "\n" not in self.text[start:brace]:
            return _Source(
                f"{head} {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}{self.text[filled:]}",
                comments=self._comments,
            )
        inner = self._indent(last.key_start) if last is not None else outer + self._unit()
        if last is not None and self.text[: last.key_start].rpartition("\n")[2].strip():
            inner = outer + self._unit()
        member = f"{inner}{json.dumps(key)}: {self._laid_out(value, inner)}"
        gap = self.text[filled:brace] if "\n" in self.text[filled:brace] else f"{self._newline}{outer}"
        return _Source(f"{head}{self._newline}{member}{gap}{self.text[brace:]}", comments=self._comments)

    def _laid_out(self, value: object, indent: str) -> str:
        lines = json.dumps(value, indent=self._unit(), ensure_ascii=False).split("\n")
        return f"{self._newline}{indent}".join(lines)

    def _unit(self) -> str:
        """Return by what this file indents."""
        first = next(self._members(self._skip(0)), None)
        return (self._indent(first.key_start) if first else "") or _UNIT

    def _indent(self, at: int) -> str:
        line = self.text[:at].lstrip("\ufeff").rpartition("\n")[2]
        return line[: len(line) - len(line.lstrip())]

    def _members(self, start: int) -> Iterator[_Member]:
        """Yield the members of the object that begins here. Of equal keys the last one counts, as for readers."""
        at = self._skip(start + 1)
        while self._plain[at] != "}":
            key_start = at
            key, at = _DECODER.raw_decode(self._plain, at)
            value_start = self._skip(self._skip(at) + 1)
            _, end = _DECODER.raw_decode(self._plain, value_start)
            yield _Member(key, key_start, value_start, end)
            at = self._skip(end)
            if self._plain[at] == ",":
                at = self._skip(at + 1)

    def _skip(self, at: int) -> int:
        space = _SPACE.match(self._plain, at)
        return space.end() if space else at

    def _line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """Put blanks in place of what a pattern finds outside of strings; lines and places stay."""

    def blanks(found: re.Match[str]) -> str:
        part = found.group()
        return part if part.startswith('"') else re.sub(r"[^\r\n]", " ", part)

    return pattern.sub(blanks, text)
