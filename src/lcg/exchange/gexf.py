"""The format `gexf`: entities and facts with the time in which each holds, for Gephi's timeline.

It is version 1.2 and its timeline counts days, since NetworkX reads nothing else. `valid_at` and `invalid_at` are
exact.
"""

from collections.abc import Iterable
from typing import BinaryIO, Final

from lcg.exchange.graph_reader import GraphReader
from lcg.exchange.shown import EDGE_FIELDS, NODE_FIELDS, Shown, edge_values, node_values, time
from lcg.exchange.xml_text import attribute
from lcg.model.rows import Edge

_HEAD: Final = """<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
<meta><creator>lcg</creator></meta>
<graph defaultedgetype="directed" mode="dynamic" timeformat="date">
"""


def write(graph: GraphReader, out: BinaryIO) -> Iterable[str]:
    """Write a directed graph, whose edges begin and end when their facts do; what is empty is left out."""
    shown = Shown(graph)
    _put(out, _HEAD)
    for kind, names in (("node", NODE_FIELDS), ("edge", EDGE_FIELDS)):
        _put(out, f'<attributes class="{kind}" mode="static">\n')
        for name in names:
            _put(out, f'<attribute id="{kind}_{name}" title="{name}" type="string"/>\n')
        _put(out, "</attributes>\n")
    _put(out, "<nodes>\n")
    for entity in shown.entities():
        head = f"<node id={attribute(entity.uuid)} label={attribute(entity.name)}>"
        _put(out, f"{head}{_values('node', NODE_FIELDS, node_values(entity))}</node>\n")
    _put(out, "</nodes>\n<edges>\n")
    for edge in shown.edges():
        ends = f"source={attribute(edge.source_uuid)} target={attribute(edge.target_uuid)}"
        head = f"<edge id={attribute(edge.uuid)} {ends} label={attribute(edge.name)}{_span(edge)}>"
        _put(out, f"{head}{_values('edge', EDGE_FIELDS, edge_values(shown, edge))}</edge>\n")
    _put(out, "</edges>\n</graph>\n</gexf>\n")
    return shown.notes()


def _span(edge: Edge) -> str:
    """Return when a fact begins and ends; one that ended before it began, which logs may hold, has no begin."""
    begins = edge.valid_at
    if begins is not None and edge.invalid_at is not None and edge.invalid_at < begins:
        begins = None
    found = (("start", begins), ("end", edge.invalid_at))
    return "".join(f" {name}={attribute(time(moment)[:10])}" for name, moment in found if moment is not None)


def _values(kind: str, names: tuple[str, ...], values: Iterable[str]) -> str:
    filled = "".join(
        f'<attvalue for="{kind}_{name}" value={attribute(value)}/>'
        for name, value in zip(names, values, strict=True)
        if value
    )
    return f"<attvalues>{filled}</attvalues>" if filled else ""


def _put(out: BinaryIO, text: str) -> None:
    out.write(text.encode())
