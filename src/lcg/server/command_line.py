"""Reads the command line, without importing anything heavy."""

import argparse
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NoReturn

from lcg.settings import UsageError

_USAGE: Final = """lcg [--extractor builtin]
       lcg --mcp-stdio [--scope LIST] [--profile core|all] [--extractor builtin]
       lcg --mcp-stdio --connect PATH [--allow-remote-close] [--scope LIST] [--profile core|all]
       lcg --help | --version"""

_DESCRIPTION: Final = """\
A local-first context graph server. The current directory is the workspace; everything is kept in .lcg/ there.
Without --mcp-stdio it serves a Unix socket (.lcg/service.sock) until SIGTERM, SIGINT or knowledge_close.
With --connect it opens nothing and serves the graph of a service that is running."""

_EPILOG: Final = """\
environment (the reference lists all):
  LCG_SOCKET_PATH          socket of the service (.lcg/service.sock)
  LCG_DB_PATH, LCG_WAL_DIR store and logs (.lcg/db/liminis.db, .lcg/wal)
  LCG_EXTRACTOR            builtin: as --extractor builtin
  LCG_SHUTDOWN_TIMEOUT_MS  bound of a clean stop (5000)
  LCG_ATTACHED_CALL_TIMEOUT_MS
                           with --connect: silence after which a call is given up (30000)
  LCG_TELEMETRY            0: no telemetry lines on stderr

exit status: 0 help, version, clean end; 1 fatal start; 2 usage error"""

_OF_THE_SERVICE: Final = ("--embedder-uds", "--embedder-http", "--extractor", "--extractor-uds", "--extractor-http")
"""Options that an attached process does not act on."""

_LATER: Final = ("--http", "--embedder-uds", "--embedder-http", "--extractor-uds", "--extractor-http")
"""Options of the product that this build does not have; they are read, checked against the others, then refused."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line asks for. `scopes`, `profile` and `connect` are as written, None when not given."""

    action: Literal["help", "version", "mcp_stdio", "service"]
    scopes: str | None = None
    profile: str | None = None
    extractor: Literal["builtin"] | None = None
    connect: str | None = None
    allow_remote_close: bool = False
    notes: tuple[str, ...] = ()


def parse_command_line(arguments: Sequence[str]) -> Options:
    """Read the arguments after the program's name. Help wins over version, and both over the rest.

    Raises:
        UsageError: an argument is unknown, lacks its value, or does not go with the others.
    """
    found, unknown = _parser().parse_known_args(arguments)
    if found.help:
        return Options("help")
    if found.version:
        return Options("version")
    if unknown:
        raise UsageError(_unknown(unknown[0]))
    given = {f"--{name.replace('_', '-')}": values for name, values in vars(found).items() if isinstance(values, list)}
    for option, values in given.items():
        if len(values) > 1:
            raise UsageError(f"{option} was given {len(values)} times; give it once.")
    _check_combinations(given, mcp_stdio=found.mcp_stdio)
    extractor = given["--extractor"][0] if "--extractor" in given else None
    if extractor not in (None, "builtin"):
        raise UsageError(f"--extractor must be builtin; got {extractor!r}.")
    connect = given["--connect"][0] if "--connect" in given else None
    notes = _attached_notes(connect, given) if connect is not None else []
    for option in _LATER if connect is None else ():
        if option in given:
            raise UsageError(f"{option}: this build lacks it; a later version has it.")
    if found.allow_remote_close and connect is None:
        notes.append("--allow-remote-close has no effect without --connect.")
    return Options(
        "mcp_stdio" if found.mcp_stdio else "service",
        scopes=given["--scope"][0] if "--scope" in given else None,
        profile=given["--profile"][0] if "--profile" in given else None,
        extractor="builtin" if extractor else None,
        connect=connect,
        allow_remote_close=found.allow_remote_close,
        notes=tuple(notes),
    )


def _attached_notes(connect: str, given: dict[str, list[str]]) -> list[str]:
    if connect == "auto":
        raise UsageError("--connect auto: this build lacks it; a later version has it. Give the path of a socket.")
    if not connect.strip():
        raise UsageError("--connect needs the path of a service's socket, for example .lcg/service.sock.")
    return [
        f"{option} has no effect with --connect: the service decides." for option in _OF_THE_SERVICE if option in given
    ]


def _check_combinations(given: dict[str, list[str]], *, mcp_stdio: bool) -> None:
    exclusive = (
        ("--embedder-uds", "--embedder-http"),
        ("--extractor", "--extractor-uds", "--extractor-http"),
    )
    groups = [[option for option in options if option in given] for options in exclusive]
    groups.append(["--mcp-stdio", "--http"] if mcp_stdio and "--http" in given else [])
    for clash in groups:
        if len(clash) > 1:
            raise UsageError(f"{' and '.join(clash)} are mutually exclusive; give one of them.")
    if "--connect" in given and not mcp_stdio:
        raise UsageError("--connect needs --mcp-stdio.")
    for option in ("--scope", "--profile"):
        if option in given and not mcp_stdio and "--http" not in given:
            raise UsageError(f"{option} needs --mcp-stdio or --http.")


def help_text() -> str:
    """Return what `--help` prints."""
    return _parser().format_help()


def usage_text() -> str:
    """Return the short form that follows a usage error."""
    return _parser().format_usage()


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].lower()}{message[1:]}.")


def _parser() -> _Parser:
    parser = _Parser(
        prog="lcg",
        usage=_USAGE,
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    # Values are collected, so that an option given twice is noticed.
    add = parser.add_argument
    add("--mcp-stdio", action="store_true", help="serve MCP over stdin and stdout")
    add("--scope", action="append", metavar="LIST", help="tools to show: read,write,cypher,admin or all (default: all)")
    add("--profile", action="append", metavar="NAME", help="core: the ten tools of daily use; all (default)")
    add("--extractor", action="append", metavar="builtin", help="extract with the built-in rules")
    add("--connect", action="append", metavar="PATH", help="forward every call to the service at this socket")
    add("--allow-remote-close", action="store_true", help="with --connect: let knowledge_close stop that service")
    for option in _LATER:
        add(option, action="append", help=argparse.SUPPRESS)
    add("-h", "--help", action="store_true", help="print this text")
    add("-V", "--version", action="store_true", help="print the version")
    return parser


def _unknown(argument: str) -> str:
    name = argument.partition("=")[0]
    known = [option for action in _parser()._actions for option in action.option_strings]
    near = difflib.get_close_matches(name, known, n=1)
    return f"unknown argument: {argument}" + (f" (did you mean {near[0]}?)" if near else "")
