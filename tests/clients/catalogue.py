"""Every client, with its version, what it speaks, and how it is tried."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from tests.clients import environments, programs, sdk
from tests.clients.conversation import Conversation, check_conversion
from tests.clients.workspace import Workspace

MODERN: Final = "2026-07-28"
CONFORMANCE: Final = (
    ("2025-11-25", "@modelcontextprotocol/conformance@0.1.16", ()),
    (MODERN, "@modelcontextprotocol/conformance@0.2.0-alpha.12", ("--requirements", MODERN)),
)
INSPECTOR: Final = "@modelcontextprotocol/inspector@0.15.0"
NEWER_INSPECTOR: Final = "@modelcontextprotocol/inspector@2.12.0"
MCPORTER: Final = "mcporter@0.12.3"
MCPB: Final = "@anthropic-ai/mcpb@2.1.2"


@dataclass(frozen=True, slots=True)
class Client:
    """A client. `attempt` returns what was seen, or raises: Missing when it cannot be had, Wrong when it fails."""

    name: str
    title: str
    version: str
    transport: str
    attempt: Callable[[Workspace], str]


def _talking(name: str, talk: Callable[[Workspace, Conversation], dict[str, Any]]) -> Callable[[Workspace], str]:
    def attempt(workspace: Workspace) -> str:
        conversation = Conversation(name)
        return conversation.check(talk(workspace, conversation))

    return attempt


def _driven(name: str, title: str, driver: str, environment: str, package: str) -> Client:
    attempt = _talking(name, partial(programs.driver, driver, environment))
    return Client(name, title, environments.version_of(environment, package), "stdio", attempt)


def _sdk(era: str, called: str) -> list[Client]:
    title = f"MCP Python SDK, {called} era"
    version = environments.installed("mcp")
    memory = _talking(f"sdk-{called}-memory", lambda _, talk: sdk.in_memory(talk, era))
    stdio = _talking(f"sdk-{called}-stdio", lambda workspace, talk: sdk.over_stdio(workspace, talk, era))
    http = _talking(f"sdk-{called}-http", lambda workspace, talk: sdk.over_http(workspace, talk, era))
    return [
        Client(f"sdk-{called}-stdio", title, version, "stdio", stdio),
        Client(f"sdk-{called}-http", title, version, "HTTP", http),
        Client(f"sdk-{called}-memory", title, version, "memory", memory),
    ]


def _agents(workspace: Workspace) -> str:
    conversation = Conversation("openai-agents")
    report = programs.driver("openai_agents", "agents", workspace, conversation)
    return f"{conversation.check(report)}; {check_conversion(report)} to strict mode"


def _gemini(workspace: Workspace) -> str:
    return check_conversion(programs.driver("gemini", "gemini", workspace, Conversation("gemini")))


def _conformance(revision: str, package: str, options: Sequence[str]) -> Client:
    attempt = partial(programs.conformance, package, revision, options)
    return Client(f"conformance-{revision}", f"MCP conformance suite, {revision}", _of_npm(package), "HTTP", attempt)


def _inspector(name: str, package: str, transport: str) -> Client:
    def talk(workspace: Workspace, conversation: Conversation) -> dict[str, Any]:
        over_http = [workspace.url or "", "--transport", "http"]
        server = over_http if transport == "HTTP" else workspace.command
        return programs.inspector(package, server, workspace, conversation)

    return Client(name, "MCP inspector, command line", _of_npm(package), transport, _talking(name, talk))


def _of_npm(package: str) -> str:
    return package.rpartition("@")[2]


CLIENTS: Final = (
    *_sdk("legacy", "handshake"),
    *_sdk(MODERN, "modern"),
    _driven("sdk-1", "MCP Python SDK, first generation", "sdk1", "sdk1", "mcp"),
    _driven("fastmcp", "FastMCP", "fastmcp_client", "fastmcp", "fastmcp"),
    _inspector("inspector-0", INSPECTOR, "stdio"),
    _inspector("inspector-2-stdio", NEWER_INSPECTOR, "stdio"),
    _inspector("inspector-2-http", NEWER_INSPECTOR, "HTTP"),
    Client(
        "mcporter", "mcporter", _of_npm(MCPORTER), "stdio", _talking("mcporter", partial(programs.mcporter, MCPORTER))
    ),
    _driven("langchain", "LangChain adapter", "langchain_adapter", "langchain", "langchain-mcp-adapters"),
    Client("openai-agents", "OpenAI Agents SDK", environments.version_of("agents", "openai-agents"), "stdio", _agents),
    _driven("pydantic-ai", "Pydantic AI", "pydantic_ai_toolset", "pydantic_ai", "pydantic-ai-slim"),
    Client("gemini", "Google Gen AI SDK, schemas", environments.version_of("gemini", "google-genai"), "none", _gemini),
    Client(
        "server-doctor",
        "mcp-server-doctor",
        environments.version_of("doctor", "mcp-server-doctor"),
        "stdio",
        partial(programs.server_doctor, "doctor"),
    ),
    *(_conformance(*suite) for suite in CONFORMANCE),
    Client("mcpb", ".mcpb packer", _of_npm(MCPB), "none", lambda _: programs.bundle(MCPB)),
)
"""In the order of the table."""
