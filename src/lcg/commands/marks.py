"""`lcg marks`: the marks in the logs, to which `lcg restore` can go back."""

from collections.abc import Sequence
from typing import Any

import click

from lcg.commands import options
from lcg.commands.common import say, workspace
from lcg.commands.graph import open_graph
from lcg.commands.output import table, write_json
from lcg.commands.running import CONTEXT, explained, run_command
from lcg.generated.client import Methods


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `lcg.commands.running`."""
    return run_command(_marks, arguments)


@click.command("marks", context_settings=CONTEXT, epilog=explained("  lcg marks\n  lcg marks --group notes"))
@options.groups
@options.as_json
def _marks(groups: list[str] | None, as_json: bool) -> None:
    """List the marks in the logs: where each is, and whether `lcg restore` can go back to it."""
    with open_graph(workspace()) as graph:
        names = groups or graph.knowledge_status()["wal_groups"]
        marks = [mark for group in names for mark in _of_group(graph, group)]
    if as_json:
        write_json({"marks": marks, "count": len(marks)})
    elif not marks:
        say("There is no mark; knowledge_wal_mark_create makes one.")
    else:
        headings = ("group", "mark", "line", "last line", "made", "reachable")
        rows = (
            [mark["group_id"], mark["name"], mark["seq"], mark["max_seq"], mark["created_at"], _yes(mark["reachable"])]
            for mark in marks
        )
        table(headings, rows, right=("line", "last line"))


def _of_group(graph: Methods, group: str) -> list[dict[str, Any]]:
    return [
        {
            "group_id": group,
            "name": mark["name"],
            "seq": mark["seq"],
            "max_seq": mark["wal_max_seq"],
            "created_at": mark["created_at"],
            "reachable": mark["reachable"],
        }
        for mark in graph.knowledge_wal_mark_list(group_id=group)["checkpoints"]
    ]


def _yes(value: bool) -> str:
    return "yes" if value else "no"
