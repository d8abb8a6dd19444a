"""What MCP clients are told before they call anything, for the tools that one process shows."""

from typing import Any, Final

from lcg import __version__
from lcg.generated.agents import INSTRUCTIONS, PROMPTS, RESOURCES
from lcg.generated.tool_specs import SERVER_NAME, SERVER_TITLE
from lcg.runtime.agent_texts import Prompt, Resource, compose
from lcg.server.envelope import to_json
from lcg.server.mcp_tools import Toolbox

LISTS_TTL_MS: Final = 300_000
"""How long a client may keep what never changes while the process lives."""

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""The revisions that begin with `initialize`; the last one answers to any that is not known."""
MODERN_VERSION: Final = "2026-07-28"
"""The revision without a handshake."""

_IDENTITY: Final = {"name": SERVER_NAME, "title": SERVER_TITLE, "version": __version__}
_CACHED: Final = {"ttlMs": LISTS_TTL_MS, "cacheScope": "private"}
_STAMP: Final = {"resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": _IDENTITY}}

MODERN_STAMP: Final = b"," + to_json(_STAMP)[1:]
"""What every result of the newest revision ends with; it stands in place of the closing brace."""


def instructions(toolbox: Toolbox) -> str:
    """Return what a model is told of this server."""
    return compose(INSTRUCTIONS, toolbox.names, paragraph="\n")


def shown_resources(toolbox: Toolbox) -> tuple[Resource, ...]:
    """Return the texts, and what is returned by calls that belong to an active scope."""
    return tuple(resource for resource in RESOURCES if resource.method is None or toolbox.is_in_scope(resource.method))


def shown_prompts(toolbox: Toolbox) -> tuple[Prompt, ...]:
    """Return the prompts whose tools can be called."""
    return tuple(prompt for prompt in PROMPTS if set(prompt.needs) <= toolbox.names)


class PreparedResults:
    """The results that are known before anybody asks, as JSON.

    They are what the SDK answers for the same tools, which a test holds them to.

    Attributes:
        lists: of the revisions with a handshake, by method.
        modern: of the newest revision, by method.
    """

    def __init__(self, toolbox: Toolbox) -> None:
        self._instructions = instructions(toolbox)
        lists: dict[str, dict[str, Any]] = {
            "tools/list": {"tools": _tools(toolbox)},
            "prompts/list": {"prompts": [_prompt(prompt) for prompt in shown_prompts(toolbox)]},
            "resources/list": {"resources": [_resource(resource) for resource in shown_resources(toolbox)]},
            "resources/templates/list": {"resourceTemplates": []},
        }
        discovered = {
            "supportedVersions": [MODERN_VERSION],
            "capabilities": _capabilities(changes=True),
            "instructions": self._instructions,
        }
        self.lists = {method: to_json(result) for method, result in lists.items()}
        self.modern = {
            method: to_json({**result, **_CACHED, **_STAMP})
            for method, result in {**lists, "server/discover": discovered}.items()
        }

    def initialize(self, asked: str) -> bytes:
        """Return the result of the handshake for the revision that a client asked for."""
        version = asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
        return to_json(
            {
                "protocolVersion": version,
                "capabilities": _capabilities(changes=False),
                "serverInfo": _IDENTITY,
                "instructions": self._instructions,
            }
        )


def _capabilities(*, changes: bool) -> dict[str, Any]:
    return {
        "tools": {"listChanged": changes},
        "resources": {"listChanged": changes, "subscribe": True},
        "prompts": {"listChanged": changes},
        "completions": {},
    }


def _tools(toolbox: Toolbox) -> list[dict[str, Any]]:
    return [
        {
            "name": spec.name,
            "title": spec.title,
            "description": spec.description,
            "inputSchema": spec.input_schema,
            "outputSchema": spec.output_schema,
            "annotations": spec.annotations,
        }
        for spec in toolbox.visible
    ]


def _resource(resource: Resource) -> dict[str, Any]:
    return {
        "uri": resource.uri,
        "name": resource.name,
        "title": resource.title,
        "description": resource.description,
        "mimeType": resource.mime_type,
    }


def _prompt(prompt: Prompt) -> dict[str, Any]:
    return {
        "name": prompt.name,
        "title": prompt.title,
        "description": prompt.description,
        "arguments": [
            {"name": argument.name, "description": argument.description, "required": argument.required}
            for argument in prompt.arguments
        ],
    }
