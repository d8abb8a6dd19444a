"""The program: reads the command line, then serves."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lcg import __version__
from lcg.server.command_line import Options, help_text, parse_command_line, usage_text
from lcg.settings import Settings, UsageError, read_settings

if TYPE_CHECKING:
    from lcg.server.backend import Backend

_FATAL = 1
_USAGE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status: 0 clean end, 1 fatal start, 2 usage error.

    When it has served, it does not return but ends the process.
    """
    return run(sys.argv[1:] if arguments is None else arguments)


def run(arguments: Sequence[str], backend: "Backend | None" = None) -> int:
    """Run with the arguments given; tests bring a backend of their own."""
    try:
        options = parse_command_line(arguments)
        if options.action == "help":
            sys.stdout.write(help_text())
            return 0
        if options.action == "version":
            sys.stdout.write(f"lcg {__version__}\n")
            return 0
        settings = read_settings(extractor=options.extractor)
        scopes, profile = _visibility(options)
    except UsageError as error:
        sys.stderr.write(f"lcg: {error}\n{usage_text()}")
        return _USAGE
    return _serve(options, settings, scopes, profile, backend)


def _visibility(options: Options) -> tuple[tuple[str, ...], str]:
    if options.action != "mcp_stdio":
        return (), "all"
    from lcg.server.scopes import ALL, parse_profile, parse_scopes

    scopes = parse_scopes(ALL if options.scopes is None else options.scopes)
    return scopes, parse_profile(ALL if options.profile is None else options.profile)


def _serve(
    options: Options, settings: Settings, scopes: tuple[str, ...], profile: str, backend: "Backend | None"
) -> int:
    from lcg.server.backend import product
    from lcg.server.lifecycle import leave, log, say, set_up_logging
    from lcg.server.lock import LockFailed, WorkspaceOwned
    from lcg.server.socket import BindError

    set_up_logging()
    for note in (*options.notes, *settings.notes):
        say(f"lcg: {note}")
    served = backend or product()
    try:
        if options.action == "mcp_stdio":
            from lcg.server.standalone import run_standalone

            run_standalone(settings, served, scopes, profile)
        else:
            from lcg.server.daemon import run_service

            run_service(settings, served)
    except (WorkspaceOwned, LockFailed, BindError) as error:
        say(f"lcg: {error}")
        leave(_FATAL)
    except Exception:
        log.exception("the program failed")
        leave(_FATAL)
    leave(0)


if __name__ == "__main__":
    sys.exit(main())
