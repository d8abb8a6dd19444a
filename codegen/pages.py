"""What the reference pages say of a tool, row by row."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from codegen.model import UNSET, Field, Groups, Method, Param

_OUTCOMES = {"default": "the default group", "all": "all groups", "none": "no group", "refused": "refused"}
_OWNERS = {
    "edge": "What counts is the group that owns the relationship, not the groups of its ends.",
    "entity": "What counts is the group that owns the entity, not those of the texts that mention it.",
}
_ORDERS = {
    "rank": "The best first.",
    "uuid_descending": "By uuid, descending.",
    "newest_first": "The newest first.",
    "as_asked": "In the order of the call.",
    "outgoing_first": "Outgoing ones first, then incoming ones, each by uuid, descending.",
    "first_seen": "In the order in which they are met.",
    "extraction": "In the order of extraction.",
    "by_name": "By name.",
}
_TEXTS = {
    "name": "a name: trimmed, NFC, no control characters",
    "slug": "1 to 200 of `A-Z`, `a-z`, `0-9`, `_` and `-`",
    "time": "a time: `YYYY-MM-DD`, `YYYY-MM-DD HH:MM:SS` (UTC) or RFC 3339",
}


@dataclass(frozen=True, slots=True)
class ParamRow:
    """A row of the table of parameters."""

    name: str
    type: str
    required: str
    default: str
    limits: str
    description: str


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row of the table of result keys; inner keys are written with dots."""

    name: str
    type: str
    when: str
    description: str


@dataclass(frozen=True, slots=True)
class ExampleText:
    """An example as JSON."""

    title: str
    params: str
    result: str


@dataclass(frozen=True, slots=True)
class Page:
    """What is shown of one tool, beside its own facts."""

    facts: tuple[tuple[str, str], ...]
    params: tuple[ParamRow, ...]
    result: tuple[ResultRow, ...]
    notes: tuple[str, ...]
    examples: tuple[ExampleText, ...]


def page(method: Method, default_group: str) -> Page:
    """Compute what is shown of a method."""
    params = [_param_row(param) for param in method.params]
    if method.groups.parameter is not None:
        params.append(_group_row(method.groups, default_group))
    return Page(
        facts=tuple(_facts(method)),
        params=tuple(params),
        result=tuple(result_rows(method.result)),
        notes=tuple(_notes(method)),
        examples=tuple(
            ExampleText(example.title, _json(example.params), _json(example.result)) for example in method.examples
        ),
    )


def _facts(method: Method) -> Iterator[tuple[str, str]]:
    yield "scope", f"`{method.scope}`" if method.scope else "none: on the socket only, no MCP tool"
    yield "group rule", f"`{method.groups.rule.name}`"
    yield "while the store is not open", "answers" if method.works_degraded else "refused"
    yield "progress", "yes" if method.progress else "no"
    yield "hints", ", ".join(name.replace("_", "-") for name, value in method.hints.items() if value) or "none"
    if method.profiles:
        yield "profiles", ", ".join(f"`{profile}`" for profile in method.profiles)
    if method.confirm:
        yield "confirmation", f"`{method.confirm}` has to be true"
    if method.attached:
        yield "attached", "shown only with `--allow-remote-close`"
    if method.deprecated:
        yield "deprecated", f"use {method.deprecated.use}. {method.deprecated.why}"


def _notes(method: Method) -> Iterator[str]:
    yield from method.details
    if method.progress:
        for phase, meaning in method.progress.phases.items():
            yield f"Phase `{phase}`: {meaning}"
        for name, meaning in method.progress.frame_fields.items():
            yield f"Frames also carry `{name}`: {meaning}"
    for case in method.errors:
        yield f"Fails with `{case.kind}` when {case.when}."


def _param_row(param: Param) -> ParamRow:
    kind = f"array of {param.items}" if param.type == "array" else param.type
    default = "–" if param.default is UNSET else f"`{_json(param.default)}`"
    if param.default_on:
        default = f"on {param.default_on}: {param.default_text}"
    required = "yes" if param.required else "no"
    return ParamRow(param.name, kind, required, default, "; ".join(_limits(param)) or "–", full_text(param))


def full_text(param: Param) -> str:
    """Return all that is said of a parameter: what clients read, and what only people do."""
    return f"{param.description} {param.details}".rstrip()


def _limits(param: Param) -> Iterator[str]:
    if param.enum:
        yield "one of " + ", ".join(f"`{word}`" for word in param.enum)
    elif param.type == "string":
        if param.required and param.text != "time":
            yield "not blank"
        if param.text in _TEXTS:
            yield _TEXTS[param.text]
    if param.minimum is not None:
        yield f"at least {param.minimum}" + (", smaller counts as that" if param.below == "clamp" else "")
    if param.maximum is not None:
        yield f"at most {param.maximum}" + (", larger counts as that" if param.above == "clamp" else "")
    if param.min_items:
        yield f"at least {param.min_items} elements"
    if param.refuse:
        yield "without " + ", ".join(f"`{word}`" for word in param.refuse)
    if param.properties:
        yield "keys " + ", ".join(f"`{key.name}`" for key in param.properties)
    if param.refuse_keys:
        yield "without the keys " + ", ".join(f"`{word}`" for word in param.refuse_keys)
    if param.wrong_type:
        yield "anything else counts as absent, with a warning"


def _group_row(groups: Groups, default_group: str) -> ParamRow:
    rule = groups.rule
    empty = "`[]`" if rule.many else "blank"
    limits = f"left out or null: {_OUTCOMES[rule.omitted]}; {empty}: {_OUTCOMES[rule.empty]}"
    default = f'`"{default_group}"`' if rule.omitted == "default" else "–"
    kind = "array of string" if rule.many else "string"
    required = "yes" if rule.required else "no"
    return ParamRow(groups.parameter or "", kind, required, default, limits, group_text(groups))


def group_text(groups: Groups) -> str:
    """Return what is said of the parameter that a group rule brings."""
    plain = "The groups to work in; no other group is touched." if groups.rule.many else "The group to work in."
    return " ".join(text for text in (groups.rule.sentence or plain, _OWNERS.get(groups.of or "")) if text)


def result_rows(fields: tuple[Field, ...], prefix: str = "") -> Iterator[ResultRow]:
    """Return a row for each key, those of inline objects included."""
    for field in fields:
        name = f"{prefix}{field.name}"
        description = field.description
        if field.order:
            description = f"{description} {_ORDERS[field.order]}"
        if field.enum:
            description = f"{description} One of {', '.join(f'`{word}`' for word in field.enum)}."
        yield ResultRow(name, _kind(field), field.when or "", description)
        if field.fields is not None:
            yield from result_rows(field.fields, f"{name}[]." if field.type == "array" else f"{name}.")


def _kind(field: Field) -> str:
    if field.record is not None:
        link = f"[{field.record}](records.md#{field.record.lower()})"
        kind = f"array of {link}" if field.type == "array" else link
    else:
        kind = f"array of {field.items}" if field.type == "array" else field.type
    return f"{kind} or null" if field.nullable else kind


def _json(value: Any) -> str:
    shown = dict(value) if isinstance(value, Mapping) else value
    return json.dumps(shown, ensure_ascii=False)
