"""Rules about results, records, errors, examples and progress."""

import datetime
import keyword
import re
from collections.abc import Iterator
from typing import Any

import jsonschema

from codegen.model import Field, Method, Param
from codegen.published import input_schema
from codegen.rules.base import Fault, Spec, listed
from codegen.shapes import check_object, result_fields

_FAILURE = {"code": "integer", "message": "string", "data": "object"}
_COLLECTIONS = ("nodes", "edges", "episodes", "passages", "checkpoints", "rows")
_SLUG = re.compile(r"[A-Za-z0-9_-]{1,200}")
_FRAME = ("type", "phase", "processed", "total", "message")


def field_names(spec: Spec) -> Iterator[Fault]:
    """Keys can be written in a Python class."""
    for field in _all_fields(spec):
        if keyword.iskeyword(field.name):
            yield field.path, f"`{field.name}` is a Python keyword", "choose another key"


def records_exist(spec: Spec) -> Iterator[Fault]:
    """A record that is used is declared, and before the records that use it."""
    known = list(spec.registry.records)
    for field in _all_fields(spec):
        if field.record is None:
            continue
        if field.record not in known:
            yield field.path, f"there is no record `{field.record}`", f"known records: {listed(known)}"
        elif field.path[0] == "records" and known.index(field.record) >= known.index(str(field.path[1])):
            yield field.path, f"record `{field.record}` stands after its user", "move it up"


def warnings_typed(spec: Spec) -> Iterator[Fault]:
    """There is a record Warning with type and message, since every result may carry warnings."""
    record = spec.registry.records.get("Warning")
    names = {field.name for field in record.fields} if record else set()
    if not {"type", "message"} <= names:
        yield ("records",), "there is no record `Warning` with `type` and `message`", "declare it"


def collections_counted(spec: Spec) -> Iterator[Fault]:
    """A result with a collection says how long it is."""
    for method in spec.registry.methods:
        types = {field.name: field.type for field in method.result}
        held = [name for name in _COLLECTIONS if types.get(name) == "array"]
        if held and types.get("count") != "integer":
            message = f"{method.name} returns `{held[0]}` without `count`"
            yield (*method.path, "result"), message, "add `count: {type: integer, description: ...}`"


def failure_fits(spec: Spec) -> Iterator[Fault]:
    """A failure is a legal value of the published output schema, for clients that check those too."""
    for method in spec.registry.methods:
        for field in method.result:
            wanted = _FAILURE.get(field.name)
            if wanted is not None and field.type != wanted:
                message = f"{method.name}: `{field.name}` is {wanted} in a failure, {field.type} here"
                yield field.path, message, "choose another key"


def error_kinds_exist(spec: Spec) -> Iterator[Fault]:
    """An error kind that is used is declared."""
    known = [kind.name for kind in spec.registry.error_kinds]
    for method in spec.registry.methods:
        for case in method.errors:
            if case.kind not in known:
                yield case.path, f"{method.name}: there is no error kind `{case.kind}`", f"known kinds: {listed(known)}"


def error_codes_unique(spec: Spec) -> Iterator[Fault]:
    """Every error code has one name."""
    seen: dict[int, str] = {}
    for code in spec.registry.error_codes:
        if code.code in seen:
            yield code.path, f"`{code.name}` has the code of `{seen[code.code]}`", "give it a code of its own"
        seen.setdefault(code.code, code.name)


def example_calls(spec: Spec) -> Iterator[Fault]:
    """The call of an example is legal without any tolerance."""
    for method in spec.registry.methods:
        schema = _closed(input_schema(method, spec.registry.product["default_group"]))
        for example in method.examples:
            path = (*example.path, "params")
            for error in jsonschema.Draft202012Validator(schema).iter_errors(dict(example.params)):
                where = ".".join(map(str, error.absolute_path)) or "params"
                yield path, f"{method.name}, `{example.title}`: {where}: {error.message}", "make it a call that works"
            for param in method.params:
                for problem, hint in _unpublished_faults(param, example.params.get(param.name)):
                    yield path, f"{method.name}, `{example.title}`: {param.name} {problem}", hint


def example_results(spec: Spec) -> Iterator[Fault]:
    """The result of an example, as far as it is shown, is one that the method declares."""
    for method in spec.registry.methods:
        for example in method.examples:
            for problem in _result_problems(spec, method, dict(example.result)):
                message = f"{method.name}, `{example.title}`: {problem}"
                yield (*example.path, "result"), message, "correct the example or `result`"


def progress_facts(spec: Spec) -> Iterator[Fault]:
    """Progress belongs to long passes that write, and its frames add only new keys."""
    for method in spec.registry.methods:
        if method.progress is None:
            continue
        path = (*method.path, "progress")
        if method.hints["read_only"]:
            yield path, f"{method.name} reports progress but is read-only", "only long passes report progress"
        for name in method.progress.frame_fields:
            if name in _FRAME:
                yield path, f"{method.name}: every frame has `{name}` already", "remove it from `frame_fields`"


def _result_problems(spec: Spec, method: Method, result: Any) -> list[str]:
    known = spec.registry.records
    if any(field.record is not None and field.record not in known for field in _nested(method.result)):
        return []  # `record-exists` speaks of it
    return check_object(result, result_fields(method.result, known), known, "", partial=True)


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """Forbid every key that a schema does not name, as the decoder does; objects that name none stay open."""
    inner = {name: _closed(key) if "properties" in key else key for name, key in schema["properties"].items()}
    return schema | {"properties": inner, "additionalProperties": False}


def _unpublished_faults(param: Param, value: Any) -> Iterator[tuple[str, str]]:
    """Say what the decoder refuses although the published schema takes it."""
    if isinstance(value, str) and param.text == "time" and not _is_time(value):
        yield "is no time", "write YYYY-MM-DD, or RFC 3339"
    elif isinstance(value, str) and param.text == "slug" and not _SLUG.fullmatch(value):
        yield "is no slug", "use letters, digits, _ and - only"
    elif isinstance(value, str) and param.required and not value.strip():
        yield "is blank", "a required text says something"
    elif isinstance(value, list) and set(value) & set(param.refuse):
        yield f"holds {listed(param.refuse)}", "leave out what is refused"
    elif isinstance(value, dict) and value.keys() & set(param.refuse_keys):
        yield f"has a key of {listed(param.refuse_keys)}", "leave out what only the server sets"


def _is_time(value: Any) -> bool:
    try:
        datetime.datetime.fromisoformat(str(value))
    except ValueError:
        return False
    return True


def _all_fields(spec: Spec) -> Iterator[Field]:
    for record in spec.registry.records.values():
        yield from _nested(record.fields)
    for method in spec.registry.methods:
        yield from _nested(method.result)


def _nested(fields: tuple[Field, ...]) -> Iterator[Field]:
    for field in fields:
        yield field
        yield from _nested(field.fields or ())
