"""`lcg ingest`: documents into the graph, chunk by chunk; what has not changed is skipped."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import click

from lcg.commands import options
from lcg.commands.common import FAILED, has_workspace, say
from lcg.commands.graph import open_graph
from lcg.commands.output import one_line, write_json
from lcg.commands.progress import progress
from lcg.commands.running import CONTEXT, CommandFailed, explained, run_command
from lcg.commands.serving import shared
from lcg.documents.finding import find_documents
from lcg.documents.ingestion import Done, TooManyFailures, remove, store
from lcg.documents.plan import FilePlan, State, gone_sources, plan_files
from lcg.generated.client import Methods
from lcg.model.names import DEFAULT_GROUP
from lcg.settings import Settings, read_settings

_SHOWN = 5
_STATUSES = (
    "Exit status: 0 all is in the graph, 1 a file could not be read or a chunk not be stored (stderr says which), "
    "2 wrong arguments, 130 interrupted; what was stored until then stays, and is skipped the next time."
)


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `_STATUSES`."""
    return run_command(_ingest, arguments)


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for."""

    paths: tuple[Path, ...]
    group: str
    sync: bool
    allow_empty: bool
    dry_run: bool
    again: bool


@click.command(
    "ingest",
    context_settings=CONTEXT,
    epilog=explained("  lcg ingest notes README.md\n  lcg ingest --sync --group docs docs --dry-run", _STATUSES),
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--group", metavar="G", default=DEFAULT_GROUP, show_default=True, help="Where it goes.")
@click.option("--sync", is_flag=True, help="Remove from the group what is not in these folders and files any more.")
@click.option("--allow-empty", is_flag=True, help="Let --sync remove all of a folder that holds no document any more.")
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@click.option("--again", is_flag=True, help="Send unchanged chunks, too, for example to another extractor.")
@options.as_json
def _ingest(
    paths: tuple[Path, ...], group: str, sync: bool, allow_empty: bool, dry_run: bool, again: bool, as_json: bool
) -> int:
    """Read documents into the graph: Markdown, text, HTML and JSON files, and folders of them.

    Documents are cut at headings and by size. Chunks that the graph has already are skipped. Without a service the
    workspace is made and opened here, and the built-in rules extract unless another extractor is configured; other
    processes can attach meanwhile.
    """
    if not group.strip():
        raise click.UsageError("--group: a group has a name.")
    wish = Wish(paths, group.strip(), sync, allow_empty, dry_run, again)
    began = time.monotonic()
    settings, done, stopped = _settings(), Done(), None
    if dry_run and not has_workspace(settings):
        files = _plan(None, wish)
    else:
        with open_graph(settings, shared, makes=not dry_run) as graph:
            files = _plan(graph, wish)
            if not dry_run:
                stopped = _carry_out(graph, files, wish, done)
    for file in files:
        if file.error:
            say(f"lcg ingest: {one_line(file.source)}: {file.error}.")
    for source, error in done.failed.items():
        say(f"lcg ingest: {one_line(source)}: {one_line(error)}")
    if as_json:
        write_json(_report(wish, files, done, time.monotonic() - began))
    else:
        _show(wish, files, done)
    if stopped:
        raise CommandFailed(stopped)
    return FAILED if done.failed or any(file.error for file in files) else 0


def _settings() -> Settings:
    settings = read_settings()
    if settings.extractor is None and settings.replay_llm is None:
        return replace(settings, extractor="builtin")
    return settings


def _plan(graph: Methods | None, wish: Wish) -> list[FilePlan]:
    workspace = Path.cwd()
    links: list[Path] = []
    documents = find_documents(wish.paths, workspace, links.append)
    if links:
        shown = ", ".join(one_line(str(link)) for link in links[:_SHOWN]) + (", …" if len(links) > _SHOWN else "")
        say(f"note: {_count(len(links), 'link is', 'links are')} not followed: {shown}. Name what is to be read, too.")
    files = list(plan_files(graph, documents, wish.group, again=wish.again))
    folders = [path for path in wish.paths if path.is_dir()]
    gone = [] if graph is None else gone_sources(graph, documents, folders, workspace, wish.group)
    if wish.sync and gone and not wish.allow_empty:
        for folder in folders:
            if not find_documents([folder], workspace):
                raise CommandFailed(
                    f"{folder} holds no document any more, and --sync would remove all that the group has of it. Give "
                    "--allow-empty if that is meant."
                )
    return [*files, *(FilePlan(source, "gone") for source in gone)]


def _carry_out(graph: Methods, files: Sequence[FilePlan], wish: Wish, done: Done) -> str | None:
    """Do it, and return why it was not done to the end, or None."""
    total = sum(len(file.to_send) for file in files)
    try:
        with progress(total, "chunks") as advance:
            for file in files:
                store(graph, file, wish.group, done, advance)
                if wish.sync and file.source not in done.failed:
                    remove(graph, file, wish.group, done)
    except TooManyFailures as error:
        return f"{len(done.failed)} files failed one after the other, so the rest was left: {error}"
    except KeyboardInterrupt:
        say(f"{done.stored:,} of {total:,} chunks are stored; run it again to go on.")
        raise
    return None


def _report(wish: Wish, files: Sequence[FilePlan], done: Done, seconds: float) -> dict[str, Any]:
    return {
        "group_id": wish.group,
        "dry_run": wish.dry_run,
        "sync": wish.sync,
        "files": [
            {
                "source": file.source,
                "state": file.state,
                "chunks": file.chunks,
                "to_store": len(file.to_send),
                "to_remove": len(file.stale),
                "error": file.error or done.failed.get(file.source),
            }
            for file in files
        ],
        "stored": done.stored,
        "unchanged": done.unchanged,
        "removed": done.removed,
        "entities_created": done.entities_created,
        "facts": done.facts,
        "seconds": round(seconds, 3),
    }


def _show(wish: Wish, files: Sequence[FilePlan], done: Done) -> None:
    states = Counter(file.state for file in files)
    counts = ", ".join(f"{states[state]:,} {state}" for state in get_args(State) if states[state])
    click.echo(f"{_count(len(files), 'file')}: {counts or 'none is a document'}.")
    stale = sum(len(file.stale) for file in files)
    if wish.dry_run:
        for file in files:
            if file.state not in ("unchanged", "unreadable"):
                click.echo(f"  {file.state:<9} {one_line(file.source)} ({_count(len(file.to_send), 'chunk')} to store)")
        to_send = sum(len(file.to_send) for file in files)
        click.echo(f"{_count(to_send, 'chunk')} would be stored. Nothing was changed.")
    else:
        read = f", read by: {', '.join(sorted(done.seen))}" if done.seen else ""
        made = f"{_count(done.entities_created, 'new entity', 'new entities')}, {_count(done.facts, 'fact')}"
        click.echo(f"{_count(done.stored, 'chunk')} stored{read}: {made}.")
    if done.removed:
        click.echo(f"{_count(done.removed, 'text')} removed.")
    if (stale or states["gone"]) and not wish.sync:
        click.echo(
            f"The group still has {_count(states['gone'], 'file')} that are gone, and {_count(stale, 'text')} that "
            "changed files do not hold any more; --sync removes them."
        )


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
