"""What every client has to manage: list the tools, write, read what it wrote, and be told what is wrong with a call."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from lcg.generated.tool_specs import TOOL_SPECS
from lcg.runtime.tool_spec import ToolSpec

SCOPES: Final = ("read", "write")
GROUP: Final = "clients"
Call = tuple[str, dict[str, Any]]


class Wrong(Exception):
    """A client got something else than it should have."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """The calls of one client; what it writes has its name, so that it can only find what it wrote itself."""

    client: str

    @property
    def name(self) -> str:
        """The entity that it writes: with what JSON, shells and encodings may stumble over."""
        return f"Grüße \u201c{self.client}\u201d an O'Neill & 知道"

    @property
    def write(self) -> Call:
        """A call that writes."""
        labels = {"labels": ["Person"], "attributes": {"client": self.client}}
        return "knowledge_assert_entity", {"name": self.name, "group_id": GROUP, **labels}

    @property
    def read(self) -> Call:
        """A call that finds it."""
        return "knowledge_find_entities", {"query": self.name, "group_ids": [GROUP], "num_results": 1}

    @property
    def refused(self) -> Call:
        """A call that cannot be right."""
        return "knowledge_find_entities", {"query": " "}

    def check(self, report: dict[str, Any], scopes: Iterable[str] = SCOPES) -> str:
        """Check what a client got, and say it in a few words. Raises Wrong."""
        expected = [tool.name for tool in tools(scopes)]
        if report["tools"] != expected:
            difference = sorted(set(report["tools"]) ^ set(expected)) or "their order"
            raise Wrong(f"{len(report['tools'])} tools instead of {len(expected)}; they differ in {difference}")
        uuid = (report["write"] or {}).get("entity_uuid")
        if not uuid:
            raise Wrong(f"the write was answered with {report['write']!r}")
        nodes = (report["read"] or {}).get("nodes")
        if not nodes or (nodes[0]["uuid"], nodes[0]["name"]) != (uuid, self.name):
            raise Wrong(f"what was written is {uuid} {self.name!r}; found was {nodes!r}")
        refused = report["refused"]
        if not refused or "knowledge_find_entities" not in refused or "query is required" not in refused:
            raise Wrong(f"a call without a query was answered with {refused!r}")
        return f"{len(expected)} tools; write, read, refusal"


def check_conversion(report: dict[str, Any]) -> str:
    """Check that every tool of all scopes was converted. Raises Wrong."""
    expected = [tool.name for tool in TOOL_SPECS]
    if report["converted"] != expected:
        raise Wrong(f"not converted: {sorted(set(expected) - set(report['converted']))}")
    return f"{len(expected)} schemas converted"


def tools(scopes: Iterable[str]) -> list[ToolSpec]:
    """Return the tools of scopes, as tools/list has them."""
    return [tool for tool in TOOL_SPECS if tool.scope in set(scopes)]


def listed() -> list[dict[str, Any]]:
    """Return every tool as tools/list has it, as far as converters look at it."""
    return [
        {"name": tool.name, "description": tool.description, "inputSchema": dict(tool.input_schema)}
        for tool in TOOL_SPECS
    ]
