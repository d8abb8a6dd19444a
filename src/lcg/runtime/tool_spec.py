"""The shape of a tool as an MCP client is shown it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One MCP tool. The schemas and the annotations go over the wire as they are.

    Attributes:
        name: the tool's name, which is also the method's name on the socket.
        title: a name for people.
        description: for agents that choose a tool; at most 1,000 characters.
        scope: the one scope that shows it.
        profiles: the profiles that show it beside `all`.
        attached_flag: the command line flag without which an attached process hides it, or None.
        progress: whether it reports progress.
        input_schema: JSON Schema of the arguments.
        output_schema: JSON Schema of the result, shallow and open.
        annotations: the four hints (`readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`).
        works_degraded: whether it answers while the store is not open.
    """

    name: str
    title: str
    description: str
    scope: str
    profiles: tuple[str, ...]
    attached_flag: str | None
    progress: bool
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
    annotations: Mapping[str, bool]
    works_degraded: bool
