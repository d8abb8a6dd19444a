"""What Google's SDK makes of every tool for Gemini, without asking it."""

from google.genai._mcp_utils import mcp_to_gemini_tools
from mcp import types
from report import GIVEN, tell

converted = mcp_to_gemini_tools([types.Tool.model_validate(tool) for tool in GIVEN["tools"]])
declarations = [declaration for tool in converted for declaration in tool.function_declarations]
listed = {tool["name"]: set(tool["inputSchema"].get("properties", {})) for tool in GIVEN["tools"]}


def properties_of(declaration) -> set[str]:
    return set((declaration.parameters.properties if declaration.parameters else None) or {})


tell(converted=[known.name for known in declarations if properties_of(known) == listed[known.name]])
