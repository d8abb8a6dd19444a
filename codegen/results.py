"""The Python types of results: one TypedDict for each record, each inline object and each method."""

from collections.abc import Mapping
from dataclasses import dataclass

from codegen.model import Field, Registry

_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_OPEN = {"object": "dict[str, Any]", "array": "list[Any]"}


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a TypedDict."""

    name: str
    annotation: str
    doc: str


@dataclass(frozen=True, slots=True)
class TypedShape:
    """A TypedDict: its name, what it is, and its keys."""

    name: str
    doc: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class ResultTypes:
    """All TypedDicts, each after those that it uses."""

    shapes: tuple[TypedShape, ...]


def result_types(registry: Registry, class_names: Mapping[str, str]) -> ResultTypes:
    """Compute the types of the records and of the methods in `class_names` (method name to class name)."""
    shapes: list[TypedShape] = []
    for record in registry.records.values():
        _add(shapes, f"{record.name}Record", record.summary, record.fields)
    for method in registry.methods:
        if method.name in class_names:
            name, doc = f"{class_names[method.name]}Result", f"What `{method.name}` returns."
            _add(shapes, name, doc, method.result, warnings="Warning" in registry.records)
    return ResultTypes(tuple(shapes))


def _add(shapes: list[TypedShape], name: str, doc: str, fields: tuple[Field, ...], warnings: bool = False) -> None:
    keys = []
    for field in fields:
        element = None
        if field.record is not None:
            element = f"{field.record}Record"
        elif field.fields is not None:
            element = name + "".join(part.capitalize() for part in field.name.split("_"))
            _add(shapes, element, field.description, field.fields)
        keys.append(Key(field.name, _annotation(field, element), _doc(field)))
    if warnings and all(field.name != "warnings" for field in fields):
        what = "What else to know about the call; absent when there is nothing."
        keys.append(Key("warnings", "NotRequired[list[WarningRecord]]", what))
    shapes.append(TypedShape(name, doc, tuple(keys)))


def _annotation(field: Field, element: str | None) -> str:
    if field.type == "array":
        inner = element or _SCALARS.get(field.items or "object") or _OPEN[field.items or "object"]
        annotation = f"list[{inner}]"
    elif field.const_true:
        annotation = "Literal[True]"
    elif field.enum:
        annotation = f"Literal{list(field.enum)!r}"
    else:
        annotation = element or _SCALARS.get(field.type) or _OPEN[field.type]
    if field.nullable:
        annotation = f"{annotation} | None"
    return f"NotRequired[{annotation}]" if field.optional else annotation


def _doc(field: Field) -> str:
    return f"{field.description} Only when: {field.when}." if field.optional and field.when else field.description
