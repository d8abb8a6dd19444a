"""What templates print of flags and variables: Python expressions and table rows, computed once."""

from dataclasses import dataclass
from typing import Any

from codegen.configuration import Command, Configuration, Flag, Mode, Place, Variable
from codegen.help_text import flag_meaning, help_text, mode_flags, usage_text
from codegen.model import UNSET, Registry

_PYTHON = {"switch": "bool", "integer": "int", "number": "float"}
_OUTSIDE = {"clamp": "anything else becomes the nearest", "default": "anything else counts as unset, with a note"}
_LATER = "This build lacks it."


@dataclass(frozen=True, slots=True)
class VariableCode:
    """A constant: its name, its annotation, the expression, and what it means."""

    name: str
    annotation: str
    expression: str
    doc: str


@dataclass(frozen=True, slots=True)
class PlaceCode:
    """A constant for a place that cannot be moved."""

    name: str
    path: str
    summary: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table of the reference page."""

    name: str
    value: str
    default: str
    meaning: str
    modes: str
    old_name: str


@dataclass(frozen=True, slots=True)
class Topic:
    """A part of the table of variables."""

    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class ConfigPage:
    """All that the templates of the configuration are given."""

    config: Configuration
    usage: str
    help: str
    modes: tuple[str, ...]
    flags: tuple[str, ...]
    variables: tuple[VariableCode, ...]
    places: tuple[PlaceCode, ...]
    exclusive_flags: tuple[tuple[str, ...], ...]
    command_names: tuple[str, ...]
    client_arguments: tuple[str, ...]
    mode_rows: tuple[tuple[str, str], ...]
    flag_rows: tuple[Row, ...]
    topics: tuple[Topic, ...]


def config_page(config: Configuration, registry: Registry) -> ConfigPage:
    """Compute everything that is printed of a configuration that passed the rules."""
    flags = {flag.name for flag in config.flags}
    return ConfigPage(
        config=config,
        usage=usage_text(config),
        help=help_text(config, registry),
        modes=tuple(f"Mode({mode.name!r}, {mode.flag!r}, {mode.within!r})" for mode in config.modes),
        flags=tuple(_flag_code(flag) for flag in config.flags),
        variables=tuple(_variable_code(variable) for variable in config.variables),
        places=tuple(_place_code(place) for place in config.places),
        exclusive_flags=tuple(names for names in config.exclusive if set(names) <= flags),
        command_names=tuple(command.name for command in config.commands),
        client_arguments=config.program.client_arguments,
        mode_rows=(
            *((_how(config, mode), mode.summary) for mode in config.modes),
            *((_call(config, command), _command_meaning(command)) for command in config.commands),
        ),
        flag_rows=tuple(_flag_row(config, flag, registry) for flag in config.flags),
        topics=tuple(
            Topic(title, tuple(_variable_row(config, known) for known in config.variables if known.topic == slug))
            for slug, title in config.topics.items()
        ),
    )


def _flag_code(flag: Flag) -> str:
    takes_value = flag.kind != "switch"
    parts = (flag.name, flag.short, takes_value, flag.words, flag.modes, flag.elsewhere == "refuse", flag.available)
    return f"Flag({', '.join(map(repr, parts))})"


def _variable_code(variable: Variable) -> VariableCode:
    kind = _PYTHON.get(variable.kind, "str")
    unset = variable.default is UNSET
    default: Any = None if unset else variable.default
    facets = {
        "minimum": variable.minimum or None,
        "maximum": variable.maximum,
        "words": variable.words or variable.true_words or None,
        "outside": None if variable.outside == "refuse" else variable.outside,
        "old_name": variable.old_name,
        "available": None if variable.available else False,
    }
    given = [f"{name}={value!r}" for name, value in facets.items() if value is not None]
    expression = f"Variable({', '.join([repr(variable.name), repr(default), *given])})"
    annotation = f"Variable[{kind} | None]" if unset else f"Variable[{kind}]"
    return VariableCode(variable.name, annotation, expression, _sentence(variable.summary))


def _place_code(place: Place) -> PlaceCode:
    return PlaceCode(f"{place.name.upper()}_PLACE", place.path, place.summary)


def _flag_row(config: Configuration, flag: Flag, registry: Registry) -> Row:
    meaning = [_sentence(flag_meaning(flag, registry)), flag.details]
    if flag.beats:
        meaning.append(f"Beats {', '.join(f'`{name}`' for name in flag.beats)}.")
    return Row(
        name=f"{flag.short}, {flag.name}" if flag.short else flag.name,
        value="|".join(flag.words) or flag.value or "",
        default=f"`{flag.default}`" if flag.default else "–",
        meaning=_join(*meaning, *_apart(config, flag.name), "" if flag.available else _LATER),
        modes=_modes(flag.modes),
        old_name="",
    )


def _variable_row(config: Configuration, variable: Variable) -> Row:
    later = "" if variable.available else _LATER
    return Row(
        name=variable.name,
        value=_values(variable),
        default=_default(variable),
        meaning=_join(_sentence(variable.summary), variable.details, *_apart(config, variable.name), later),
        modes=_modes(variable.modes),
        old_name=f"`{variable.old_name}`" if variable.old_name else "–",
    )


def _apart(config: Configuration, name: str) -> list[str]:
    """Say with what else it cannot be given."""
    others = [other for names in config.exclusive if name in names for other in names if other != name]
    return [f"Not together with {', '.join(f'`{other}`' for other in others)}."] if others else []


def _values(variable: Variable) -> str:
    if variable.kind == "switch":
        return " or ".join(f"`{word}`" for word in ("0", "1", *variable.true_words))
    if variable.kind == "choice":
        return " or ".join(f"`{word}`" for word in variable.words)
    bounds = [f"at least {variable.minimum}"] if variable.minimum is not None else []
    bounds += [f"at most {variable.maximum}"] if variable.maximum is not None else []
    outside = [_OUTSIDE[variable.outside]] if variable.outside in _OUTSIDE else []
    return ", ".join([variable.kind, *bounds, *outside])


def _default(variable: Variable) -> str:
    if variable.default is UNSET:
        return variable.default_text or "–"
    if variable.kind == "switch":
        return f"`{int(variable.default)}`"
    return f"`{variable.default}`"


def _modes(modes: tuple[str, ...] | None) -> str:
    return ", ".join(modes) if modes else "all"


def _how(config: Configuration, mode: Mode) -> str:
    flags = mode_flags(config, mode)
    return f"{mode.name}: `{' '.join([config.program.name, *flags])}`"


def _call(config: Configuration, command: Command) -> str:
    return f"{command.name}: `{config.program.name} {command.name} {command.arguments}`"


def _command_meaning(command: Command) -> str:
    return _join(_sentence(command.summary), command.details)


def _sentence(summary: str) -> str:
    return f"{summary[:1].upper()}{summary[1:]}."


def _join(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)
