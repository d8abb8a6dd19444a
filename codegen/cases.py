"""The cases of the contract tests: what each parameter has to take, and what it has to refuse.

Written from the declared facets alone, independently of how a decoder is rendered.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from codegen.model import UNSET, Method, Param


@dataclass(frozen=True, slots=True)
class Taken:
    """Changes to a sound call, and what an attribute is then decoded to (a Python expression)."""

    id: str
    changes: Mapping[str, Any]
    attribute: str
    value: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Changes to a sound call that make it unsound, the parameter that is named, and words of the message."""

    id: str
    changes: Mapping[str, Any]
    parameter: str
    words: str


@dataclass(frozen=True, slots=True)
class Cases:
    """All cases of a method. `sound` is a call with nothing but what is required."""

    sound: Mapping[str, Any]
    required: tuple[str, ...]
    taken: tuple[Taken, ...]
    refused: tuple[Refused, ...]
    misspelt: tuple[tuple[str, str], ...]


_WRONG: Mapping[str, tuple[Any, ...]] = {
    "string": (5, True, ["x"], {"a": 1}),
    "integer": ("ten", " 5 ", "1e1", 2.5, True, [1]),
    "number": ("half", True, [1]),
    "boolean": (1, "true", ""),
    "array": (5, True, {"a": 1}, [1], [""], ["a", None], ""),
    "object": (5, "x", ["a"]),
}
_TIMES = {"2026-05-20": (2026, 5, 20), "2026-05-20 08:30:00": (2026, 5, 20, 8, 30)}


def cases(method: Method, default_group: str) -> Cases:
    """Compute the cases of a method that is described."""
    params = method.params
    required = tuple(param.name for param in params if param.required)
    taken = [case for param in params for case in _taken(param)]
    refused = [case for param in params for case in _refused(param)]
    names = [param.name for param in params]
    group = method.groups.parameter
    if group is not None:
        names.append(group)
        required = (*required, group) if method.groups.rule.required else required
        for case in _group_cases(method, group, default_group):
            (taken if isinstance(case, Taken) else refused).append(case)  # type: ignore[arg-type]
    example = method.examples[0].params if method.examples else {}
    return Cases(
        sound={name: example[name] for name in required if name in example},
        required=required,
        taken=tuple(taken),
        refused=tuple(refused),
        misspelt=tuple((f"{name}x", name) for name in names),
    )


def _taken(param: Param) -> Iterator[Taken]:
    def case(what: str, given: Any, value: Any) -> Taken:
        return Taken(f"{param.name} {what}", {param.name: given}, param.name, ascii(value))

    if not param.required:
        yield Taken(f"{param.name} left out", {}, param.name, repr(_default(param)))
        yield case("null", None, _default(param))
    yield from (case(what, given, value) for what, given, value in _tolerance(param))
    if param.wrong_type:
        for given in _WRONG["object"]:
            what = f"{param.name} {given!a}"
            yield Taken(what, {param.name: given}, f"{param.name}_malformed", "True")
            yield Taken(f"{what} absent", {param.name: given}, param.name, repr(_default(param)))
        yield Taken(f"{param.name} sound", {param.name: {"a": 1}}, f"{param.name}_malformed", "False")


def _tolerance(param: Param) -> Iterator[tuple[str, Any, Any]]:
    """What is taken beside the plain value, and what it becomes."""
    if param.type == "string":
        yield from _text_tolerance(param)
    elif param.type in ("integer", "number"):
        yield from _number_tolerance(param)
    elif param.type == "boolean":
        yield from (("true", True, True), ("false", False, False))
    elif param.type == "array":
        words = [f"x{number}" for number in range(max(param.min_items, 1))]
        yield from (
            ("twice", [*words, words[0]], tuple(words)),
            ("padded", [f" {word} " for word in words], tuple(words)),
        )
        yield "JSON text", "[" + ", ".join(f'"{word}"' for word in words) + "]", tuple(words)
        if len(words) == 1:
            yield "bare text", words[0], tuple(words)
    elif param.properties:
        key = param.properties[0].name
        yield from (("trimmed", {key: " x "}, {key: "x"}), ("blank key", {key: ""}, {}))
    else:
        yield from (("object", {"a": 1}, {"a": 1}), ("JSON text", '{"a": 1}', {"a": 1}))


def _text_tolerance(param: Param) -> Iterator[tuple[str, Any, Any]]:
    if param.enum:
        yield from ((word, word, word) for word in param.enum)
    elif param.text == "time":
        yield from ((text, text, _micros(*parts)) for text, parts in _TIMES.items())
    elif param.text == "slug":
        yield "padded", " a-B_9 ", "a-B_9"
    else:
        kept = " cafe\u0301 " if param.text == "prose" else " cafe\u0301 ".strip()
        yield "padded", " cafe\u0301 ", kept if param.text in ("prose", "id") else "caf\u00e9"
    if not param.required:
        lasting = param.text in ("term", "prose") and not param.enum and param.default is not UNSET
        yield "blank", " ", "" if lasting else _default(param)


def _number_tolerance(param: Param) -> Iterator[tuple[str, Any, Any]]:
    number = int(param.maximum if param.maximum is not None else (param.minimum or 0) + 5)
    exact = float if param.type == "number" else int
    yield from (("text", str(number), exact(number)), ("float", float(number), exact(number)))
    if not param.required:
        yield "blank", "", _default(param)
    if param.minimum is not None and param.below == "clamp":
        yield "below", param.minimum - 1, exact(param.minimum)
    if param.maximum is not None and param.above == "clamp":
        yield "above", param.maximum + 1, exact(param.maximum)


def _refused(param: Param) -> Iterator[Refused]:
    def case(what: str, given: Any, words: str) -> Refused:
        return Refused(f"{param.name} {what}", {param.name: given}, param.name, words)

    if param.required:
        yield case("null", None, "is required")
        if param.type == "string":
            yield case("blank", " \n", "is required")
    for given in () if param.wrong_type else _WRONG[param.type]:
        yield case(ascii(given), given, "expected")
    if param.enum:
        yield case("other word", f"{param.enum[0]}x", f"one of {', '.join(param.enum)}")
    elif param.text == "time":
        yield case("no time", "yesterday", "RFC 3339")
    elif param.text == "name":
        yield case("control character", "a\x00b", "control characters")
    elif param.text == "slug":
        yield from (case("other character", "a.b", "A-Z"), case("too long", "a" * 201, "A-Z"))
    if param.minimum is not None and param.below != "clamp":
        yield case("below", param.minimum - 1, _bounds(param))
    if param.maximum is not None and param.above != "clamp":
        yield case("above", param.maximum + 1, _bounds(param))
    if param.min_items:
        yield case("too few", ["x"] * (param.min_items - 1), str(param.min_items))
    yield from (case(word, ["x", word], word) for word in param.refuse)
    yield from (case(f"key {key}", {key: 1}, key) for key in param.refuse_keys)
    if param.properties:
        yield case("other key", {"no_such_key": "x"}, "no_such_key")


def _bounds(param: Param) -> str:
    low = param.minimum is not None and param.below != "clamp"
    high = param.maximum is not None and param.above != "clamp"
    if low and high:
        return f"from {param.minimum} to {param.maximum}"
    return f"at least {param.minimum}" if low else f"at most {param.maximum}"


def _group_cases(method: Method, parameter: str, default_group: str) -> Iterator[Taken | Refused]:
    """The truth table of the group rule."""
    rule = method.groups.rule
    attribute = parameter if rule.required or rule.omitted == "default" else "groups"
    outcomes = {"default": repr(default_group), "all": "GroupFilter(None)", "none": "GroupFilter(())", "refused": None}

    def case(what: str, changes: Mapping[str, Any], value: str | None) -> Taken | Refused:
        if value is None:
            return Refused(f"{parameter} {what}", changes, parameter, parameter)
        return Taken(f"{parameter} {what}", changes, attribute, value)

    one = "('a',)" if rule.required and rule.many else repr("a")
    one = "GroupFilter(('a',))" if attribute == "groups" else one
    if not rule.required:
        yield case("left out", {}, outcomes[rule.omitted])
    yield case("null", {parameter: None}, outcomes[rule.omitted])
    yield case("named", {parameter: " a "}, one)
    yield case("number", {parameter: 1}, None)
    yield case("control character", {parameter: "a\x00"}, None)
    yield case("too long", {parameter: "a" * 201}, None)
    if rule.many:
        yield case("empty", {parameter: []}, outcomes[rule.empty])
        yield case("array", {parameter: ["a", "a "]}, one)
        yield case("JSON text", {parameter: '["a"]'}, one)
        yield case("blank text", {parameter: ""}, None)
        yield case("blank element", {parameter: ["a", ""]}, None)
        yield case("null element", {parameter: ["a", None]}, None)
    else:
        yield case("empty", {parameter: " "}, outcomes[rule.empty])
        yield case("array", {parameter: ["a"]}, None)


def _default(param: Param) -> Any:
    if param.default is UNSET:
        return None
    if param.type == "array":
        return tuple(param.default)
    return float(param.default) if param.type == "number" else param.default


def _micros(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=UTC).timestamp()) * 1_000_000  # type: ignore[arg-type,misc]
