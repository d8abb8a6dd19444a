"""`lcg view`: the graph in a browser, served to this machine until Ctrl-C."""

import os
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import click

from lcg.commands import options
from lcg.commands.common import say, workspace
from lcg.commands.graph import open_graph
from lcg.commands.running import CONTEXT, CommandFailed, explained, run_command
from lcg.commands.serving import shared
from lcg.settings import LOCK_PATH

_STATUSES = "Exit status: 0 ended by Ctrl-C, 1 it failed (stderr says why), 2 wrong arguments, or no workspace here."


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `lcg.commands.running`; Ctrl-C is its usual end and counts as done."""
    return run_command(_view, arguments)


@click.command(
    "view", context_settings=CONTEXT, epilog=explained("  lcg view\n  lcg view --port 8800 --no-open", _STATUSES)
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=0,
    show_default="any free one",
    help="Where to listen.",
)
@click.option("--no-open", is_flag=True, help="Only print the address; open no browser.")
@options.groups
def _view(port: int, no_open: bool, groups: list[str] | None) -> None:
    """Show the graph in a browser: search it, filter it, walk it, read its sources. Ctrl-C ends it.

    The page is served to this machine only, under an address with a key that changes every time. It only reads;
    what has been written meanwhile is there when the page is loaded again.
    """
    # Heavy, and not needed for the help.
    from lcg.explorer.live import LiveGraph
    from lcg.explorer.serving import bind, serving

    title = Path.cwd().name or "Context graph"
    with open_graph(workspace(), shared) as service:
        try:
            listening = bind(port)
        except OSError as error:
            reason = error.strerror or error
            raise CommandFailed(
                f"cannot listen on port {port}: {reason}. Give --port another, or leave it out."
            ) from error
        try:
            with serving(listening, LiveGraph(service, groups, title, LOCK_PATH.parent), title) as address:
                _announce(address, opens=not no_open)
                threading.Event().wait()
        except KeyboardInterrupt:
            say("lcg view: ended.")


def _announce(address: str, *, opens: bool) -> None:
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    if opens and _has_screen():
        webbrowser.open(address)
    say("Open this address in a browser of this machine. Ctrl-C ends it.")


def _has_screen() -> bool:
    """Say whether a browser could show anything; one for terminals would take this one."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
