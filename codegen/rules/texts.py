"""Rules about what agents and people read, and about what goes over the wire."""

import json
import re
from collections.abc import Iterator
from typing import Any

from codegen.model import Method
from codegen.published import input_schema, output_schema, tool_entry
from codegen.resolve import full_description
from codegen.rules.base import Fault, Spec
from codegen.yamlload import Path

LONGEST_DESCRIPTION = 1_000
BUDGETS = {("read", "write", "cypher", "admin"): 45 * 1024, ("read", "write"): 30 * 1024}
"""The most bytes that the answer line of tools/list may have, by active scopes."""

_NAMED = 5
TRACKER = re.compile(r"(?<![\w&/])#\d+|\b(?:issue|ticket|PR|pull request|ADR)[ -]?#?\d+\b|\bTODO\b|\bFIXME\b|https?://")
_TOOL = re.compile(r"\bknowledge_[a-z_]*[a-z]\b")
_GROUP = re.compile(r"\bgroup_ids?\b")
_PORTABLE = {
    "type", "properties", "description", "required", "items", "enum",
    "minimum", "maximum", "minItems", "minLength", "maxLength", "default",
}  # fmt: skip


def no_tracker_talk(spec: Spec) -> Iterator[Fault]:
    """Texts speak of the software, not of how it came about."""
    for path, text in texts((), spec.document.value):
        found = TRACKER.search(text)
        if found:
            yield path, f"the text mentions `{found.group()}`", "readers cannot look it up; say what matters"


def tool_names_exist(spec: Spec) -> Iterator[Fault]:
    """A tool that a text names exists."""
    known = {method.name for method in spec.registry.methods}
    for path, text in texts((), spec.document.value):
        for name in dict.fromkeys(_TOOL.findall(text)):
            if name not in known:
                yield path, f"the text names `{name}`, which is no method", "correct the name"


def groups_not_by_hand(spec: Spec) -> Iterator[Fault]:
    """The group parameter is explained by its rule alone."""
    for method in spec.registry.methods:
        if method.groups.parameter and _GROUP.search(method.description or ""):
            message = f"{method.name}: the description explains the group parameter"
            yield (*method.path, "description"), message, "the sentence of the group rule does; remove it"


def description_length(spec: Spec) -> Iterator[Fault]:
    """A description, with the sentence of the group rule, is not too long to be read."""
    for method in spec.registry.methods:
        length = len(full_description(method))
        if length > LONGEST_DESCRIPTION:
            message = f"{method.name}: {length} characters with the group sentence, at most {LONGEST_DESCRIPTION}"
            yield (*method.path, "description"), message, "shorten it"


def portable_schemas(spec: Spec) -> Iterator[Fault]:
    """Published schemas use only what every client takes."""
    default_group = spec.registry.product["default_group"]
    for method in spec.registry.methods:
        for schema in (input_schema(method, default_group), output_schema(method)):
            for problem in unportable(schema, "schema"):
                yield method.path, f"{method.name}: {problem}", "clients refuse it; say it in the description instead"


def budgets(spec: Spec) -> Iterator[Fault]:
    """tools/list stays small, whole and for the usual scopes."""
    for scopes, most in BUDGETS.items():
        methods = [method for method in spec.registry.methods if method.scope in scopes]
        size = _answer_size(methods, spec.registry.product["default_group"])
        if size > most:
            message = f"tools/list for {','.join(scopes)} has {size} bytes, at most {most}"
            yield ("methods",), message, f"shorten what is longest: {_longest(spec, methods)}"


def _longest(spec: Spec, methods: list[Method]) -> str:
    sizes = {method.name: _answer_size([method], spec.registry.product["default_group"]) for method in methods}
    return ", ".join(f"{name} {sizes[name]}" for name in sorted(sizes, key=lambda name: -sizes[name])[:_NAMED])


def _answer_size(methods: list[Method], default_group: str) -> int:
    tools = [tool_entry(method, full_description(method), default_group) for method in methods]
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}}
    return len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()) + 1


def texts(path: Path, value: Any) -> Iterator[tuple[Path, str]]:
    """Yield every text in a document, with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts((*path, key), inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from texts((*path, index), inner)


def unportable(schema: dict[str, Any], where: str) -> Iterator[str]:
    """Say what in a schema is outside the portable subset."""
    for keyword in schema.keys() - _PORTABLE:
        yield f"{where} uses `{keyword}`"
    if not isinstance(schema.get("type", ""), str):
        yield f"{where} has several types"
    if not all(isinstance(word, str) for word in schema.get("enum", ())):
        yield f"{where} has an enum of something else than strings"
    for name, inner in schema.get("properties", {}).items():
        yield from unportable(inner, f"{where}.{name}")
    if "items" in schema:
        yield from unportable(schema["items"], f"{where}[]")
