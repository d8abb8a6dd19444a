"""`lcg import`: rows of a file into the graph, all of them looked at before the first is written."""

import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import click

from lcg.client import CallFailed, OutcomeUnknown
from lcg.commands import options
from lcg.commands.common import FAILED, discard, has_workspace, say
from lcg.commands.graph import open_graph
from lcg.commands.output import one_line, write_json
from lcg.commands.progress import Advance, progress
from lcg.commands.running import CONTEXT, CommandFailed, explained, run_command
from lcg.commands.serving import shared
from lcg.exchange.imports import FORMS, Reading, Staging, stage
from lcg.exchange.reading import NotThisFormat
from lcg.exchange.scratch import scratch_folder
from lcg.generated.errors import ErrorCode
from lcg.model.times import now
from lcg.plain_files import open_plain
from lcg.runtime.call_params import OnProgress
from lcg.runtime.internal import IMPORT_ROWS
from lcg.settings import LOCK_PATH, Settings, UsageError, read_settings
from lcg.wal.directory import group_directory
from lcg.wal.errors import GroupRefused

_STDIN: Final = "-"
_SHOWN: Final = 20
_BYTES_A_STEP: Final = 1 << 20
_KINDS: Final = {"entity": "entities", "edge": "facts", "episode": "episodes", "mention": "mentions"}
_STATUSES: Final = (
    "Exit status: 0 all is in the graph, 1 a line was refused or the import failed (stderr says why), 2 wrong "
    "arguments, 130 interrupted. Run the same command again after 130, or after a crash: rows that are there are "
    "found by their uuids, and the rest is written."
)
_RULES: Final = {
    "preserve": {"existing": "refuse", "names": "refuse"},
    "skip": {"existing": "keep", "names": "refuse"},
    "overwrite": {"existing": "overwrite", "names": "refuse"},
    "regenerate": {"existing": "keep", "names": "adopt"},
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for. None: what the format has by default, or says itself."""

    file: str
    form: Any
    group: str | None
    uuids: str | None
    skips: bool
    dry_run: bool


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `_STATUSES`."""
    return run_command(_import, arguments)


@click.command(
    "import",
    context_settings=CONTEXT,
    epilog=explained("  lcg import graph.jsonl\n  lcg import --group notes --dry-run memory.jsonl", _STATUSES),
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--format", "form", type=click.Choice(["auto", *FORMS]), default="auto", show_default=True, help="What FILE is."
)
@click.option("--group", metavar="G", help="Where its rows go; by default where FILE says, else liminis.")
@click.option(
    "--uuids",
    type=click.Choice(list(_RULES)),
    help="A row whose uuid the graph has: preserve refuses it if it differs, skip leaves the graph's, overwrite "
    "replaces that; regenerate gives all rows new uuids. By default preserve; skip for files of memory servers.",
)
@click.option(
    "--on-error",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="With a line that cannot be imported: import nothing, or leave it out.",
)
@click.option("--dry-run", is_flag=True, help="Look at everything, say what would be done, and do nothing.")
@options.as_json
def _import(
    file: str, form: str, group: str | None, uuids: str | None, on_error: str, dry_run: bool, as_json: bool
) -> int:
    """Import FILE, or stdin (-): what lcg export wrote as jsonl, or the memory.jsonl of a memory server.

    Every line is looked at before the first is written. A service that runs does the work; without one the workspace
    is made, or opened, here.
    """
    if group is not None:
        _refuse_group(group.strip())
    wish = Wish(
        file,
        None if form == "auto" else form,
        group.strip() if group else None,
        uuids,
        on_error == "skip",
        dry_run,
    )
    began = time.monotonic()
    settings = read_settings()
    try:
        with scratch_folder(_scratch_parent(settings, wish)) as folder:
            staging = _stage(wish, folder)
            result = _carry_out(settings, wish, staging)
    except NotThisFormat as error:
        raise CommandFailed(f"{one_line(file)} cannot be imported: {one_line(str(error))}.") from None
    except sqlite3.Error as error:
        raise CommandFailed(f"rows could not be kept while they were read: {error}. Make room on the disk.") from None
    report = _report(wish, staging, result, time.monotonic() - began)
    for refused in report["refused"][:_SHOWN]:
        say(f"lcg import: {one_line(file)}:{refused['line']}: {one_line(refused['reason'])}")
    if report["refused_count"] > _SHOWN:
        say(f"lcg import: {report['refused_count'] - _SHOWN:,} more lines are refused.")
    try:
        if as_json:
            write_json(report)
        else:
            _show(wish, report)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough; whether all is in the graph is told by the exit status, too.
        discard(sys.stdout)
    return FAILED if report["refused_count"] else 0


def _refuse_group(group: str) -> None:
    try:
        group_directory(Path(), group)
    except GroupRefused as error:
        raise click.UsageError(f"--group: {error}.") from None


def _scratch_parent(settings: Settings, wish: Wish) -> Path:
    """Return where rows are kept while they are read: beside the graph, where a service surely finds them."""
    if wish.dry_run and not has_workspace(settings):
        return Path(tempfile.gettempdir())
    return LOCK_PATH.parent


def _stage(wish: Wish, folder: Path) -> Staging:
    name = "stdin" if wish.file == _STDIN else os.fsencode(Path(wish.file).name).decode("utf-8", "replace")
    reading = Reading(wish.form, name, wish.group, now(), new_uuids=wish.uuids == "regenerate")
    with nullcontext(sys.stdin.buffer) if wish.file == _STDIN else open_plain(Path(wish.file)) as source:
        size = 0 if wish.file == _STDIN else os.fstat(source.fileno()).st_size
        with progress(size, "bytes") as advance:
            staging = stage(cast("BinaryIO", _Watched(source, advance)), reading, folder)
    if staging.form != "jsonl" and wish.uuids == "regenerate":
        raise UsageError(
            f"--uuids regenerate: the uuids of a {staging.form} file follow from its names; give skip or overwrite."
        )
    return staging


class _Watched:
    """A file whose lines are counted as they are read."""

    def __init__(self, source: BinaryIO, advance: Advance) -> None:
        self._source = source
        self._advance = advance
        self._unseen = 0

    def readline(self, size: int) -> bytes:
        line = self._source.readline(size)
        self._unseen += len(line)
        if self._unseen >= _BYTES_A_STEP or not line:
            self._advance(self._unseen)
            self._unseen = 0
        return line


def _carry_out(settings: Settings, wish: Wish, staging: Staging) -> Mapping[str, Any]:
    """Let the service look at the staged rows, and write them if nothing speaks against it."""
    if wish.dry_run and not has_workspace(settings):
        counts = {kind: {"created": number} for kind, number in staging.counts.items()}
        return {"written": False, "counts": counts, "refused": [], "refused_count": 0, "groups_done": []}
    own = staging.form == "jsonl"
    rules = {**_RULES[wish.uuids or _default(staging)], **({} if own else {"names": "adopt", "undated": True})}
    params = {
        "staged": str(staging.path),
        **rules,
        "skip_refused": wish.skips,
        "dry_run": wish.dry_run or bool(staging.refusals.count and not wish.skips),
    }
    with open_graph(settings, shared, makes=not wish.dry_run) as graph, _frames() as on_frame:
        try:
            return graph.call(IMPORT_ROWS, params, on_frame)
        except CallFailed as error:
            if error.code == ErrorCode.METHOD_NOT_FOUND:
                raise CommandFailed("the service that runs here is of a version without import; restart it.") from None
            done = ", ".join(error.data.get("groups_done", ()))
            again = f" Groups that took rows: {done}. Run it again to go on." if done else " Nothing was imported."
            raise CommandFailed(f"{error.message}{again}") from None
        except KeyboardInterrupt:
            say("What is written stays. Run it again to go on: nothing is written twice.")
            raise
        except OutcomeUnknown:
            raise CommandFailed(
                "the service went away in the middle of it. Run it again: what is there is found, the rest is written."
            ) from None


@contextmanager
def _frames() -> Iterator[OnProgress]:
    """Show the frames of a call, one bar for each phase."""
    with ExitStack() as stack:
        seen: dict[str, tuple[Advance, int]] = {}

        def on_frame(frame: Mapping[str, Any]) -> None:
            phase, processed = frame["phase"], frame["processed"]
            if phase not in seen:
                stack.close()
                seen[phase] = (stack.enter_context(progress(frame["total"], f"rows, {phase}")), 0)
            advance, before = seen[phase]
            if processed > before:
                advance(processed - before)
                seen[phase] = (advance, processed)

        yield on_frame


def _default(staging: Staging) -> str:
    return "preserve" if staging.form == "jsonl" else "skip"


def _report(wish: Wish, staging: Staging, result: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    refused = [{"line": line, "reason": reason} for line, reason in staging.refusals.lines]
    return {
        "file": wish.file,
        "format": staging.form,
        "group_id": wish.group,
        "uuids": wish.uuids or _default(staging),
        "dry_run": wish.dry_run,
        "written": result["written"],
        "rows": result["counts"],
        "refused": sorted([*refused, *result["refused"]], key=lambda each: each["line"]),
        "refused_count": staging.refusals.count + result["refused_count"],
        "groups_done": result["groups_done"],
        "embedding_warning": result.get("embedding_warning"),
        "seconds": round(seconds, 3),
    }


def _show(wish: Wish, report: Mapping[str, Any]) -> None:
    if report["embedding_warning"]:
        say(f"note: {one_line(report['embedding_warning'])}")
    for kind, counts in report["rows"].items():
        told = ", ".join(f"{number:,} {outcome}" for outcome, number in counts.items() if number)
        if told:
            click.echo(f"{_KINDS[kind] + ':':<10} {told}")
    if not any(number for counts in report["rows"].values() for number in counts.values()):
        click.echo("There is no row to import.")
    if wish.dry_run:
        click.echo("A dry run: nothing was changed.")
    elif not report["written"]:
        count = report["refused_count"]
        click.echo(
            f"Nothing was imported, for {count:,} line{' is' if count == 1 else 's are'} refused. Mend the file, or "
            "leave them out with --on-error skip."
        )
