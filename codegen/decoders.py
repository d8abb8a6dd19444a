"""How each parameter is decoded: the helper that is called, and the Python type that comes out."""

from dataclasses import dataclass

from codegen.model import UNSET, Groups, Method, Param
from codegen.pages import full_text, group_text


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of a params class: its annotation, the expression that fills it, and what it means."""

    name: str
    annotation: str
    expression: str
    doc: str


@dataclass(frozen=True, slots=True)
class Decoder:
    """All that the decoder of a method needs: legal names, statements to run first, and the attributes."""

    known: tuple[str, ...]
    statements: tuple[str, ...]
    attributes: tuple[Attribute, ...]


GROUP_HELPERS = {
    (False, "default", "default"): ("one_default", "str"),
    (False, "refused", "refused"): ("one_required", "str"),
    (False, "all", "refused"): ("one_or_all", "GroupFilter"),
    (True, "all", "none"): ("many_zero", "GroupFilter"),
    (True, "all", "all"): ("many_all", "GroupFilter"),
    (True, "refused", "refused"): ("many_required", "tuple[str, ...]"),
}
"""By `many`, `omitted` and `empty` of a group rule: the helper of `lcg.runtime.decode`, and what it returns."""

_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "tuple[str, ...]"}
_NOUNS = {"array": "strings"}


def decoder(method: Method, default_group: str) -> Decoder:
    """Compute the decoder of a method."""
    params = method.params
    statements = []
    attributes: list[Attribute] = []
    for param in params:
        if param.wrong_type == "absent_with_warning":
            call = _call("lenient_object", param.name, _refused_keys(param))
            statements.append(f"_{param.name}, _{param.name}_malformed = {call}")
        attributes += _attributes(param)
    known = tuple(param.name for param in params)
    if method.groups.parameter is not None:
        known = (*known, method.groups.parameter)
        attributes.append(_group_attribute(method.groups, method.groups.parameter, default_group))
    return Decoder(known, tuple(statements), tuple(attributes))


def _group_attribute(groups: Groups, parameter: str, default_group: str) -> Attribute:
    rule = groups.rule
    helper, annotation = GROUP_HELPERS[rule.many, rule.omitted, rule.empty]
    name = "groups" if annotation == "GroupFilter" else parameter
    default = [repr(default_group)] if rule.omitted == "default" else []
    return Attribute(name, annotation, _call(helper, parameter, default), group_text(groups))


def _attributes(param: Param) -> list[Attribute]:
    annotation = _annotation(param)
    if param.wrong_type == "absent_with_warning":
        value = f"_{param.name}" if param.default is UNSET else f"_{param.name} or {{}}"
        malformed = f"Whether something came as `{param.name}` that is no object."
        return [
            Attribute(param.name, annotation, value, full_text(param)),
            Attribute(f"{param.name}_malformed", "bool", f"_{param.name}_malformed", malformed),
        ]
    return [Attribute(param.name, annotation, _expression(param), full_text(param))]


def _annotation(param: Param) -> str:
    if param.type == "object":
        base = "Mapping[str, Any]"
    elif param.type == "string" and param.text == "time":
        base = "Micros"
    else:
        base = _TYPES[param.type]
    return base if param.required or param.default is not UNSET else f"{base} | None"


def _expression(param: Param) -> str:
    prefix = "required" if param.required else "optional"
    if param.type == "object":
        noun = "closed_object" if param.properties else "object"
        extra = [repr({key.name: key.text for key in param.properties})] if param.properties else _refused_keys(param)
        call = _call(f"{prefix}_{noun}", param.name, extra)
        return call if param.default is UNSET else f"{call} or {{}}"
    return _call(f"{prefix}_{_noun(param)}", param.name, [*_default(param), *_facets(param)])


def _noun(param: Param) -> str:
    if param.type == "string":
        return "choice" if param.enum else param.text
    return _NOUNS.get(param.type, param.type)


def _default(param: Param) -> list[str]:
    if param.required or (param.type == "string" and param.text == "time"):
        return []
    if param.default is UNSET:
        return ["None"]
    return [repr(tuple(param.default) if param.type == "array" else param.default)]


def _facets(param: Param) -> list[str]:
    facets = {
        "choices": param.enum,
        "minimum": param.minimum,
        "maximum": param.maximum,
        "clamp_low": param.minimum is not None and param.below == "clamp",
        "clamp_high": param.maximum is not None and param.above == "clamp",
        "text": param.text if param.type == "array" and param.text != "term" else None,
        "min_items": param.min_items,
        "refused": param.refuse,
    }
    shown = {name: value for name, value in facets.items() if value is not None and value is not False and value != ()}
    if param.min_items == 0:
        del shown["min_items"]
    return [f"{name}={value!r}" for name, value in shown.items()]


def _refused_keys(param: Param) -> list[str]:
    return [f"refused_keys={param.refuse_keys!r}"] if param.refuse_keys else []


def _call(helper: str, parameter: str, arguments: list[str]) -> str:
    return f"decode.{helper}({', '.join(['tool', 'raw', repr(parameter), *arguments])})"
