"""The format `html`: one page to look at and walk through, which needs a browser and nothing else."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

from lcg.exchange.graph_reader import GraphReader
from lcg.explorer.page import file_page
from lcg.explorer.reading import Budget, read_graph
from lcg.explorer.records import GraphRecord
from lcg.explorer.selection import select

MOST_SOURCE_CHARS: Final = 20_000_000
"""Characters of all sources together; what is beyond them is named without its text."""


def write(graph: GraphReader, out: BinaryIO) -> Iterable[str]:
    """Write the page; its size is bounded, whatever the size of the graph."""
    groups = graph.groups()
    title = f"Context graph: {', '.join(groups)}" if groups else "Context graph"
    budget = Budget(MOST_SOURCE_CHARS)
    record = read_graph(graph, select(graph), title, groups, budget)
    out.write(file_page(title, record))
    return list(_notes(record, budget))


def _notes(record: GraphRecord, budget: Budget) -> Iterator[str]:
    nodes, facts = len(record["nodes"]), len(record["facts"])
    if nodes < record["total_nodes"]:
        yield (
            f"the page has the best-connected {nodes:,} of {record['total_nodes']:,} entities, and {facts:,} of "
            f"{record['total_facts']:,} facts. `lcg view` loads the others on demand."
        )
    if budget.left_out:
        yield (
            f"so that it does not become too large, the page leaves out the text of {budget.left_out:,} of its sources."
        )
