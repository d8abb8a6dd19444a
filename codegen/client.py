"""The methods as functions of the Python client: what each takes, in which order, and what its docstring says."""

from dataclasses import dataclass

from codegen.model import UNSET, Method, Param

_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of a client's function."""

    name: str
    annotation: str
    doc: str
    required: bool


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the client: its arguments, those that a call needs first."""

    arguments: tuple[Argument, ...]
    doc: str

    @property
    def needed(self) -> tuple[Argument, ...]:
        """The arguments without which nothing is called."""
        return tuple(argument for argument in self.arguments if argument.required)

    @property
    def others(self) -> tuple[Argument, ...]:
        """The arguments that are named in a call, and may be left out."""
        return tuple(argument for argument in self.arguments if not argument.required)

    @property
    def passed(self) -> str:
        """The arguments as they are handed on."""
        return ", ".join(f"{argument.name}={argument.name}" for argument in self.arguments)


def function(method: Method, default_group: str) -> Function:
    """Return the function that calls a method."""
    arguments = [_argument(param) for param in method.params]
    if method.groups.parameter is not None:
        arguments.append(_group_argument(method, default_group))
    arguments.sort(key=lambda argument: not argument.required)
    return Function(tuple(arguments), _doc(method, arguments))


def _argument(param: Param) -> Argument:
    words = [param.description, param.details]
    if param.default is not UNSET and param.default is not None:
        words.append(f"Left out: `{_shown(param.default)}`.")
    elif param.default_text is not None:
        words.append(f"Left out for something new: {param.default_text}.")
    return Argument(param.name, _annotation(param), " ".join(word for word in words if word), param.required)


def _annotation(param: Param) -> str:
    if param.type == "array":
        return f"Sequence[{_SCALARS.get(param.items or '', 'Any')}]"
    if param.type == "object":
        return "Mapping[str, str]" if param.properties else "Mapping[str, Any]"
    return f"Literal{list(param.enum)!r}" if param.enum else _SCALARS[param.type]


def _group_argument(method: Method, default_group: str) -> Argument:
    rule, name = method.groups.rule, str(method.groups.parameter)
    meanings = {"default": f"the group `{default_group}`", "all": "all groups", "none": "no group", "refused": ""}
    words = ["The groups." if rule.many else "The group."]
    if meanings[rule.omitted]:
        words.append(f"Left out: {meanings[rule.omitted]}.")
    return Argument(name, "Sequence[str]" if rule.many else "str", " ".join(words), rule.required)


def _doc(method: Method, arguments: list[Argument]) -> str:
    lines = [method.summary]
    if method.deprecated is not None:
        lines += ["", f"Deprecated: use `{method.deprecated.use}`. {method.deprecated.why}"]
    described = [f"    {argument.name}: {argument.doc}" for argument in arguments]
    if method.progress is not None:
        described.append("    on_progress: is given each frame of progress.")
    if described:
        lines += ["", "Args:", *described]
    if method.errors:
        lines += ["", "Raises:", *(f"    OperationFailed: `{case.kind}`: {case.when}." for case in method.errors)]
    return lines[0] if len(lines) == 1 else "\n        ".join([*lines, ""])


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
