"""The first gate: the document has the shape that the JSON Schema beside it allows."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

import jsonschema
from jsonschema.exceptions import ValidationError, best_match

from codegen.findings import Finding
from codegen.yamlload import Document, Path

_LONGEST = 160


def check_shape(document: Document, schema: Mapping[str, Any]) -> list[Finding]:
    """Return everything that the schema refuses."""
    jsonschema.Draft202012Validator.check_schema(dict(schema))
    validator = jsonschema.Draft202012Validator(dict(schema))
    return [finding for error in validator.iter_errors(document.value) for finding in _explain(document, error)]


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
        message = error.message if len(error.message) <= _LONGEST else f"{error.message[:_LONGEST]}…"
        hint = "see spec/README.md for what may stand here"
        yield document.finding(path, f"schema-{error.validator}", f"{where}: {message}", hint)


def _name(document: Document, path: Path) -> str:
    """Name a place for people: the method's name in place of its index."""
    parts = [str(part) for part in path]
    if path[:1] == ("methods",) and len(path) > 1:
        entry = document.value["methods"][path[1]]
        name = entry.get("name") if isinstance(entry, dict) else None
        parts = [str(name or f"method {parts[1]}"), *parts[2:]]
    return ".".join(parts) or "the document"
