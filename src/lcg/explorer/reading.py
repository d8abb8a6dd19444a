"""Reads what a page shows from the rows of a graph."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from lcg.exchange.graph_reader import GraphReader
from lcg.explorer.records import (
    AroundRecord,
    FactRecord,
    GraphRecord,
    NodeRecord,
    SourceRecord,
    fact_record,
    node_record,
    source_record,
)
from lcg.explorer.selection import Selection
from lcg.model.rows import Edge, Entity

FORMAT: Final = 1
MOST_TEXT_CHARS: Final = 20_000
"""Characters of one source in a page."""
_FACTS_OF_A_PAGE: Final = 200


@dataclass(slots=True)
class Budget:
    """How many characters of sources a page may still take; with 0, it has none of their texts."""

    chars: int
    left_out: int = field(default=0)

    def take(self, wanted: int) -> int:
        """Return how many of these characters there is room for: all or none."""
        if wanted > self.chars:
            self.left_out += 1
            return 0
        self.chars -= wanted
        return wanted


def read_graph(
    graph: GraphReader, selection: Selection, title: str, groups: Sequence[str] | None, budget: Budget
) -> GraphRecord:
    """Return the part of the graph that was chosen, with as much of its sources' texts as the budget allows."""
    chosen = dict.fromkeys(selection.chosen)
    mentions = _mentions(graph, chosen)
    episodes = {episode.uuid for episode in graph.episodes()}
    rows = {row.uuid: row for row in graph.entities() if row.uuid in chosen}
    nodes = [node_record(rows[uuid], selection.degrees[uuid], mentions[uuid]) for uuid in chosen]
    facts = [
        fact_record(row, [uuid for uuid in row.episodes if uuid in episodes])
        for row in graph.edges()
        if row.source_uuid in chosen and row.target_uuid in chosen
    ]
    return {
        "format": FORMAT,
        "title": title,
        "groups": None if groups is None else list(groups),
        "total_nodes": len(selection.degrees),
        "total_facts": selection.total_facts,
        "nodes": nodes,
        "facts": facts,
        "sources": _sources(graph, _named(nodes, facts), budget),
    }


def _mentions(graph: GraphReader, chosen: Iterable[str]) -> dict[str, list[str]]:
    """Return for each of these entities the episodes that mention it."""
    found: dict[str, list[str]] = {uuid: [] for uuid in chosen}
    for mention in graph.mentions():
        if mention.entity_uuid in found:
            found[mention.entity_uuid].append(mention.episode_uuid)
    return found


def _named(nodes: Iterable[NodeRecord], facts: Iterable[FactRecord]) -> set[str]:
    return {uuid for record in (*nodes, *facts) for uuid in record["sources"]}


def _sources(graph: GraphReader, wanted: set[str], budget: Budget) -> list[SourceRecord]:
    found = []
    for row in graph.episodes():
        if row.uuid in wanted:
            most = min(len(row.content), MOST_TEXT_CHARS)
            found.append(source_record(row, budget.take(most)))
    return found


class Details:
    """Answers what a page asks for later, from the rows that it began with.

    Args:
        graph: the rows.
        selection: what was chosen of them.
    """

    def __init__(self, graph: GraphReader, selection: Selection) -> None:
        self._graph = graph
        self._degrees = selection.degrees

    def around(self, uuid: str, offset: int) -> AroundRecord:
        """Return a page of the facts of an entity, and the entities at both of their ends."""
        edges = (edge for edge in self._graph.edges_of(uuid) if self._is_shown(edge))
        page = list(islice(edges, offset, offset + _FACTS_OF_A_PAGE + 1))
        shown = page[:_FACTS_OF_A_PAGE]
        ends = dict.fromkeys(end for edge in shown for end in (edge.source_uuid, edge.target_uuid))
        nodes = self.nodes(ends or (uuid,))
        facts = [self._fact(edge) for edge in shown]
        return {
            "nodes": nodes,
            "facts": facts,
            "sources": [source for each in sorted(_named(nodes, facts)) if (source := self._source(each, 0))],
            "has_more": len(page) > _FACTS_OF_A_PAGE,
            "next": offset + len(shown),
        }

    def nodes(self, uuids: Iterable[str]) -> list[NodeRecord]:
        """Return those of these entities that are here, in their order."""
        rows = (self._graph.entity(uuid) for uuid in uuids if uuid in self._degrees)
        return [self._node(row) for row in rows if row is not None]

    def source(self, uuid: str) -> SourceRecord | None:
        """Return an episode with its text, or None when it is not here."""
        return self._source(uuid, MOST_TEXT_CHARS)

    def _is_shown(self, edge: Edge) -> bool:
        return edge.source_uuid in self._degrees and edge.target_uuid in self._degrees

    def _node(self, row: Entity) -> NodeRecord:
        episodes = [episode.uuid for episode in self._graph.episodes_of(row.uuid)]
        return node_record(row, self._degrees[row.uuid], episodes)

    def _fact(self, edge: Edge) -> FactRecord:
        return fact_record(edge, [uuid for uuid in edge.episodes if self._graph.episode(uuid) is not None])

    def _source(self, uuid: str, most_chars: int) -> SourceRecord | None:
        row = self._graph.episode(uuid)
        return None if row is None else source_record(row, most_chars)
