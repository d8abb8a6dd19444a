"""Calls that a real service answered, for the reference pages. `make record` writes the file that is read here."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATH = "docs/generated/calls.json"
MOST_ELEMENTS = 2
"""Longer lists of objects are cut for the pages; the file has all of them."""
_WIDTH = 110


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A request and its result as JSON, and whether lists in it were cut."""

    params: str
    result: str
    cut: bool


def read_recorded(root: Path) -> Mapping[str, RecordedCall]:
    """Return the recorded call of each method; none where nothing is recorded."""
    path = root / PATH
    if not path.is_file():
        return {}
    calls = json.loads(path.read_text(encoding="utf-8"))["calls"]
    return {method: _shown(call["params"], call["result"]) for method, call in calls.items()}


def _shown(params: Any, result: Any) -> RecordedCall:
    cut = _cut(result)
    return RecordedCall(layout(params), layout(cut), cut != result)


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _cut(inner) for key, inner in value.items()}
    if isinstance(value, list):
        objects = all(isinstance(inner, dict) for inner in value)
        return [_cut(inner) for inner in (value[:MOST_ELEMENTS] if objects else value)]
    return value


def layout(value: Any, indent: int = 0, before: int = 0) -> str:
    """Write JSON: on one line what fits on it, else an element a line. `before` is the room that a key has taken."""
    line = json.dumps(value, ensure_ascii=False)
    if indent + before + len(line) <= _WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        keys = {key: f"{json.dumps(key, ensure_ascii=False)}: " for key in value}
        rows = [f"{inner}{keys[key]}{layout(item, indent + 2, len(keys[key]))}" for key, item in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
    return "[\n" + ",\n".join(f"{inner}{layout(item, indent + 2)}" for item in value) + "\n" + " " * indent + "]"
