"""A line for everything that the registry publishes: each tool as tools/list sends it, and each reference page."""

import hashlib
import json
from collections.abc import Iterator

from codegen import render
from codegen.agents import AgentTexts
from codegen.published import tool_entry
from codegen.resolve import Resolved


def published_lines(resolved: Resolved) -> list[str]:
    """Return a line with the size and the hash of each text that clients or readers get."""
    product = resolved.registry.product
    lines = [_line("server", f"{product['name']}\n{product['title']}")]
    for tool in resolved.mcp_tools:
        entry = tool_entry(tool.method, tool.description, product["default_group"])
        lines.append(_line(tool.method.name, json.dumps(entry, ensure_ascii=False, separators=(",", ":"))))
    lines.extend(_line(name, text) for name, text in _pages(resolved))
    return lines


def agent_lines(agents: AgentTexts) -> list[str]:
    """Return such a line for each text that agents are told beside the tools."""
    return [
        _line("instructions", repr(agents.instructions)),
        *(_line(f"resource {resource.name}", repr(resource)) for resource in agents.resources),
        *(_line(f"prompt {prompt.name}", repr(prompt)) for prompt in agents.prompts),
    ]


def _pages(resolved: Resolved) -> Iterator[tuple[str, str]]:
    for name in ("index", "records", "errors", "scopes"):
        yield f"{name}.md", render.render_one(f"{name}.md.j2", resolved)
    for category in resolved.categories:
        yield f"{category.slug}.md", render.render_one("category.md.j2", resolved, category)


def _line(name: str, text: str) -> str:
    return f"{name} {len(text.encode())} {hashlib.sha256(text.encode()).hexdigest()[:16]}"
