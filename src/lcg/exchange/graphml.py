"""The format `graphml`: entities and facts for programs that analyse graphs, such as NetworkX, yEd and Gephi."""

from collections.abc import Iterable
from typing import BinaryIO, Final

from lcg.exchange.graph_reader import GraphReader
from lcg.exchange.shown import EDGE_FIELDS, NODE_FIELDS, Shown, edge_values, node_values
from lcg.exchange.xml_text import attribute, content

_NODE: Final = ("name", *NODE_FIELDS)
_EDGE: Final = ("predicate", *EDGE_FIELDS)
_HEAD: Final = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


def write(graph: GraphReader, out: BinaryIO) -> Iterable[str]:
    """Write a directed graph: a node for each entity, an edge for each fact; what is empty is left out."""
    shown = Shown(graph)
    _put(out, _HEAD)
    for kind, names in (("node", _NODE), ("edge", _EDGE)):
        for name in names:
            key = f"{kind}_{name}"
            _put(out, f'<key id="{key}" for="{kind}" attr.name="{name}" attr.type="string"/>\n')
    _put(out, '<graph edgedefault="directed">\n')
    for entity in shown.entities():
        values = (entity.name, *node_values(entity))
        _put(out, f"<node id={attribute(entity.uuid)}>{_data('node', _NODE, values)}</node>\n")
    for edge in shown.edges():
        told = (edge.name, *edge_values(shown, edge))
        ends = f"source={attribute(edge.source_uuid)} target={attribute(edge.target_uuid)}"
        _put(out, f"<edge id={attribute(edge.uuid)} {ends}>{_data('edge', _EDGE, told)}</edge>\n")
    _put(out, "</graph>\n</graphml>\n")
    return shown.notes()


def _data(kind: str, names: tuple[str, ...], values: Iterable[str]) -> str:
    return "".join(
        f'<data key="{kind}_{name}">{content(value)}</data>' for name, value in zip(names, values, strict=True) if value
    )


def _put(out: BinaryIO, text: str) -> None:
    out.write(text.encode())
