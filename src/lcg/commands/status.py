"""`lcg status`: what the graph holds, and how it is doing."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from lcg.commands import options
from lcg.commands.common import FAILED, workspace
from lcg.commands.graph import open_graph
from lcg.commands.output import console, one_line, tell, warnings_of, write_json
from lcg.commands.running import CONTEXT, explained, run_command

_STATUSES = (
    "Exit status: 0 the graph can be used, 1 it cannot, or only in part, 2 wrong arguments, or no workspace here, "
    "130 interrupted."
)


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `_STATUSES`."""
    return run_command(_status, arguments)


@click.command("status", context_settings=CONTEXT, epilog=explained("  lcg status", _STATUSES))
@options.groups
@options.as_json
def _status(groups: list[str] | None, as_json: bool) -> int:
    """Show what the graph holds and how it is doing.

    With --json: what knowledge_status returns, as the reference says; --group leaves only those in wal_groups.
    """
    with open_graph(workspace()) as graph:
        status: dict[str, Any] = dict(graph.knowledge_status())
    if groups is not None:
        status["wal_groups"] = {name: log for name, log in status["wal_groups"].items() if name in groups}
    if as_json:
        write_json(status)
    else:
        tell(warnings_of(status))
        _show(status)
    return FAILED if _troubles(status) else 0


def _show(status: Mapping[str, Any]) -> None:
    out = console()
    rows = list(_rows(status))
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        out.print(f"{name.ljust(width)}  {one_line(value)}")
    for trouble in _troubles(status):
        out.print(one_line(trouble), style="red")


def _rows(status: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    state = "starting" if status["initializing"] else "ready" if status["queryable"] else "not usable"
    yield "state", f"{state} (lcg {status['version']}, process {status['pid']})"
    yield "workspace", str(Path.cwd())
    if "database_path" in status:
        yield "store", status["database_path"]
    for name, field in (
        ("entities", "entity_count"),
        ("facts", "relationship_count"),
        ("episodes", "episode_count"),
    ):
        count = status.get(field)
        yield name, "unknown" if count is None else f"{count:,}"
    yield "groups", ", ".join(_group(*item) for item in status["wal_groups"].items()) or "none"
    wal = status["wal"]
    yield "log", f"{wal['file_count']} files, {wal['byte_size']:,} bytes"
    if "embedding" in status:
        embedding = status["embedding"]
        yield "embedder", f"{embedding['model']}, {embedding['dim']} numbers, {embedding['state']}"
    extractor = status["extractor"]
    yield "extractor", extractor["provider"] + (f", {extractor['model']}" if extractor["model"] else "")


def _group(name: str, log: Mapping[str, Any]) -> str:
    return f"{name} ({log['pending']} lines behind)" if log["pending"] else name


def _troubles(status: Mapping[str, Any]) -> list[str]:
    """Return what keeps the graph from being used as it should be, each with what to do."""
    troubles = []
    if status.get("degraded"):
        ways = ", ".join(status.get("recovery_available", ())) or "none"
        reason = status.get("reason", "unknown")
        troubles.append(f"The store is not open: {reason}. Ways to mend it: {ways}; `lcg doctor` says more.")
    if status.get("writes_refused"):
        troubles.append(f"Writes are refused: {status['writes_refused']}. Make room, then start again.")
    if status.get("failed_records"):
        count = len(status["failed_records"])
        troubles.append(f"{count} lines of the log could not be applied; `lcg verify` says which.")
    return troubles
