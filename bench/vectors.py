"""Measures vector search: exact and approximate, on made-up facts and names and the built-in embedder's vectors.

Run `python -m bench.vectors [SIZE ...] [--m M ...] [--ef-construction N ...] [--ef N ...]`. For each size it prints how
long exact search takes, and for each choice of parameters how long an index takes to build, save and load, its size on
disk, and for each ef the share of the ten nearest rows that are found and how long that takes. The values that the
program uses stand in `lcg/search/hnsw.py`; without options those and their neighbours are measured.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.sentences import names, queries, sentences
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.search import hnsw
from lcg.search.hnsw import HnswVectors, added_in_parts, digest_of
from lcg.search.protocol import Hit, Vector
from lcg.search.vector_table import VectorTable

QUERIES = 300
WANTED = 10

Vectors = NDArray[np.float32]


def texts_of(count: int) -> list[str]:
    """Return that many texts: facts, and a third as many names."""
    few = count // 4
    texts = sentences(count - few) + names(few)
    random.Random(1).shuffle(texts)
    return texts


def recall(found: list[float], best: list[Hit]) -> float:
    """Return the share of found rows that are as near as the nearest ones; which of equals come first is no matter."""
    worst = best[-1].score
    return sum(score >= worst - 1e-6 for score in found) / len(best)


def percentiles(search: Callable[[Vector], object], asked: Vectors) -> tuple[float, float]:
    """Return the median and the 95th percentile of a search's milliseconds."""
    taken = []
    for query in asked:
        start = time.perf_counter()
        search(query)
        taken.append(1e3 * (time.perf_counter() - start))
    median, high = np.percentile(taken, [50, 95])
    return float(median), float(high)


@contextmanager
def parameters(m: int, ef_construction: int) -> Iterator[None]:
    """Let new indexes be built with these."""
    before = hnsw.M, hnsw.EF_CONSTRUCTION
    hnsw.M, hnsw.EF_CONSTRUCTION = m, ef_construction
    try:
        yield
    finally:
        hnsw.M, hnsw.EF_CONSTRUCTION = before


def built(vectors: Vectors, threads: int) -> HnswVectors:
    """Build an index."""
    index = HnswVectors(vectors.shape[1], len(vectors))
    index.reserve(len(vectors))
    digests = [digest_of(vector) for vector in vectors]
    for part in added_in_parts(len(vectors)):
        index.add(digests[part], vectors[part], threads)
    return index


def measure(vectors: Vectors, asked: Vectors, options: argparse.Namespace) -> None:
    """Measure one size."""
    exact = VectorTable(vectors.shape[1])
    for number, vector in enumerate(vectors):
        exact.put(str(number), vector)
    best = [exact.nearest(query, WANTED) for query in asked]
    median, high = percentiles(lambda query: exact.nearest(query, WANTED), asked)
    print(f"\n{len(vectors)} rows. Exact: p50 {median:.2f} ms, p95 {high:.2f} ms")
    for m in options.m:
        for ef_construction in options.ef_construction:
            with parameters(m, ef_construction):
                start = time.perf_counter()
                index = built(vectors, options.threads)
                print(f"  M {m}, ef_construction {ef_construction}: build {time.perf_counter() - start:.1f} s", end="")
            index = saved_and_loaded(index, vectors.shape[1])
            for ef in options.ef:
                report(index, ef, asked, best)


def saved_and_loaded(index: HnswVectors, dim: int) -> HnswVectors:
    """Print what saving and loading cost; return the loaded index."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "index"
        start = time.perf_counter()
        index.save(path)
        saved = time.perf_counter()
        loaded = HnswVectors.load(path, dim, index.planned, index.digests)
        print(f", save {saved - start:.2f} s, load {time.perf_counter() - saved:.2f} s", end="")
        print(f", {path.stat().st_size / 1e6:.0f} MB (the vectors alone: {4 * dim * len(index) / 1e6:.0f})")
        return loaded


def report(index: HnswVectors, ef: int, asked: Vectors, best: list[list[Hit]]) -> None:
    """Print what an index finds with this ef, and how fast."""
    index.look_at(ef)
    found = [index.nearest(query, WANTED)[1].tolist() for query in asked]
    shares = [recall(some, hits) for some, hits in zip(found, best, strict=True)]
    median, high = percentiles(lambda query: index.nearest(query, WANTED), asked)
    print(f"    ef {ef:4}: recall@{WANTED} {np.mean(shares):.3f}, p50 {median:.2f} ms, p95 {high:.2f} ms", flush=True)


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("sizes", nargs="*", type=int, default=[5_000, 10_000, 20_000, 50_000])
    parser.add_argument("--m", nargs="+", type=int, default=[16, hnsw.M, 32])
    parser.add_argument("--ef-construction", nargs="+", type=int, default=[hnsw.EF_CONSTRUCTION])
    parser.add_argument("--ef", nargs="+", type=int, default=[10, 100, 200, hnsw.EF, 400])
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="threads that build (default: all)")
    options = parser.parse_args()
    embedder = BuiltinEmbedder()
    asked = embedder.embed(queries(QUERIES))
    for size in options.sizes:
        measure(embedder.embed(texts_of(size)), asked, options)


if __name__ == "__main__":
    main()
