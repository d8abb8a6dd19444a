"""How much of what is nearest approximate search finds, on 50,000 vectors of the built-in embedder."""

import json
import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from bench.sentences import names, queries, sentences
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.search.approximate import ApproximateTable, Sizes
from lcg.search.protocol import Hit
from lcg.search.vector_table import VectorTable

ROWS = 50_000
SWITCH_OVER = 20_000
QUERIES = 300
WANTED = 10
LEAST_RECALL = 0.95


def corpus() -> Iterator[str]:
    """Yield the sentences of the test data, if there is any."""
    folder = os.environ.get("LCG_TEST_DATA")
    if not folder:
        return
    for line in (Path(folder) / "apollo" / "corpus_prose.jsonl").read_text(encoding="utf-8").splitlines():
        yield from re.split(r"(?<=[.!?])\s+", json.loads(line)["prose"])


def recall(hits: list[Hit], best: list[Hit]) -> float:
    """Return the share of hits that are as near as the nearest rows; which of equals come first is no matter."""
    return sum(hit.score >= best[-1].score - 1e-6 for hit in hits) / len(best)


def test_at_least_95_in_100_of_the_ten_nearest_of_50_000_rows_are_found() -> None:
    real = dict.fromkeys(corpus())
    asked = [*islice(real, 0, None, 40), *queries(QUERIES)]
    texts = list(dict.fromkeys([*real, *names(ROWS // 4), *sentences(ROWS)]))[:ROWS]
    embedder = BuiltinEmbedder()
    exact, table = VectorTable(embedder.dim), ApproximateTable(embedder.dim, Sizes(SWITCH_OVER), None, lambda: None)
    for number, vector in enumerate(embedder.embed(texts)):
        exact.put(str(number), vector)
        table.put(str(number), vector)
    while (job := table.next_job()) is not None:
        assert job.run(2, lambda: False)
        table.take_over(job)
    assert table.indexed >= ROWS - SWITCH_OVER // 5
    found = [recall(table.nearest(q, WANTED), exact.nearest(q, WANTED)) for q in embedder.embed(asked)]
    assert len(found) >= QUERIES
    assert np.mean(found) >= LEAST_RECALL
    assert np.mean([share < 0.5 for share in found]) <= 0.01, "some searches find next to nothing"
