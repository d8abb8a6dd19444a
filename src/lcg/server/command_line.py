"""Reads the command line, without importing anything heavy."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NoReturn

from lcg.generated import config
from lcg.runtime.configuration import Flag, Mode
from lcg.settings import UsageError

_FLAGS: Final = {flag.name: flag for flag in config.FLAGS}
_MODES: Final = {mode.name: mode for mode in config.MODES}
_SERVICE: Final = next(mode for mode in config.MODES if mode.flag is None)
AUTO: Final = "auto"
"""What `--connect` takes in place of a path, to find or start the service of the workspace."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for. `scopes`, `profile`, `connect` and `http` are as written, None when not given.

    `of_service` are the arguments that a service needs which does the same, for one that is started by this process.
    """

    action: Literal["help", "version", "mcp_stdio", "service"]
    scopes: str | None = None
    profile: str | None = None
    extractor: Literal["builtin"] | None = None
    extractor_uds: str | None = None
    extractor_http: str | None = None
    embedder_uds: str | None = None
    embedder_http: str | None = None
    connect: str | None = None
    http: str | None = None
    workspace: str | None = None
    allow_remote_close: bool = False
    of_service: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def parse_command_line(arguments: Sequence[str]) -> Options:
    """Read the arguments after the program's name. Help wins over version, and both over the rest.

    Raises:
        UsageError: an argument is unknown, lacks its value, or does not go with the others.
    """
    found, unknown = _parser().parse_known_args(arguments)
    given: dict[str, list[str]] = {name: values for name, values in vars(found).items() if values is not None}
    if "--help" in given:
        return Options("help")
    if "--version" in given:
        return Options("version")
    if unknown:
        raise UsageError(_unknown(unknown[0]))
    _check_combinations(given)
    mode = _mode(given)
    # A service may have to be started, so what it needs means something here.
    served = (mode, _SERVICE) if given.get("--connect") == [AUTO] else (mode,)
    notes = [note for note in (_elsewhere(_FLAGS[name], *served) for name in given) if note]
    for name, values in given.items():
        _check_value(_FLAGS[name], values, mode)

    def value(name: str) -> str | None:
        return given[name][0] if name in given else None

    return Options(
        "mcp_stdio" if "--mcp-stdio" in given else "service",
        scopes=value("--scope"),
        profile=value("--profile"),
        extractor="builtin" if value("--extractor") else None,
        extractor_uds=value("--extractor-uds"),
        extractor_http=value("--extractor-http"),
        embedder_uds=value("--embedder-uds"),
        embedder_http=value("--embedder-http"),
        connect=_path_to_connect(given["--connect"][0]) if "--connect" in given else None,
        http=value("--http"),
        workspace=value("--workspace"),
        allow_remote_close="--allow-remote-close" in given,
        of_service=tuple(_of_service(given)),
        notes=tuple(notes),
    )


def _of_service(given: Mapping[str, list[str]]) -> Iterator[str]:
    for name, values in given.items():
        modes = _FLAGS[name].modes
        if modes is not None and _SERVICE.name in modes and values[0]:
            yield f"{name}={values[0]}"


def _check_combinations(given: Mapping[str, list[str]]) -> None:
    for name, values in given.items():
        if _FLAGS[name].takes_value and len(values) > 1:
            raise UsageError(f"{name} was given {len(values)} times; give it once.")
    for names in config.EXCLUSIVE:
        clash = [name for name in names if name in given]
        if len(clash) > 1:
            raise UsageError(f"{' and '.join(clash)} are mutually exclusive; give one of them.")


def _mode(given: Mapping[str, list[str]]) -> Mode:
    chosen = [mode for mode in config.MODES if mode.flag in given]
    for mode in chosen:
        if mode.within is not None and _MODES[mode.within] not in chosen:
            raise UsageError(f"{mode.flag} needs {_MODES[mode.within].flag}.")
    # A mode within another one stands after it.
    return chosen[-1] if chosen else _SERVICE


def _elsewhere(flag: Flag, mode: Mode, *others_here: Mode) -> str | None:
    """Refuse a flag that means nothing in this mode, or return a note about it."""
    if flag.modes is None or {mode.name, *(other.name for other in others_here)} & set(flag.modes):
        return None
    others = [_MODES[name] for name in flag.modes]
    if flag.refused_elsewhere:
        outer = [str(other.flag) for other in others if other.within is None]
        raise UsageError(f"{flag.name} needs {' or '.join(outer)}.")
    if mode.within is None:
        return f"{flag.name} has no effect without {' or '.join(str(other.flag) for other in others)}."
    return f"{flag.name} has no effect with {mode.flag}: the service decides."


def _check_value(flag: Flag, values: list[str], mode: Mode) -> None:
    if flag.words and values[0] not in flag.words:
        raise UsageError(f"{flag.name} must be {' or '.join(flag.words)}; got {values[0]!r}.")
    if not flag.available and (flag.modes is None or mode.name in flag.modes):
        raise UsageError(f"{flag.name}: this build lacks it; a later version has it.")


def _path_to_connect(path: str) -> str:
    if not path.strip():
        raise UsageError("--connect needs `auto`, or the path of a service's socket, for example .lcg/service.sock.")
    return path


def help_text() -> str:
    """Return what `--help` prints."""
    return config.HELP


def usage_text() -> str:
    """Return the short form that follows a usage error."""
    return config.USAGE


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].lower()}{message[1:]}.")


def _formatter(prog: str) -> argparse.HelpFormatter:
    # It formats nothing here, but would look for the width of a terminal, and import a lot to do so.
    return argparse.HelpFormatter(prog, width=80)


def _parser() -> _Parser:
    parser = _Parser(prog="lcg", add_help=False, allow_abbrev=False, formatter_class=_formatter)
    for flag in config.FLAGS:
        names = [name for name in (flag.short, flag.name) if name]
        # Values are collected, so that a flag given twice is noticed.
        if flag.takes_value:
            parser.add_argument(*names, dest=flag.name, action="append")
        else:
            parser.add_argument(*names, dest=flag.name, action="append_const", const="")
    return parser


def _unknown(argument: str) -> str:
    name = argument.partition("=")[0]
    if name in config.COMMANDS:
        return f"{name} is a sub-command and stands before everything else."
    known = [*config.COMMANDS, *(known for flag in config.FLAGS for known in (flag.name, flag.short) if known)]
    import difflib  # here, since it is seldom needed, and a start is to be quick

    near = difflib.get_close_matches(name, known, n=1)
    return f"unknown argument: {argument}" + (f" (did you mean {near[0]}?)" if near else "")
