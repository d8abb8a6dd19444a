"""The text of `--help`, laid out for a terminal of a hundred columns."""

import textwrap
from collections.abc import Iterator, Sequence

from codegen.configuration import Configuration, Flag, Mode, Variable
from codegen.model import UNSET, Registry

_WIDTH = 100
_OPTION_COLUMN = 26
_VARIABLE_COLUMN = 35


def help_text(config: Configuration, registry: Registry) -> str:
    """Return what `--help` prints: usage, what it is, flags, variables, exit statuses; only what this build has."""
    flags = [flag for flag in config.flags if flag.available]
    variables = [variable for variable in config.variables if variable.available]
    parts = [
        usage_text(config),
        *textwrap.wrap(config.program.summary, _WIDTH),
        *_commands(config),
        "",
        "options:",
        *_table([(_heading(flag), flag_meaning(flag, registry)) for flag in flags], _OPTION_COLUMN),
        "",
        "environment (a flag beats its variable; an empty value counts as unset):",
        *_table([(variable.name, _variable_meaning(variable)) for variable in variables], _VARIABLE_COLUMN),
        "",
        "exit status:",
        *_table([(str(status), when) for status, when in config.program.exit_statuses], 5),
    ]
    return "\n".join(parts) + "\n"


def _commands(config: Configuration) -> list[str]:
    """Return the part about sub-commands, if there are any."""
    rows = [(command.name, command.summary) for command in config.commands]
    return ["", "sub-commands:", *_table(rows, _OPTION_COLUMN)] if rows else []


def usage_text(config: Configuration) -> str:
    """Return the lines that say what may stand together: one for each sub-command and mode that this build has."""
    flags = {flag.name: flag for flag in config.flags}
    name = config.program.name
    lines = [f"{name} {_usage(config, mode)}" for mode in config.modes if _there(mode, flags)]
    alone = [flag.name for flag in config.flags if flag.alone]
    lines += [f"{name} {command.name} {command.arguments}" for command in config.commands]
    lines.append(f"{name} {' | '.join(alone)}")
    return "usage: " + "\n       ".join(line.rstrip() for line in lines) + "\n"


def mode_flags(config: Configuration, mode: Mode) -> list[str]:
    """Return the flags that choose a mode, the enclosing mode's first."""
    modes = {known.name: known for known in config.modes}
    outer = mode_flags(config, modes[mode.within]) if mode.within else []
    return [*outer, *([mode.flag] if mode.flag else [])]


def flag_meaning(flag: Flag, registry: Registry) -> str:
    """Return what a flag does, with its legal words and its default."""
    words = ", ".join(_words_of(flag, registry))
    default = f" (default: {flag.default})" if flag.default else ""
    return flag.summary + (f": {words}" if words else "") + default


def _words_of(flag: Flag, registry: Registry) -> Sequence[str]:
    if flag.kind == "scopes":
        return [",".join(scope.name for scope in registry.scopes) + " or all"]
    return [*(profile.name for profile in registry.profiles), "all"] if flag.kind == "profile" else ()


def _there(mode: Mode, flags: dict[str, Flag]) -> bool:
    return mode.flag is None or flags[mode.flag].available


def _usage(config: Configuration, mode: Mode) -> str:
    chosen = mode_flags(config, mode)
    flags = {flag.name: flag for flag in config.flags}
    optional = [
        flag
        for flag in config.flags
        if flag.available and not flag.alone and flag.name not in chosen and mode.name in (flag.modes or (mode.name,))
    ]
    return " ".join([*(_call(flags[name]) for name in chosen), *(f"[{_call(flag)}]" for flag in optional)])


def _call(flag: Flag) -> str:
    value = "|".join(flag.words) or flag.value
    return f"{flag.name} {value}" if value else flag.name


def _heading(flag: Flag) -> str:
    return f"{flag.short}, {_call(flag)}" if flag.short else _call(flag)


def _variable_meaning(variable: Variable) -> str:
    if variable.kind == "switch" or variable.default is UNSET:
        return variable.summary
    return f"{variable.summary} ({variable.default})"


def _table(rows: list[tuple[str, str]], column: int) -> Iterator[str]:
    for heading, meaning in rows:
        lines = textwrap.wrap(meaning, _WIDTH - column)
        first = f"  {heading}"
        if len(first) > column - 1:
            yield first
        else:
            yield f"{first:{column}}{lines.pop(0)}"
        yield from (f"{'':{column}}{line}" for line in lines)
