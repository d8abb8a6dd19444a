"""`python -m tests.clients [NAME ...]` tries every client, or those named, prints a table, and renews the page.

Exit status 1: a client got something else than it should have. One that cannot be had here is skipped, with the reason.
"""

import argparse
import sys
import traceback

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tests.clients import page
from tests.clients.catalogue import CLIENTS, Client
from tests.clients.conversation import Wrong
from tests.clients.environments import Missing
from tests.clients.outcome import Outcome
from tests.clients.workspace import Workspace, serving

_COLOURS = {"passed": "green", "skipped": "yellow", "failed": "red"}


def main(arguments: list[str] | None = None) -> int:
    """Try clients and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.clients", description="Try the clients of other people.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(client.name for client in CLIENTS))
    names = parser.parse_args(arguments).names
    unknown = set(names) - {client.name for client in CLIENTS}
    if unknown:
        parser.error(f"there is no client {', '.join(sorted(unknown))}")
    chosen = [client for client in CLIENTS if not names or client.name in names]
    with serving() as workspace:
        outcomes = [_tried(client, workspace) for client in chosen]
    _show(outcomes)
    if not names:
        page.renew(outcomes)
    return int(any(outcome.state == "failed" for outcome in outcomes))


def _tried(client: Client, workspace: Workspace) -> Outcome:
    print(f"{client.name} …", file=sys.stderr, flush=True)
    try:
        return Outcome(client, "passed", client.attempt(workspace))
    except Missing as error:
        return Outcome(client, "skipped", str(error))
    except Wrong as error:
        return Outcome(client, "failed", str(error))
    except Exception as error:
        traceback.print_exc()
        return Outcome(client, "failed", f"{type(error).__name__}: {error}")


def _show(outcomes: list[Outcome]) -> None:
    table = Table()
    for heading in ("client", "version", "transport", "result", "what was seen"):
        table.add_column(heading)
    for outcome in outcomes:
        state = f"[{_COLOURS[outcome.state]}]{outcome.state}[/]"
        client = outcome.client
        table.add_row(escape(client.title), client.version, client.transport, state, escape(outcome.said[:600]))
    Console(width=None if sys.stdout.isatty() else 140).print(table)


if __name__ == "__main__":
    sys.exit(main())
