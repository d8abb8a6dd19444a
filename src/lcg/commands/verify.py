"""`lcg verify`: hold the log, the store and the search indexes of a workspace against each other."""

import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial

import orjson
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lcg.commands.common import FAILED, USAGE, Parser, say, take_workspace, workspace
from lcg.server.lock import LockFailed, WorkspaceOwned
from lcg.server.log_opening import open_log
from lcg.services.verification import Difference, GroupReport, Report, UnknownGroup, verify
from lcg.settings import Settings, UsageError
from lcg.store.files import StoreFiles
from lcg.store.kuzu.probe import is_sound
from lcg.store.kuzu.store import KuzuStore

_NARROW = 100


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: 0 all is well, 1 something differs or could not be looked at, 2 usage error."""
    try:
        options = _parser().read(arguments)
        if options is None:
            return 0
        settings = workspace()
    except UsageError as error:
        say(f"lcg verify: {error}")
        return USAGE
    try:
        ownership = take_workspace(settings, "verify")
    except (WorkspaceOwned, LockFailed) as error:
        say(f"lcg verify: it needs the workspace for itself, so stop the other process first; {error}")
        return FAILED
    try:
        return _verify(settings, options)
    except UnknownGroup as error:
        say(f"lcg verify: {error}")
        return USAGE
    except OSError as error:
        say(f"lcg verify: a file cannot be read or copied: {error}")
        return FAILED
    finally:
        ownership.release()


def _parser() -> Parser:
    parser = Parser(
        "verify",
        "Compare log, store and search indexes group by group, on copies of the files; nothing is changed. Exit "
        "status 0: all is well, 1: something differs, 2: wrong arguments.",
    )
    parser.add_argument("--group", metavar="G", help="look at this group only")
    parser.add_argument("--json", action="store_true", help="write the report as JSON")
    return parser


def _verify(settings: Settings, options: Namespace) -> int:
    log = open_log(settings)
    probe = partial(is_sound, engine=settings.engine)
    open_store = partial(KuzuStore, engine=settings.engine)
    group = options.group.strip() if options.group else None
    try:
        report = verify(StoreFiles(settings.db_path), settings.search_dir, log, probe, open_store, group)
    finally:
        log.close()
    if options.json:
        record = {"ok": report.is_well, **asdict(report)}
        sys.stdout.write(orjson.dumps(record, option=orjson.OPT_INDENT_2).decode() + "\n")
    else:
        _show(report)
    return 0 if report.is_well else FAILED


def _show(report: Report) -> None:
    console = Console(file=sys.stdout, highlight=False, width=None if sys.stdout.isatty() else _NARROW)
    if report.groups:
        console.print(_table(report.groups))
    for difference in report.differences:
        console.print(f"[red]{escape(_sentence(difference))}[/red]")
    for group in report.groups:
        for difference in group.differences:
            console.print(f"[red]{escape(f'{group.group_id}: {_sentence(difference)}')}[/red]")
        for note in group.notes:
            console.print(escape(f"{group.group_id}: {note}"))
    if report.unlogged_mutations:
        console.print(
            f"{report.unlogged_mutations} Cypher queries changed rows that no log knows of; a rebuild loses it."
        )
    verdict = "[green]All is well.[/green]" if report.is_well else "[red]Something differs.[/red]"
    console.print(verdict)


def _table(groups: Iterable[GroupReport]) -> Table:
    table = Table()
    for heading in ("group", "rows", "applied", "log", "pending", "digest", "full text", "vectors"):
        table.add_column(heading, justify="right" if heading in ("rows", "applied", "log", "pending") else "left")
    for group in groups:
        wrong = {difference.where for difference in group.differences}
        marks = (
            _mark(not wrong & {"digest", "rows", "log"}),
            _mark(not wrong & {"full text", "name index"}),
            _mark("vectors" not in wrong),
        )
        numbers = (group.rows, group.applied_seq, "-" if group.max_seq is None else group.max_seq, group.pending)
        table.add_row(escape(group.group_id), *map(str, numbers), *marks)
    return table


def _mark(is_well: bool) -> str:
    return "[green]ok[/green]" if is_well else "[red]differs[/red]"


def _sentence(difference: Difference) -> str:
    examples = f" ({', '.join(difference.examples)})" if difference.examples else ""
    count = f"{difference.count} " if difference.examples or difference.count > 1 else ""
    return f"{difference.where}: {count}{difference.what}{examples}"
