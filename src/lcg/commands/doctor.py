"""`lcg doctor`: looks at everything that lcg needs, and says of each thing what to do."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from lcg.client import ClientError
from lcg.commands import options
from lcg.commands.checks.clients import check_clients
from lcg.commands.checks.environment import check_environment, check_settings
from lcg.commands.checks.finding import Finding
from lcg.commands.checks.models import check_models, check_served_models
from lcg.commands.checks.views import check_views
from lcg.commands.checks.workspace import Owner, check_lock, check_socket, check_workspace
from lcg.commands.common import FAILED
from lcg.commands.output import console, one_line, write_json
from lcg.commands.running import CONTEXT, explained, run_command
from lcg.settings import UsageError, read_settings

_STATUSES: Final = "Exit status: 0 no problem (there may be notes), 1 a problem, 2 wrong arguments, 130 interrupted."
_STYLES: Final = {"ok": "green", "note": "yellow", "problem": "red"}


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `_STATUSES`."""
    return run_command(_doctor, arguments)


@click.command("doctor", context_settings=CONTEXT, epilog=explained("  lcg doctor\n  lcg doctor --deep", _STATUSES))
@click.option("--deep", is_flag=True, help="Compare a large store with its log, too; that takes a while.")
@options.as_json
def _doctor(deep: bool, as_json: bool) -> int:
    """Look at everything that lcg needs: environment, workspace, lock, socket, store, log, indexes, models, clients.

    Every finding that is not `ok` says what to do. Nothing is changed, and no workspace is made. Store and indexes are
    compared with the log on copies, where no service has them; a service is asked how it is doing.
    """
    findings = []
    for finding in _findings(deep=deep):
        findings.append(finding)
        if not as_json:
            _show(finding)
    counts = Counter(finding.level for finding in findings)
    if as_json:
        write_json({"ok": not counts["problem"], "findings": [asdict(finding) for finding in findings]})
    else:
        verdict = f"{counts['problem']} problems, {counts['note']} notes, {counts['ok']} ok."
        console().print(verdict, style="red" if counts["problem"] else "green")
    return FAILED if counts["problem"] else 0


def _findings(*, deep: bool) -> Iterator[Finding]:
    yield from check_environment(os.environ)
    try:
        settings = read_settings()
    except UsageError as error:
        yield Finding("environment", "problem", "A variable cannot be right, so lcg does not start.", str(error))
        yield from check_clients(Path.cwd())
        return
    owner = Owner()
    yield from check_settings(settings)
    yield from check_workspace(settings)
    yield from check_lock(owner)
    yield from check_socket(settings, owner)
    try:
        yield from check_views(settings, owner, deep=deep)
        if owner.client is None:
            yield from check_models(settings)
        else:
            yield from check_served_models(owner.client.knowledge_status())
    except ClientError as error:
        yield Finding("socket", "problem", "The service went away while it was asked.", f"Run this again. {error}")
    finally:
        if owner.client is not None:
            owner.client.close()
    yield from check_clients(Path.cwd())


def _show(finding: Finding) -> None:
    out = console()
    out.print(f"{finding.level:<8}", style=_STYLES[finding.level], end="")
    out.print(f"{finding.area:<12}", style="bold", end="")
    out.print(one_line(finding.what))
    if finding.remedy:
        out.print(f"{'':<20}{one_line(finding.remedy)}")
