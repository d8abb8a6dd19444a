"""Tells how many of the ten rows nearest to a query in meaning are found, in the workspace that this process is in.

Run as `python -m bench.overlap QUERIES`. The exact ten come from one product of matrices over the embedded texts of all
rows. It prints JSON: the mean share by kind of row. Which of rows that are equally near comes first is no matter.
"""

import json
import sys
from collections.abc import Sequence
from typing import Final

import numpy as np

from bench.sentences import queries
from bench.vectors import WANTED, recall
from lcg.graph.entries import Kind
from lcg.ontology.workspace import Ontologies
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.runtime.groups import ALL_GROUPS
from lcg.search.protocol import Hit, VectorIndex, VectorKind
from lcg.server.log_opening import open_log
from lcg.server.models import Models
from lcg.server.startup import open_core
from lcg.settings import read_settings
from lcg.telemetry import Telemetry

_AT_ONCE: Final = 10_000


def overlap(
    vectors: VectorIndex,
    kind: VectorKind,
    rows: Sequence[tuple[str, str]],
    embedder: BuiltinEmbedder,
    asked: Sequence[str],
) -> float:
    """Return the mean share of the nearest of the rows, which are uuids with texts, that are found."""
    matrix = np.vstack(
        [embedder.embed([text for _, text in rows[i : i + _AT_ONCE]]) for i in range(0, len(rows), _AT_ONCE)]
    )
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    place = {uuid: number for number, (uuid, _) in enumerate(rows)}
    shares = []
    for query in embedder.embed(asked):
        scores = matrix @ (query / np.linalg.norm(query))
        best = [Hit("", float(score)) for score in np.sort(scores)[::-1][:WANTED]]
        hits = vectors.search(kind, query, ALL_GROUPS, WANTED)
        shares.append(recall([float(scores[place[hit.uuid]]) for hit in hits], best))
    return float(np.mean(shares))


def main() -> None:
    """Open the workspace, and print."""
    settings = read_settings({"LCG_TELEMETRY": "0"})
    telemetry, log = Telemetry(enabled=False), open_log(settings)
    core, derived = open_core(settings, log, Models(None, None), telemetry, Ontologies(settings.workspace_root))
    uuids: dict[Kind, list[str]] = {Kind.ENTITY: [], Kind.EDGE: []}
    for uuid, (kind, _) in core.graph.index.places.items():
        if kind in uuids:
            uuids[kind].append(uuid)
    nodes = [(row.uuid, row.name) for row in core.graph.entities(uuids[Kind.ENTITY]).values()]
    facts = [(row.uuid, row.fact) for row in core.graph.edges(uuids[Kind.EDGE]).values()]
    embedder, asked = BuiltinEmbedder(), queries(int(sys.argv[1]))
    shares = {
        "nodes": overlap(derived.vectors, VectorKind.ENTITY_NAME, nodes, embedder, asked),
        "facts": overlap(derived.vectors, VectorKind.EDGE_FACT, facts, embedder, asked),
    }
    core.graph.close()
    derived.close()
    log.close()
    print(json.dumps(shares))


if __name__ == "__main__":
    main()
