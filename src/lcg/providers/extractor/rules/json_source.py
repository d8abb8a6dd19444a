"""Reads JSON (one value or one per line) with the place of every part, so that facts quote the text as it stands."""

import json
import re
from dataclasses import dataclass, field

_SPACE = re.compile(r"[ \t\r\n,]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*+"', re.DOTALL)
_SCALAR = re.compile(r"-?\d[\d.eE+-]{0,400}|true|false|null")
_COLON = re.compile(r"[ \t\r\n]*:")

NAME_KEYS = ("name", "title", "label", "full_name", "display_name", "username", "id", "key")
MAX_DEPTH = 200


@dataclass(slots=True)
class Node:
    """A JSON value by its offsets. `key` is the member's name; `member_start` where the member begins (its key)."""

    start: int
    end: int = 0
    member_start: int = 0
    key: str = ""
    text: str | None = None
    """The decoded value of a string, None for every other value."""
    children: list["Node"] = field(default_factory=list)
    is_object: bool = False
    is_array: bool = False


def read_json(text: str) -> list[Node] | None:
    """Return the top-level values, or None when the text is not JSON (or nested too deeply to be data)."""
    roots: list[Node] = []
    at = _skip(text, 0)
    while at < len(text):
        node = _read_value(text, at)
        if node is None:
            return None
        roots.append(node)
        at = _skip(text, node.end)
    return roots if any(node.children for node in roots) else None


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _read_value(text: str, at: int) -> Node | None:
    """Read one value without recursion: the open objects and arrays stand on a list."""
    open_nodes: list[Node] = []
    while True:
        at = _skip(text, at)
        if at >= len(text):
            return None
        if open_nodes and text[at] in "}]":
            closed = open_nodes.pop()
            if closed.is_object != (text[at] == "}"):
                return None
            closed.end = at = at + 1
            if not open_nodes:
                return closed
            continue
        node = _begin(text, at, in_object=bool(open_nodes) and open_nodes[-1].is_object)
        if node is None:
            return None
        if open_nodes:
            open_nodes[-1].children.append(node)
        if node.is_object or node.is_array:
            if len(open_nodes) >= MAX_DEPTH:
                return None
            open_nodes.append(node)
            at = node.start + 1
        else:
            at = node.end
            if not open_nodes:
                return node


def _begin(text: str, at: int, in_object: bool) -> Node | None:
    """Read a key where one must stand, then a scalar whole or the opening of an object or array."""
    node = Node(start=at, member_start=at)
    if in_object:
        key = _STRING.match(text, at)
        colon = _COLON.match(text, key.end()) if key else None
        if key is None or colon is None:
            return None
        decoded = _decode(key[0])
        if decoded is None:
            return None
        node.key = decoded
        node.start = _skip(text, colon.end())
    if text[node.start : node.start + 1] in ("{", "["):
        node.is_object = text[node.start] == "{"
        node.is_array = not node.is_object
        return node
    string = _STRING.match(text, node.start)
    if string is not None:
        node.text, node.end = _decode(string[0]), string.end()
        return node if node.text is not None else None
    scalar = _SCALAR.match(text, node.start)
    if scalar is None:
        return None
    node.end = scalar.end()
    return node


def _decode(literal: str) -> str | None:
    try:
        decoded = json.loads(literal)
    except ValueError:
        return None
    return decoded if isinstance(decoded, str) else None


def own_name(node: Node) -> tuple[Node, str] | None:
    """Return the member that names an object, and the name."""
    if not node.is_object:
        return None
    for key in NAME_KEYS:
        for child in node.children:
            if child.key.lower() == key and child.text:
                return child, child.text
    return None
