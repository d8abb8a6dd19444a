"""The format `jsonl`: everything, one row a line. `lcg import` makes the same rows of it again."""

from collections.abc import Iterable
from typing import BinaryIO

from lcg.exchange.graph_reader import GraphReader
from lcg.exchange.lines import KINDS, header


def write(graph: GraphReader, out: BinaryIO) -> Iterable[str]:
    """Write the rows, those first that others refer to."""
    counts = graph.counts()
    rows = dict(zip(KINDS, (counts.entities, counts.edges, counts.episodes, counts.mentions), strict=True))
    out.write(header(graph.groups(), rows) + b"\n")
    for kind in KINDS:
        for line in graph.lines(kind):
            out.write(line + b"\n")
    return ()
