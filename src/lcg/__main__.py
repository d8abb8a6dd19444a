"""The program: reads the command line, then serves."""

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lcg import __version__
from lcg.commands import COMMANDS
from lcg.provider_settings import UnusableFile
from lcg.server.command_line import AUTO, Options, help_text, parse_command_line, usage_text
from lcg.server.stdio import open_missing_streams
from lcg.settings import Settings, UsageError, read_attached_settings, read_settings

if TYPE_CHECKING:
    from lcg.server.backend import Backend
    from lcg.server.http_front import HttpFront

_FATAL = 1
_USAGE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status: 0 clean end, 1 fatal start, 2 usage error.

    When it has served, it does not return but ends the process.
    """
    open_missing_streams()
    return run(sys.argv[1:] if arguments is None else arguments)


def run(arguments: Sequence[str], backend: "Backend | None" = None, *, detached: bool = False) -> int:
    """Run with the arguments given; tests bring a backend of their own. For `detached` see `lcg.detached`."""
    if arguments and arguments[0] in COMMANDS:
        return COMMANDS[arguments[0]](arguments[1:])
    try:
        options = parse_command_line(arguments)
        if options.action == "help":
            return _print(help_text())
        if options.action == "version":
            return _print(f"lcg {__version__}\n")
        if options.workspace is not None:
            _go_to(options.workspace)
        settings = _settings(options)
        scopes, profile = _visibility(options)
        front = _front(options, settings, scopes, profile, backend)
    except UsageError as error:
        sys.stderr.write(f"lcg: {error}\n{usage_text()}")
        return _USAGE
    return _serve(options, settings, scopes, profile, backend, front, detached=detached)


def _go_to(workspace: str) -> None:
    """Make a directory the current one, so that every path is read as if the program had been started there."""
    try:
        os.chdir(os.path.expanduser(workspace))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"--workspace needs a directory that is there; {workspace!r}: {reason}.") from None


def _settings(options: Options) -> Settings:
    if options.connect not in (None, AUTO):
        return read_attached_settings()
    settings = read_settings(
        extractor=options.extractor,
        extractor_uds=options.extractor_uds,
        extractor_http=options.extractor_http,
        embedder_uds=options.embedder_uds,
        embedder_http=options.embedder_http,
    )
    if options.connect is None:
        return settings
    # What is wrong with the settings of a service is said here, where somebody reads it, before one is started.
    return replace(settings, attached_call_timeout_ms=read_attached_settings().attached_call_timeout_ms)


def _print(text: str) -> int:
    """Write to stdout, whose reader may have seen enough, and return the exit status."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # What the stream still holds would be tried once more at the end of the process.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        sys.stderr.write(f"lcg: cannot write to stdout: {error.strerror}.\n")
        return _FATAL
    return 0


def _visibility(options: Options) -> tuple[tuple[str, ...], str]:
    if options.action != "mcp_stdio" and options.http is None:
        return (), "all"
    from lcg.server.scopes import ALL, parse_profile, parse_scopes

    scopes = parse_scopes(ALL if options.scopes is None else options.scopes)
    return scopes, parse_profile(ALL if options.profile is None else options.profile)


def _front(
    options: Options, settings: Settings, scopes: tuple[str, ...], profile: str, backend: "Backend | None"
) -> "HttpFront | None":
    if options.http is None:
        return None
    from lcg.generated.tool_specs import TOOL_SPECS
    from lcg.server.http_front import HttpFront

    return HttpFront(options.http, settings.http, backend.tools if backend else TOOL_SPECS, scopes, profile)


def _serve(
    options: Options,
    settings: Settings,
    scopes: tuple[str, ...],
    profile: str,
    backend: "Backend | None",
    front: "HttpFront | None",
    *,
    detached: bool,
) -> int:
    from lcg.server.attached import AttachFailed
    from lcg.server.lifecycle import leave, log, say, set_up_logging
    from lcg.server.lock import LockFailed, WorkspaceOwned
    from lcg.server.socket import BindError

    set_up_logging()
    for note in (*options.notes, *settings.notes):
        say(f"lcg: {note}")
    try:
        if options.connect is not None:
            _run_attached(options, options.connect, settings, scopes, profile, backend)
        else:
            _run_owner(options, settings, scopes, profile, backend, front, detached=detached)
    except (AttachFailed, WorkspaceOwned, LockFailed, BindError, UnusableFile) as error:
        say(f"lcg: {error}")
        leave(_FATAL)
    except Exception:
        log.exception("the program failed")
        leave(_FATAL)
    leave(0)


def _run_owner(
    options: Options,
    settings: Settings,
    scopes: tuple[str, ...],
    profile: str,
    backend: "Backend | None",
    front: "HttpFront | None",
    *,
    detached: bool,
) -> None:
    from lcg.server.backend import product

    served = backend or product()
    if options.action == "mcp_stdio":
        from lcg.server.mcp_tools import Toolbox
        from lcg.server.standalone import run_standalone

        run_standalone(settings, served, Toolbox(served.tools, scopes, profile))
    else:
        from lcg.server.daemon import run_service

        run_service(settings, served, front, detached=detached)


def _run_attached(
    options: Options,
    path: str,
    settings: Settings,
    scopes: tuple[str, ...],
    profile: str,
    backend: "Backend | None",
) -> None:
    from lcg.generated.tool_specs import TOOL_SPECS
    from lcg.server.attached import run_attached, run_with_owner
    from lcg.server.mcp_tools import Toolbox

    flags = ("--allow-remote-close",) if options.allow_remote_close else ()
    toolbox = Toolbox(backend.tools if backend else TOOL_SPECS, scopes, profile, flags)
    if path == AUTO:
        run_with_owner(settings, options.of_service, toolbox)
    else:
        run_attached(settings, path, toolbox)


if __name__ == "__main__":
    sys.exit(main())
