"""`lcg search`: entities, facts and passages that match some words."""

from collections.abc import Sequence
from typing import Any, Final

import click

from lcg.commands import options
from lcg.commands.common import say, workspace
from lcg.commands.graph import open_graph
from lcg.commands.output import clean, console, one_line, tell, warnings_of, write_json
from lcg.commands.running import CONTEXT, explained, run_command
from lcg.commands.shapes import entity, entity_line, fact, fact_line, passage
from lcg.generated.client import Methods

KINDS: Final = ("entities", "facts", "passages")
_EXCERPT: Final = 300
"""Characters of a passage that people are shown; JSON has all of it."""


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `lcg.commands.running`."""
    return run_command(_search, arguments)


@click.command(
    "search",
    context_settings=CONTEXT,
    epilog=explained("  lcg search who looks after the index\n  lcg search --only facts --group notes Priya"),
)
@click.argument("words", nargs=-1, required=True)
@click.option("--only", type=click.Choice(KINDS), multiple=True, help="Only these; can be repeated.")
@options.limit(10, "Most results of each kind.")
@click.option("--at", metavar="TIME", help="Only facts that held then, such as 2026-01-31.")
@options.groups
@options.as_json
def _search(
    words: tuple[str, ...], only: tuple[str, ...], limit: int, at: str | None, groups: list[str] | None, as_json: bool
) -> None:
    """Find entities, facts and passages by words and by meaning, the best first."""
    query = " ".join(words)
    with open_graph(workspace()) as graph:
        found = find(graph, query, only or KINDS, limit, at, groups)
    tell(found["warnings"])
    if as_json:
        write_json({"query": query, "groups": groups, **found})
    else:
        _show(query, found)


def find(
    graph: Methods, query: str, kinds: Sequence[str], limit: int, at: str | None, groups: list[str] | None
) -> dict[str, list[Any]]:
    """Return what matches, as `{"entities", "facts", "passages", "warnings"}`; kinds not asked for are empty."""
    found: dict[str, list[Any]] = {kind: [] for kind in KINDS}
    results: list[Any] = []
    if "entities" in kinds:
        results.append(entities := graph.knowledge_find_entities(query, num_results=limit, group_ids=groups))
        found["entities"] = [entity(record) for record in entities["nodes"]]
    if "facts" in kinds:
        results.append(
            facts := graph.knowledge_find_relationships(query, num_results=limit, valid_at=at, group_ids=groups)
        )
        found["facts"] = [fact(record) for record in facts["edges"]]
    if "passages" in kinds:
        results.append(passages := graph.knowledge_search_passages(query, num_results=limit, group_ids=groups))
        found["passages"] = [passage(record) for record in passages["passages"]]
    return {**found, "warnings": warnings_of(*results)}


def _show(query: str, found: dict[str, list[Any]]) -> None:
    if not any(found[kind] for kind in KINDS):
        say(f"Nothing matches {one_line(query)!r}.")
        return
    out = console()
    lines = {
        "entities": [entity_line(shape) for shape in found["entities"]],
        "facts": [fact_line(shape) for shape in found["facts"]],
        "passages": [
            f"{one_line(shape['source'] or shape['name'])}: {one_line(shape['text'], _EXCERPT)}"
            for shape in found["passages"]
        ],
    }
    first = True
    for kind in KINDS:
        if lines[kind]:
            if not first:
                out.print()
            first = False
            out.print(clean(kind.capitalize()), style="bold")
            for line in lines[kind]:
                out.print(f"  {line}")
