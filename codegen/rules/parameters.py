"""Rules about parameters and groups."""

import keyword
from collections.abc import Iterator

import jsonschema

from codegen.decoders import GROUP_HELPERS
from codegen.model import UNSET, Param
from codegen.published import param_schema
from codegen.rules.base import Fault, Spec, listed


def parameter_names(spec: Spec) -> Iterator[Fault]:
    """Names can be attributes, and none is what the generator makes of another."""
    for method in spec.registry.methods:
        params = method.params
        made = {f"{param.name}_malformed" for param in params if param.wrong_type} | {"groups"}
        for param in params:
            if keyword.iskeyword(param.name) or param.name in made:
                message = f"{method.name}: `{param.name}` cannot be an attribute of its own"
                yield param.path, message, "it is a keyword, or the generator uses it; choose another name"


def group_rules_known(spec: Spec) -> Iterator[Fault]:
    """A rule is one that the decoder can carry out, and says the same thing throughout."""
    for rule in spec.registry.group_rules.values():
        if rule.parameter is None:
            if rule.many or rule.required or (rule.omitted, rule.empty) != ("all", "all"):
                message = f"`{rule.name}` brings no parameter, so nothing can be omitted, empty or required"
                yield rule.path, message, "write `many: false, required: false, omitted: all, empty: all`"
            continue
        if (rule.many, rule.omitted, rule.empty) not in GROUP_HELPERS:
            message = f"`{rule.name}`: no decoder for many={rule.many}, omitted={rule.omitted}, empty={rule.empty}"
            yield rule.path, message, "choose a combination that codegen/decoders.py knows"
        if rule.required != (rule.omitted == "refused"):
            yield rule.path, f"`{rule.name}`: required and `omitted: refused` go together", "change one of them"
        if rule.omitted in ("all", "none") and not rule.sentence:
            yield rule.path, f"`{rule.name}` has no sentence", "say to agents what omitted and empty mean"


def group_by_hand(spec: Spec) -> Iterator[Fault]:
    """The group parameter comes from the rule alone."""
    for method in spec.registry.methods:
        taken = {"group_id", "group_ids", method.groups.parameter}
        for param in method.params:
            if param.name in taken:
                message = f"{method.name}: `{param.name}` is listed by hand"
                yield param.path, message, "the group rule brings it; remove the entry"


def group_parameter(spec: Spec) -> Iterator[Fault]:
    """Another name for the group parameter is given only where a rule brings one."""
    for method in spec.registry.methods:
        entry = spec.document.value["methods"][method.path[1]]["groups"]
        if isinstance(entry, dict) and entry.get("parameter") is not None and method.groups.rule.parameter is None:
            message = f"{method.name}: the rule `{method.groups.rule.name}` brings no parameter to rename"
            yield (*method.path, "groups"), message, "remove `parameter`, or choose another rule"


def defaults(spec: Spec) -> Iterator[Fault]:
    """A default is a legal value of its parameter, and one that the decoder can return."""
    for method in spec.registry.methods:
        for param in method.params:
            if param.default is not UNSET:
                for message, hint in _default_faults(param):
                    yield (*param.path, "default"), f"{method.name}.{param.name}: {message}", hint


def _default_faults(param: Param) -> Iterator[tuple[str, str]]:
    schema = {key: value for key, value in param_schema(param).items() if key != "default"}
    if not jsonschema.Draft202012Validator(schema).is_valid(param.default):
        yield f"the default {param.default!r} breaks the parameter's own limits", "change the default or the limits"
    elif param.type == "object" and param.default:
        yield "an object has no default but {}", "write `default: {}`, or none"
    elif param.type == "string" and param.text == "time":
        yield "a time has no default", "leave it out, or use default_on with default_text"
    elif param.type == "array" and set(param.default) & set(param.refuse):
        yield "the default holds a refused element", "change the default"


def bounds(spec: Spec) -> Iterator[Fault]:
    """Bounds leave room between them, and are whole numbers for integers."""
    for method in spec.registry.methods:
        for param in method.params:
            where = f"{method.name}.{param.name}"
            given = [bound for bound in (param.minimum, param.maximum) if bound is not None]
            if len(given) == 2 and given[0] > given[1]:
                yield param.path, f"{where}: minimum {given[0]} is above maximum {given[1]}", "exchange them"
            if param.type == "integer" and not all(isinstance(bound, int) for bound in given):
                yield param.path, f"{where}: an integer has bounds that are none", "write whole numbers"


def enums(spec: Spec) -> Iterator[Fault]:
    """Words of a set are plain and need no normalising."""
    for method in spec.registry.methods:
        for param in method.params:
            where = f"{method.name}.{param.name}"
            odd = [word for word in param.enum if word != word.strip() or not word]
            if odd:
                yield (*param.path, "enum"), f"{where}: {listed(odd)!r} is blank or padded", "write plain words"
            if param.enum and param.text != "term":
                yield (*param.path, "text"), f"{where}: `text` means nothing beside `enum`", "remove `text`"


def confirmations(spec: Spec) -> Iterator[Fault]:
    """`confirm` names a boolean parameter, and the tool is a destructive one."""
    for method in spec.registry.methods:
        if method.confirm is None:
            continue
        path = (*method.path, "confirm")
        if not method.hints["destructive"]:
            yield path, f"{method.name} wants a confirmation but is not destructive", "set the hint, or drop `confirm`"
        kinds = {param.name: param.type for param in method.params}
        if kinds.get(method.confirm) != "boolean":
            message = f"{method.name}: `{method.confirm}` is no boolean parameter"
            yield path, message, f"name one of its parameters: {listed(kinds) or 'it has none'}"
