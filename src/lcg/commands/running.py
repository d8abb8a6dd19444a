"""Running a sub-command made with click: its exit status, and one readable line for whatever goes wrong."""

import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from types import FrameType
from typing import Final, TextIO

import click

from lcg.client import ClientError, Unavailable
from lcg.commands.common import FAILED, USAGE, discard, say
from lcg.provider_settings import UnusableFile
from lcg.server.lock import LockFailed, WorkspaceOwned
from lcg.settings import UsageError

INTERRUPTED: Final = 130
"""What a shell expects of a program that was ended by Ctrl-C."""

EXIT_STATUSES: Final = (
    "Exit status: 0 done, 1 it failed (stderr says why), 2 wrong arguments, or no workspace here, 130 interrupted."
)

CONTEXT: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class CommandFailed(Exception):
    """The command cannot do what it was asked for; the message says why and what to do."""


def explained(example: str, statuses: str = EXIT_STATUSES) -> str:
    """Return what stands below the options in a help text: examples, one a line, and the exit statuses."""
    return f"\b\nExample:\n{example}\n\n{statuses}"


def run_command(command: click.Command, arguments: Sequence[str]) -> int:
    """Run a sub-command to its end and return its exit status. See `EXIT_STATUSES`."""
    name = f"lcg {command.name}"
    _encode_anything(sys.stdout)
    _encode_anything(sys.stderr)
    before = {number: signal.signal(number, _interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        # Not `main`, which has its own idea of interrupts and of readers that go away.
        with command.make_context(name, list(arguments)) as context:
            status = command.invoke(context)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        say(f"{name}: {error.format_message()} {_remedy(error, name)}`{name} --help` shows what there is.")
        return USAGE
    except UsageError as error:
        say(f"{name}: {error}")
        return USAGE
    except (click.exceptions.Abort, KeyboardInterrupt):
        say(f"{name}: interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever reads has seen enough.
        discard(sys.stdout)
        return 0
    except Unavailable as error:
        say(f"{name}: the store is not open: {error.data.get('reason', error.message)}. `lcg doctor` says what to do.")
    except (ClientError, CommandFailed, WorkspaceOwned, LockFailed, UnusableFile, click.ClickException) as error:
        say(f"{name}: {error}")
    except OSError as error:
        say(f"{name}: {error}. Mend that, and run it again.")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return FAILED


def _encode_anything(stream: TextIO) -> None:
    """Let a stream write every character, whatever its encoding: what it lacks becomes `?`."""
    if isinstance(stream, TextIOWrapper) and stream.errors != "backslashreplace":
        stream.reconfigure(errors="replace")


def _remedy(error: click.UsageError, name: str) -> str:
    """Return what helps people who search for words that look like options, `kill -9` for one."""
    return f"A word that begins so goes behind `--`: `{name} -- …`. " if isinstance(error, click.NoSuchOption) else ""


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
