"""The schemas that clients see: the portable subset of JSON Schema, small and open.

What a client may rely on stands here; what the server insists on (pairings, closed names, full records) does not.
"""

from collections.abc import Mapping
from typing import Any

from codegen.model import UNSET, Field, Method, Param

Schema = dict[str, Any]

_HINTS = {
    "read_only": "readOnlyHint",
    "destructive": "destructiveHint",
    "idempotent": "idempotentHint",
    "open_world": "openWorldHint",
}


def input_schema(method: Method, default_group: str) -> Schema:
    """Return what is published of a method's parameters."""
    properties = {param.name: param_schema(param) for param in method.params}
    required = [param.name for param in method.params if param.required]
    if method.groups.parameter is not None:
        properties[method.groups.parameter] = group_schema(method, default_group)
        if method.groups.rule.required:
            required.append(method.groups.parameter)
    schema: Schema = {"type": "object", "properties": properties}
    return schema | {"required": required} if required else schema


def param_schema(param: Param) -> Schema:
    """Return what is published of one parameter."""
    schema: Schema = {"type": param.type, "description": param.description}
    if param.type == "array":
        schema["items"] = {"type": param.items}
    if param.properties:
        schema["properties"] = {
            key.name: {"type": "string"} | ({"description": key.description} if key.description else {})
            for key in param.properties
        }
    facets: Mapping[str, Any] = {
        "enum": list(param.enum) or None,
        "minimum": param.minimum,
        "maximum": param.maximum,
        "minItems": param.min_items or None,
        "maxLength": 200 if param.text == "slug" else None,
    }
    schema |= {key: value for key, value in facets.items() if value is not None}
    return schema if param.default is UNSET else schema | {"default": param.default}


def group_schema(method: Method, default_group: str) -> Schema:
    """Return what is published of the parameter that a group rule brings."""
    rule = method.groups.rule
    schema: Schema = {"type": "array" if rule.many else "string", "description": group_words(method)}
    if rule.many:
        schema["items"] = {"type": "string"}
    if rule.required:
        schema |= {"minItems": 1} if rule.many else {}
    if rule.omitted == "default":
        schema["default"] = default_group
    return schema


def group_words(method: Method) -> str:
    """Name the group parameter; what it means when left out is said by the tool's description or by the schema."""
    return "Groups." if method.groups.rule.many else "Group."


def output_schema(method: Method) -> Schema:
    """Return what is published of a method's result: the top-level keys, nothing required, nothing closed."""
    return {"type": "object", "properties": {field.name: _field_schema(field) for field in method.result}}


def annotations(method: Method) -> dict[str, bool]:
    """Return the hints under their MCP names."""
    return {wire: method.hints[name] for name, wire in _HINTS.items()}


def tool_entry(method: Method, description: str, default_group: str) -> dict[str, Any]:
    """Return the tool as tools/list shows it."""
    return {
        "name": method.name,
        "title": method.title,
        "description": description,
        "inputSchema": input_schema(method, default_group),
        "outputSchema": output_schema(method),
        "annotations": annotations(method),
    }


def _field_schema(field: Field) -> Schema:
    if field.nullable:
        return {"description": f"{field.type}/null"}
    schema: Schema = {"type": field.type}
    if field.type == "array":
        schema["items"] = {"type": field.items or "object"}
    return schema
