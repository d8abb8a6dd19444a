"""`lcg show`: one entity with its summary, facts, neighbours and sources."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import click

from lcg.commands import options
from lcg.commands.common import workspace
from lcg.commands.graph import open_graph
from lcg.commands.output import console, one_line, tell, warnings_of, write_json
from lcg.commands.running import CONTEXT, CommandFailed, explained, run_command
from lcg.commands.shapes import entity, entity_line, fact, fact_line
from lcg.generated.client import Methods
from lcg.model.names import normalise
from lcg.model.rows import MERGED

if TYPE_CHECKING:
    from lcg.commands.console import Screen

_BY_NAME: Final = "MATCH (e:Entity) WHERE lower(e.name) = lower($name) AND NOT $merged IN e.labels RETURN e LIMIT 1000"
_BY_UUID: Final = "MATCH (e:Entity {uuid: $uuid}) RETURN e"
_SOURCES: Final = """MATCH (p:Episodic)-[:MENTIONS]->(e:Entity {uuid: $uuid})
RETURN DISTINCT p.source_description ORDER BY p.source_description"""
_NEAR: Final = 5


def run(arguments: Sequence[str]) -> int:
    """Run the sub-command. Exit status: see `lcg.commands.running`."""
    return run_command(_show, arguments)


@click.command("show", context_settings=CONTEXT, epilog=explained("  lcg show Priya Nair\n  lcg show --json Orders"))
@click.argument("name", nargs=-1, required=True)
@options.limit(50, "Most facts.")
@click.option("--at", metavar="TIME", help="Only facts that held then, such as 2026-01-31.")
@options.groups
@options.as_json
def _show(name: tuple[str, ...], limit: int, at: str | None, groups: list[str] | None, as_json: bool) -> None:
    """Show one entity by its name, letter case aside, or by its uuid; with several groups, each that is called so."""
    wanted = " ".join(name)
    with open_graph(workspace()) as graph:
        shown = [_with_facts(graph, node, limit, at, groups) for node in _found(graph, wanted, groups)]
        if not shown:
            raise CommandFailed(_nothing(graph, wanted, groups))
    for one in shown:
        tell(one["warnings"])
    if as_json:
        write_json({"name": wanted, "groups": groups, "entities": shown, "count": len(shown)})
        return
    for index, one in enumerate(shown):
        if index:
            console().print()
        _print(one)


def _found(graph: Methods, wanted: str, groups: list[str] | None) -> list[dict[str, Any]]:
    """Return the entities that are meant, as the store has them, in the order of their groups."""
    try:
        uuid = str(UUID(wanted))
    except ValueError:
        parameters = {"name": normalise(wanted), "merged": MERGED}
        rows = graph.knowledge_query_cypher(_BY_NAME, parameters=parameters)["rows"]
    else:
        rows = graph.knowledge_query_cypher(_BY_UUID, parameters={"uuid": uuid})["rows"]
    nodes = [node for (node,) in rows if groups is None or node["group_id"] in groups]
    return sorted(nodes, key=lambda node: (node["group_id"], node["uuid"]))


def _nothing(graph: Methods, wanted: str, groups: list[str] | None) -> str:
    near = graph.knowledge_find_entities(wanted, num_results=_NEAR, group_ids=groups)["nodes"]
    names = ", ".join(one_line(node["name"]) for node in near)
    advice = f"Near are: {names}." if near else "`lcg groups` says whether anything is there."
    return f"no entity is called {one_line(wanted)!r}. {advice}"


def _with_facts(
    graph: Methods, node: Mapping[str, Any], limit: int, at: str | None, groups: list[str] | None
) -> dict[str, Any]:
    """Return `{uuid, name, group_id, labels, summary, attributes, created_at, sources, facts, neighbors, ...}`."""
    uuid = node["uuid"]
    around = graph.knowledge_get_entity_neighbors(uuid, num_results=limit, valid_at=at, group_ids=groups)
    sources = graph.knowledge_query_cypher(_SOURCES, parameters={"uuid": uuid})["rows"]
    return {
        **{key: node[key] for key in ("uuid", "name", "group_id", "labels", "summary", "created_at")},
        "attributes": _attributes(node["attributes"]),
        "sources": [source for (source,) in sources],
        "facts": [fact(edge) for edge in around["edges"]],
        "neighbors": [entity(neighbour) for neighbour in around["nodes"]],
        "fact_count": around["total"],
        "merged_into": around.get("merged_into"),
        "warnings": warnings_of(around),
    }


def _attributes(text: str) -> dict[str, Any]:
    """Return attributes; text that is no JSON object, which Cypher can leave, as the one attribute `attributes`."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = text
    return value if isinstance(value, dict) else {"attributes": value}


def _print(shown: Mapping[str, Any]) -> None:
    out = console()
    types = ", ".join(label for label in shown["labels"] if label != "Entity")
    out.print(one_line(shown["name"]), style="bold", end="")
    out.print(f" ({one_line(types)})" if types else "", end="")
    out.print(f"  [{one_line(shown['group_id'])}]  {shown['uuid']}", style="dim")
    if shown["merged_into"]:
        out.print(f"Was merged into {shown['merged_into']}.")
    if shown["summary"].strip():
        out.print(one_line(shown["summary"]))
    for key, value in shown["attributes"].items():
        out.print(one_line(f"{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"))
    _list(out, "Facts", map(fact_line, shown["facts"]))
    if shown["fact_count"] > len(shown["facts"]):
        out.print(f"  … and {shown['fact_count'] - len(shown['facts']):,} more; --limit shows more.")
    _list(out, "Neighbours", map(entity_line, shown["neighbors"]))
    _list(out, "Sources", map(one_line, shown["sources"]))


def _list(out: "Screen", heading: str, lines: Iterable[str]) -> None:
    for index, line in enumerate(lines):
        if index == 0:
            out.print(f"\n{heading}", style="bold")
        out.print(f"  {line}")
