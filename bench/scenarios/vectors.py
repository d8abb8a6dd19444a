"""Search by vectors on its own; `bench/vectors.py` has more sizes and parameters."""

import numpy as np

from bench.scenario import Figure, Result, Run, Scenario, interleaved
from bench.sentences import queries
from bench.vectors import WANTED, Vectors, built, percentiles, recall, texts_of
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.search.protocol import Vector
from lcg.search.vector_table import VectorTable


def measure(run: Run) -> Result:
    """Compare the exact table with one product, and an index with both."""
    rows, asked_for = run.pick(50_000, 5_000, 200), run.pick(300, 100, 5)
    embedder = BuiltinEmbedder()
    vectors, asked = embedder.embed(texts_of(rows)), embedder.embed(queries(asked_for))
    table = VectorTable(vectors.shape[1])
    for place, vector in enumerate(vectors):
        table.put(str(place), vector)
    best = [table.nearest(query, WANTED) for query in asked]
    index = built(vectors, threads=2)
    found = [index.nearest(query, WANTED)[1].tolist() for query in asked]
    taken = interleaved(
        run.rounds,
        {
            "table": lambda: percentiles(lambda query: table.nearest(query, WANTED), asked)[0],
            "bare": lambda: percentiles(lambda query: bare_nearest(vectors, query), asked)[0],
            "index": lambda: percentiles(lambda query: index.nearest(query, WANTED), asked)[0],
        },
    )
    shares = [recall(some, hits) for some, hits in zip(found, best, strict=True)]
    return Result(
        [
            Figure(f"exact search of {rows} rows", "ms", taken["table"], taken["bare"]),
            Figure(f"search of an index of {rows} rows", "ms", taken["index"], taken["bare"]),
            Figure(f"share of the ten nearest that an index of {rows} rows finds", "of 1", [float(np.mean(shares))]),
        ]
    )


def bare_nearest(vectors: Vectors, query: Vector) -> list[tuple[int, float]]:
    """Return the nearest rows with their scores: one product and a partial sort."""
    scores = vectors @ query
    first = np.argpartition(scores, -WANTED)[-WANTED:]
    return [(int(place), float(scores[place])) for place in first[np.argsort(-scores[first])]]


SCENARIO = Scenario(
    "vectors",
    "Search by vectors alone",
    "The ten nearest of rows with made-up texts, found by the exact table, and by an index as it serves very large "
    "groups. Bare is one product of the same matrix and a partial sort.",
    measure,
)
