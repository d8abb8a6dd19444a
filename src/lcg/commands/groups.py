"""`lcg groups`: the groups of the graph, and how much is in each."""

from collections.abc import Sequence
from typing import Any, Final

import click

from lcg.commands import options
from lcg.commands.common import say, workspace
from lcg.commands.graph import open_graph
from lcg.commands.output import table, write_json
from lcg.commands.running import CONTEXT, explained, run_command
from lcg.generated.client import Methods

_LABELS: Final = {"entities": "Entity", "facts": "RelatesToNode_", "episodes": "Episodic"}


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `lcg.commands.running`."""
    return run_command(_groups, arguments)


@click.command("groups", context_settings=CONTEXT, epilog=explained("  lcg groups\n  lcg groups --json"))
@options.groups
@options.as_json
def _groups(groups: list[str] | None, as_json: bool) -> None:
    """List the groups: what is in each, and how far the graph has followed its log."""
    with open_graph(workspace()) as graph:
        found = [group for group in _all(graph) if groups is None or group["group_id"] in groups]
    if as_json:
        write_json({"groups": found, "count": len(found)})
    elif not found:
        say("There is no group yet." if groups is None else "There is no group of that name; `lcg groups` lists all.")
    else:
        headings = ("group", "entities", "facts", "episodes", "log", "pending")
        keys = ("group_id", "entities", "facts", "episodes", "max_seq", "pending")
        rows = ([group[key] for key in keys] for group in found)
        table(headings, rows, right=headings[1:])


def _all(graph: Methods) -> list[dict[str, Any]]:
    logs = graph.knowledge_status()["wal_groups"]
    counts = {name: _counts(graph, label) for name, label in _LABELS.items()}
    names = sorted({*logs, *(group for count in counts.values() for group in count)})
    return [
        {
            "group_id": name,
            **{what: count.get(name, 0) for what, count in counts.items()},
            "max_seq": logs.get(name, {}).get("max_seq"),
            "applied_seq": logs.get(name, {}).get("applied_seq"),
            "pending": logs.get(name, {}).get("pending"),
            "state": logs.get(name, {}).get("hydration_status", "not_applicable"),
        }
        for name in names
    ]


def _counts(graph: Methods, label: str) -> dict[str, int]:
    found = graph.knowledge_query_cypher(f"MATCH (n:{label}) RETURN n.group_id, count(*)", max_rows=100_000)
    return dict(found["rows"])
