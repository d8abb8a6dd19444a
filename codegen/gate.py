"""The first gate: the document has the shape that the JSON Schema beside it allows."""

import functools
import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

import jsonschema
from jsonschema.exceptions import ValidationError, best_match

from codegen.findings import Finding
from codegen.yamlload import Document, Path

_LONGEST = 160


@functools.cache
def _validator(schema: str) -> jsonschema.Draft202012Validator:
    parsed = json.loads(schema)
    jsonschema.Draft202012Validator.check_schema(parsed)
    return jsonschema.Draft202012Validator(parsed)


def check_shape(document: Document, schema: str) -> list[Finding]:
    """Return everything that the schema, given as JSON, refuses."""
    return [
        finding for error in _validator(schema).iter_errors(document.value) for finding in _explain(document, error)
    ]


def _explain(document: Document, error: ValidationError) -> Iterator[Finding]:
    if error.context:
        deeper = best_match(error.context)
        if deeper is not None:
            yield from _explain(document, deeper)
            return
    path: Path = tuple(error.absolute_path)
    instance: Any = error.instance
    demanded: Any = error.validator_value
    where = _name(document, path)
    if error.validator == "additionalProperties" and isinstance(error.schema, Mapping):
        known = sorted(error.schema.get("properties", {}))
        for key in sorted(set(instance) - set(known)):
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"known here: {', '.join(known)}"
            yield document.finding((*path, key), "schema-unknown-key", f"{where}: `{key}` is no known key", hint)
    elif error.validator == "required":
        for key in demanded:
            if key not in instance:
                yield document.finding(path, "schema-missing-key", f"{where}: `{key}` is missing", f"add `{key}:`")
    else:
        yield document.finding(path, f"schema-{error.validator}", f"{where}: {_sentence(error)}", _hint(error))


def _sentence(error: ValidationError) -> str:
    """Say what is wrong without printing half the schema."""
    instance: Any = error.instance
    if error.validator in ("not", "oneOf") and isinstance(instance, dict):
        keys = [key for key in instance if f"['{key}']" in str(error.validator_value)]
        trigger = [str(error.absolute_schema_path[-2])] if error.validator == "not" else []
        return f"only one of these can stand here: {', '.join([*trigger, *keys])}"
    if error.validator in ("pattern", "maxLength"):
        return f"{_cut(repr(instance))} is not of the wanted form"
    return _cut(error.message)


def _hint(error: ValidationError) -> str:
    described = error.schema.get("description") if isinstance(error.schema, Mapping) else None
    if error.validator in ("not", "oneOf"):
        return "keep one of them"
    return f"wanted: {described}" if described else "see spec/README.md for what may stand here"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _name(document: Document, path: Path) -> str:
    """Name a place for people: the method's name in place of its index."""
    parts = [str(part) for part in path]
    if path[:1] == ("methods",) and len(path) > 1:
        entry = document.value["methods"][path[1]]
        name = entry.get("name") if isinstance(entry, dict) else None
        parts = [str(name or f"method {parts[1]}"), *parts[2:]]
    return ".".join(parts) or "the document"
