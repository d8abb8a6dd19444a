"""`lcg export`: the graph, or some groups of it, in a file or a folder that other programs read."""

import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lcg.commands import options
from lcg.commands.common import say, workspace
from lcg.commands.graph import open_graph
from lcg.commands.output import one_line
from lcg.commands.running import CONTEXT, CommandFailed, explained, run_command
from lcg.exchange.dumped import BrokenDump, graph_rows
from lcg.exchange.files import put
from lcg.exchange.formats import FORMATS, FileFormat, FolderFormat
from lcg.exchange.scratch import scratch_folder
from lcg.settings import LOCK_PATH

if TYPE_CHECKING:
    from lcg.exchange.graph_reader import GraphReader

_STDOUT = "-"
_LIST = "\n".join(f"  {each.name:<9} {each.summary}" for each in FORMATS.values())


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `lcg.commands.running`."""
    return run_command(_export, arguments)


@click.command(
    "export",
    context_settings=CONTEXT,
    epilog=f"\b\nFormats:\n{_LIST}\n\n"
    + explained("  lcg export graph.jsonl\n  lcg export --format jsonl --group docs -"),
)
@click.argument("path", metavar="PATH|-")
@click.option(
    "--format", "name", type=click.Choice(list(FORMATS)), default="jsonl", show_default=True, help="What is written."
)
@options.groups
@click.option("--force", is_flag=True, help="Replace what is at PATH.")
def _export(path: str, name: str, groups: list[str] | None, force: bool) -> None:
    """Write the graph, or some groups of it, to the file or folder PATH, or to stdout (-).

    The rows are those of one moment. A file comes in place whole or not at all.
    """
    form = FORMATS[name]
    if isinstance(form, FolderFormat) and path == _STDOUT:
        raise click.UsageError(f"{name} is a folder of files and cannot go to stdout; name a folder.")
    target = None if path == _STDOUT else Path(path)
    if target is not None:
        _refuse(target, form, force=force)
    try:
        with ExitStack() as stack:
            # The workspace is not needed any more once its rows are gathered, so nobody waits for the writing.
            with open_graph(workspace()) as service:
                graph = stack.enter_context(graph_rows(service, groups, LOCK_PATH.parent))
            for group in sorted(set(groups or ()) - set(graph.groups())):
                say(f"note: the group {one_line(group)} holds nothing.")
            notes = _write(graph, form, target)
            told = _told(graph)
    except (BrokenDump, sqlite3.Error) as error:
        raise CommandFailed(
            f"the rows could not be read: {error}. Look at the disk (space, rights) and try again."
        ) from error
    for note in notes:
        say(f"note: {note}")
    if target is not None:
        click.echo(f"{told} in {one_line(path)}.")


def _write(graph: "GraphReader", form: FileFormat | FolderFormat, target: Path | None) -> Iterable[str]:
    if isinstance(form, FolderFormat):
        assert target is not None
        target.mkdir(parents=True, exist_ok=True)
        return list(form.write(graph, target))
    if target is not None:
        with put(target) as out:
            return list(form.write(graph, out))
    # Whoever reads stdout gets the whole or an error, never what looks whole and is not.
    with scratch_folder(LOCK_PATH.parent) as folder:
        whole = folder / "whole"
        with whole.open("wb") as out:
            notes = list(form.write(graph, out))
        with whole.open("rb") as content:
            shutil.copyfileobj(content, sys.stdout.buffer)
            sys.stdout.buffer.flush()
    return notes


def _refuse(target: Path, form: FileFormat | FolderFormat, *, force: bool) -> None:
    """Refuse a place before anything is read, where nothing could be put or something would be lost."""
    # Not Path.resolve, which has an error of its own for links that go in a circle.
    if Path(os.path.realpath(target)).is_relative_to(os.path.realpath(LOCK_PATH.parent)):
        raise CommandFailed(
            f"{one_line(str(target))} lies in {LOCK_PATH.parent}, which holds the graph itself. Name another place."
        )
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        if target.is_symlink():
            raise CommandFailed(f"{target} is a link to nothing. Remove it, or name another place.") from None
        parent = target.absolute().parent
        if isinstance(form, FileFormat) and not parent.is_dir():
            raise CommandFailed(f"{parent} is no directory. Make it first, or name another place.") from None
        return
    if isinstance(form, FolderFormat):
        if not stat.S_ISDIR(mode):
            raise CommandFailed(f"{target} is no folder, and {form.name} is one. Name another place.")
        if not force and not form.keeps and any(os.scandir(target)):
            raise CommandFailed(f"{target} is not empty. Give --force to replace the files of the export in it.")
    elif not stat.S_ISREG(mode):
        raise CommandFailed(f"{target} is no file. Name a file, or - for stdout.")
    elif not force:
        raise CommandFailed(f"{target} exists. Give --force to replace it, or name another file.")


def _told(graph: "GraphReader") -> str:
    counts = graph.counts()
    numbers = (
        f"{number:,} {one if number == 1 else many}"
        for number, one, many in (
            (counts.entities, "entity", "entities"),
            (counts.edges, "fact", "facts"),
            (counts.episodes, "episode", "episodes"),
        )
    )
    return ", ".join(numbers)
