"""The registry as an OpenRPC document, from which clients in other languages can be made."""

from typing import Any

from codegen import published
from codegen.model import Field, Method, Named, Param, Registry

_OPENRPC_VERSION = "1.3.2"
_DOCUMENT_VERSION = "1"
_SOCKET = "unix:.lcg/service.sock"


def openrpc(registry: Registry) -> dict[str, Any]:
    """Return the document: every method of the socket, what it takes, returns and fails with."""
    product = registry.product
    return {
        "openrpc": _OPENRPC_VERSION,
        "info": {
            "title": product["title"],
            "version": _DOCUMENT_VERSION,
            "description": "JSON-RPC 2.0 over a Unix socket, one message per line. Parameters are given by name.",
        },
        "servers": [
            {"name": "workspace", "url": _SOCKET, "summary": "The socket of a service, below the directory it serves."}
        ],
        "methods": [_method(registry, method) for method in registry.methods if "socket" in method.exposure],
        "components": {
            "schemas": {
                record.name: _object(record.fields) | {"title": record.name, "description": record.summary}
                for record in registry.records.values()
            },
            "errors": {code.name: _error(code) for code in registry.error_codes},
            "tags": {slug: {"name": title} for slug, title in registry.categories.items()},
        },
    }


def _method(registry: Registry, method: Method) -> dict[str, Any]:
    described = {
        "name": method.name,
        "summary": method.summary,
        "description": method.description,
        "tags": [{"$ref": f"#/components/tags/{method.category}"}],
        "paramStructure": "by-name",
        "params": _params(registry, method),
        "result": {"name": "result", "schema": _result(registry, method)},
        "errors": [{"$ref": f"#/components/errors/{code.name}"} for code in registry.error_codes],
        "examples": [_example(example.title, example.params, example.result) for example in method.examples],
        "x-scope": method.scope,
        "x-reports-progress": method.progress is not None,
        "x-fails-with": [{"kind": case.kind, "when": case.when} for case in method.errors],
    }
    return described | {"deprecated": True} if method.deprecated is not None else described


def _params(registry: Registry, method: Method) -> list[dict[str, Any]]:
    described = [_param(param) for param in method.params]
    if method.groups.parameter is not None:
        rule = method.groups.rule
        schema = published.group_schema(method, registry.product["default_group"])
        described.append(
            {
                "name": method.groups.parameter,
                "description": rule.sentence or schema["description"],
                "required": rule.required,
                "schema": schema,
            }
        )
    # By name, so the order carries no meaning; the document demands that required ones come first.
    return sorted(described, key=lambda param: not param["required"])


def _param(param: Param) -> dict[str, Any]:
    words = " ".join(text for text in (param.description, param.details) if text)
    return {
        "name": param.name,
        "description": words,
        "required": param.required,
        "schema": published.param_schema(param),
    }


def _result(registry: Registry, method: Method) -> dict[str, Any]:
    schema = _object(method.result)
    if "warnings" not in schema["properties"] and "Warning" in registry.records:
        schema["properties"]["warnings"] = {"type": "array", "items": {"$ref": "#/components/schemas/Warning"}}
    return schema


def _object(fields: tuple[Field, ...]) -> dict[str, Any]:
    required = [field.name for field in fields if not field.optional]
    schema = {"type": "object", "properties": {field.name: _field(field) for field in fields}}
    return schema | {"required": required} if required else schema


def _field(field: Field) -> dict[str, Any]:
    schema: dict[str, Any]
    if field.type == "array":
        schema = {"type": "array", "items": _inner(field) or {"type": field.items or "object"}}
    else:
        schema = _inner(field) or {"type": field.type}
    if field.enum:
        schema |= {"enum": list(field.enum)}
    if field.const_true:
        schema |= {"const": True}
    if field.nullable:
        schema = {"anyOf": [schema, {"type": "null"}]}
    words = f"{field.description} Only when: {field.when}." if field.when else field.description
    # Beside a reference nothing else counts, so it is wrapped.
    return ({"allOf": [schema]} if "$ref" in schema else schema) | {"description": words}


def _inner(field: Field) -> dict[str, Any] | None:
    if field.record is not None:
        return {"$ref": f"#/components/schemas/{field.record}"}
    return None if field.fields is None else _object(field.fields)


def _error(code: Named) -> dict[str, Any]:
    return {"code": code.code, "message": code.summary}


def _example(title: str, params: Any, result: Any) -> dict[str, Any]:
    return {
        "name": title,
        "params": [{"name": name, "value": value} for name, value in params.items()],
        "result": {"name": "result", "value": dict(result)},
    }
