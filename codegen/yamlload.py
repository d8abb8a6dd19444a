"""A strict YAML reader that remembers where everything stands.

Plain YAML surprises: the last of two equal keys wins, `no` is false, `012` is ten and `2026-01-02` a date. Here each
of these is a finding. Numbers are decimal, truth is `true` or `false`, nothing is `null`, everything else is text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from codegen.findings import Finding, SpecError

Path = tuple[str | int, ...]
"""The way from the root of a document to a node: keys and indexes."""

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+")
_SURPRISES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a truth value in some readers", re.compile(r"(?:y|n|yes|no|on|off|true|false)", re.IGNORECASE)),
    ("nothing at all in some readers", re.compile(r"(?:~|null|)", re.IGNORECASE)),
    ("a date in some readers", re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?")),
    ("a number in base 60 in some readers", re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")),
    ("a number of unclear value", re.compile(r"[-+]?(?:0[xob]?[0-9a-fA-F_]+|[0-9][0-9_]*)")),
    ("a number of unclear value", re.compile(r"[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9_]+)(?:[eE][-+]?[0-9]+)?")),
    ("no finite number", re.compile(r"[-+]?\.(?:inf|nan)", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class Document:
    """A document: its plain value, and the line of every node in it."""

    file: str
    value: Any
    lines: Mapping[Path, int]

    def line(self, path: Path) -> int:
        """Return the line of a node, or of the nearest node above it."""
        while path not in self.lines:
            path = path[:-1]
        return self.lines[path]

    def finding(self, path: Path, rule: str, message: str, hint: str) -> Finding:
        """Make a finding about the node at `path`."""
        return Finding(self.file, self.line(path), rule, message, hint)


class _Composer(yaml.SafeLoader):
    """Composes nodes only; without resolvers every plain scalar stays text for us to judge."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as the base class declares it

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "an alias points elsewhere", mark)
        return super().compose_node(parent, index)


class _Reader:
    """Turns nodes into values, collecting findings on the way."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.lines: dict[Path, int] = {}
        self.findings: list[Finding] = []

    def fault(self, node: yaml.Node, rule: str, message: str, hint: str) -> None:
        self.findings.append(Finding(self.file, node.start_mark.line + 1, rule, message, hint))

    def read(self, node: yaml.Node, path: Path) -> Any:
        self.lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, yaml.MappingNode):
            return self.read_mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*path, index)) for index, item in enumerate(node.value)]
        return self.read_scalar(node)

    def read_mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self.read_scalar(key_node) if isinstance(key_node, yaml.ScalarNode) else None
            if not isinstance(key, str) or key == "<<":
                self.fault(key_node, "yaml-key", "a key has to be plain text", "write a name as the key")
                continue
            if key in found:
                first = self.lines[(*path, key)]
                self.fault(
                    key_node, "yaml-duplicate-key", f"`{key}` stands here twice, first in line {first}", "keep one"
                )
            self.lines[(*path, key)] = key_node.start_mark.line + 1
            found[key] = self.read(value_node, (*path, key))
        return found

    def read_scalar(self, node: yaml.Node) -> Any:
        text = str(node.value)
        if not isinstance(node, yaml.ScalarNode) or node.style is not None:
            return text
        if text in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[text]
        if _INTEGER.fullmatch(text):
            return int(text)
        if _DECIMAL.fullmatch(text):
            return float(text)
        for what, pattern in _SURPRISES:
            if pattern.fullmatch(text):
                shown = f"`{text}`" if text else "an empty value"
                hint = "use quotes for text; numbers are decimal, else write true, false or null"
                self.fault(node, "yaml-surprise", f"{shown} is {what}", hint)
                break
        return text


def load(text: str, file: str) -> tuple[Document, list[Finding]]:
    """Read a document.

    Args:
        text: the YAML.
        file: the name to show in findings, relative to the project.

    Returns:
        The document and what is wrong with how it is written.

    Raises:
        SpecError: it is no YAML at all, or it is empty.
    """
    try:
        node = yaml.compose(text, Loader=_Composer)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        message = f"not readable as YAML: {error.problem}"
        raise SpecError([Finding(file, line, "yaml-syntax", message, "mend the line; aliases are not used")]) from None
    except yaml.YAMLError as error:
        raise SpecError([Finding(file, 1, "yaml-syntax", f"not readable as YAML: {error}", "mend it")]) from None
    if node is None:
        raise SpecError([Finding(file, 1, "yaml-syntax", "the file is empty", "write the registry into it")])
    reader = _Reader(file)
    value = reader.read(node, ())
    return Document(file, value, reader.lines), reader.findings
