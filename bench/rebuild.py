"""Measures a rebuild from the log, phase by phase, beside what the bare engines need for the same rows.

Run `python -m bench.rebuild [--entities N] [--edges N]`. It writes a made-up log, rebuilds it in an empty workspace by
the product's own code, copies the same rows from ready Arrow tables into a bare database of the same schema, and puts
the same prepared texts into bare FTS5 tables. The bare COPY comes twice: with the engine as it is, which compresses
columns as our store does, and without compression. `--scale` rebuilds logs of growing length with short texts instead.
Each measurement has a process of its own, so that its peak memory is its own.
"""

import argparse
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import kuzu
import pyarrow as pa

from bench.made_log import GROUP, write_log
from lcg.graph.derived import Derived, contribution_of
from lcg.graph.disk_space import DiskSpace
from lcg.graph.entries import Kind
from lcg.graph.fold import Fold
from lcg.graph.followed import FollowedStreams
from lcg.graph.graph import Graph
from lcg.graph.opening import load_graph
from lcg.graph.rebuild_reading import LineCounts, read_into
from lcg.graph.rebuild_scope import RebuildRequest, Scope
from lcg.graph.record_log import RecordLog
from lcg.providers.embedder.builtin import BuiltinEmbedder
from lcg.runtime.call import Call
from lcg.search.fts import SqliteTextIndex, indexed
from lcg.search.protocol import TextKind
from lcg.search.vectors import SqliteVectorIndex
from lcg.services.embedding import Embedding
from lcg.services.rebuild.jobs import Job
from lcg.services.rebuild.rebuilder import Rebuilder
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, NUMBER, TEXTS, TIME
from lcg.store.kuzu.schema import GRAPH_TABLES
from lcg.store.kuzu.store import KuzuStore
from lcg.wal.excluded import Excluded
from lcg.wal.log import Log

PUBLISHED_MUTATIONS_PER_SECOND = 242.7
"""What the reference implementation's documentation gives as its own rebuild's rate."""

ResultT = TypeVar("ResultT")


class Took(NamedTuple):
    """Seconds: as they passed, and of processor time. The latter are what a busy machine cannot spoil."""

    wall: float
    cpu: float

    def since(self, before: "Took") -> "Took":
        """Return what passed between two moments."""
        return Took(self.wall - before.wall, self.cpu - before.cpu)

    def and_then(self, other: "Took") -> "Took":
        """Return the sum."""
        return Took(self.wall + other.wall, self.cpu + other.cpu)


def now() -> Took:
    """Return this moment. What processes took that were started and have ended counts too."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Took(time.perf_counter(), time.process_time() + ended.ru_utime + ended.ru_stime)


@dataclass(slots=True)
class Measured:
    """One process's result: seconds by phase, how many there were of what, and its peak memory in MB."""

    seconds: dict[str, Took] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    peak: dict[str, float] = field(default_factory=dict)


class Timed:
    """Stands for an object and adds up the time that calls of its `update` take."""

    def __init__(self, timed: Any) -> None:
        self._timed = timed
        self.seconds = Took(0.0, 0.0)

    def update(self, *arguments: Any) -> Any:
        """Call the object's own `update`."""
        start = now()
        try:
            return self._timed.update(*arguments)
        finally:
            self.seconds = self.seconds.and_then(now().since(start))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._timed, name)


def peak_megabytes() -> float:
    """Return the most memory that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << (10 if sys.platform != "darwin" else 20))


# What is measured, each in a process of its own


def embed(root: Path) -> Measured:
    """Give every text of the group its vector, as the thread behind a rebuild's answer does."""
    fold, vectors = folded(root), open_vectors(root)
    change = contribution_of(load_nothing(fold), fold.entities.values(), fold.edges.values(), fold.episodes.values())
    texts = {entry.text for entry in change.vectors}
    start = now()
    Embedding(BuiltinEmbedder(), vectors).prepare(texts)
    vectors.close()
    return Measured({"embedding": now().since(start)}, {"texts": len(texts)})


def rebuild(root: Path) -> Measured:
    """Rebuild the group in an empty workspace, with what the vector cache has."""
    text, vectors = Timed(SqliteTextIndex(root / "search" / "text.db")), Timed(open_vectors(root))
    log, followed = Log(root / "wal"), FollowedStreams(root / "streams")
    derived = Derived(text, vectors)
    store = KuzuStore(root / "graph.db", "kuzu")
    space = DiskSpace(root, root)
    graph = Graph(lambda: load_graph(store, derived), RecordLog(log, followed, space))
    # Nothing is embedded: with an empty cache the rows wait for vectors, which is measured apart.
    rebuilder = Rebuilder(graph, log, followed, Embedding(_NoEmbedder(), vectors), most_samples=10)
    at: dict[str, Took] = {}
    memory: dict[str, float] = {}

    def report(phase: str, done: int, total: int, counts: LineCounts, job: Job) -> None:
        at.setdefault(phase, now())
        if phase == "applying" and done == total:
            read_by_key_and_link(graph)
        at[f"{phase} done"] = now()
        memory[phase] = peak_megabytes()

    begun = now()
    checked, job = rebuilder.begin(RebuildRequest(GROUP))
    done = rebuilder.rebuild(checked, job, Call("knowledge_rebuild_from_wal"), report)
    answered = now()
    vectors.wait_until_built()
    built = now()
    seconds = {
        "reading and folding": at["reading done"].since(begun),
        "loading": at["applying done"].since(at["reading done"]),
        "full text": text.seconds,
        "vectors": vectors.seconds,
        "indexing": at["indexing done"].since(at["applying done"]),
        "all": answered.since(begun),
        "hnswlib": built.since(answered),
    }
    memory = {"at the answer": memory["indexing"], "with hnswlib": peak_megabytes()}
    counts = {
        "lines": done.counts.replayed,
        "missing": vectors.missing(),
        "bytes": (root / "graph.db").stat().st_size,
    }
    graph.close()
    derived.close()
    return Measured(seconds, counts, memory)


def bare_copy(root: Path, *, compression: bool = True) -> Measured:
    """Copy the group's rows from ready Arrow tables into a bare database with the same tables.

    The engine compresses columns, as in our store, unless it is told otherwise.
    """
    tables = list(arrow_tables(folded(root)))
    database = kuzu.Database(str(root / "bare.db"), compression=compression)
    connection = kuzu.Connection(database)
    for statement in GRAPH_TABLES:
        connection.execute(statement)
    start = now()
    for statement, rows in tables:
        connection.execute(statement, {"rows": rows})
    seconds = now().since(start)
    names = ("entities", "edges", "episodes", "from", "to", "mentions")
    counts = {name: rows.num_rows for name, (_, rows) in zip(names, tables, strict=True)}
    counts["bytes"] = (root / "bare.db").stat().st_size
    return Measured({"bare COPY": seconds}, counts)


def bare_text(root: Path) -> Measured:
    """Put the group's prepared texts into bare FTS5 tables, in one transaction: alone, and with a table of the rows.

    FTS5 knows rows by number alone, so nobody can use it without a table that has each row's uuid and group, and finds
    the number of a row that is written again.
    """
    fold = folded(root)
    change = contribution_of(load_nothing(fold), fold.entities.values(), fold.edges.values(), fold.episodes.values())
    texts: dict[TextKind, list[tuple[int, str, str, str]]] = {kind: [] for kind in TextKind}
    rows = [(number, entry.uuid, 1) for number, entry in enumerate(change.texts)]
    for number, entry in enumerate(change.texts):
        _, head, body = indexed(entry)
        texts[entry.kind].append((number, "g1", head, body))
    seconds = {
        "bare FTS5": _fill_text(root / "bare-text.db", texts, []),
        "with a table of rows": _fill_text(root / "bare-text-and-rows.db", texts, rows),
    }
    return Measured(seconds, {"texts": len(change.texts)})


def _fill_text(
    path: Path, texts: dict[TextKind, list[tuple[int, str, str, str]]], rows: list[tuple[int, str, int]]
) -> Took:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE, gid INTEGER NOT NULL)")
    for kind in TextKind:
        connection.execute(f"CREATE VIRTUAL TABLE {kind} USING fts5(gid, head, body, tokenize='ascii')")
    start = now()
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO entry (id, uuid, gid) VALUES (?, ?, ?)", rows)
    for kind in TextKind:
        connection.executemany(f"INSERT INTO {kind} (rowid, gid, head, body) VALUES (?, ?, ?, ?)", texts[kind])
    connection.execute("COMMIT")
    seconds = now().since(start)
    connection.close()
    return seconds


# Their parts


class _NoEmbedder:
    provider: str = "none"
    model: str = BuiltinEmbedder.model
    dim: int = BuiltinEmbedder.dim

    def calibrate(self, cosine: float) -> float:
        return cosine

    def embed(self, texts: Sequence[str]) -> Any:
        from lcg.providers.embedder.protocol import EmbedderError

        raise EmbedderError("measured apart")


def read_by_key_and_link(graph: Graph) -> None:
    """Read a relationship by its key, and find it again at its ends: what is loaded answers, or this fails."""
    uuid = next(uuid for uuid, (kind, _) in graph.index.places.items() if kind is Kind.EDGE)
    edge = graph.edges([uuid])[uuid]
    assert {edge.source_uuid, edge.target_uuid} <= graph.entities([edge.source_uuid, edge.target_uuid]).keys()
    assert edge in graph.neighbour_edges(edge.source_uuid, "out")


def open_vectors(root: Path) -> SqliteVectorIndex:
    """Open the workspace's vectors."""
    return SqliteVectorIndex(root / "search" / "vectors.db", BuiltinEmbedder.model, BuiltinEmbedder.dim)


def folded(root: Path) -> Fold:
    """Return the rows that the log leaves."""
    log, fold = Log(root / "wal"), Fold(GROUP, lambda uuid: False)
    stream = log.stream(GROUP)
    scope = Scope(0, stream.max_seq or 0, Excluded(stream.generation, (), ()))
    read_into(fold, log.read(GROUP, plainly=True), scope, most_samples=1, step=lambda counts, read: None)
    return fold


def load_nothing(fold: Fold) -> Any:
    """Return an index that knows the fold's rows."""
    from lcg.graph.index import GraphIndex

    index = GraphIndex()
    index.load(fold.entities.values(), fold.edges.values(), fold.episodes.values(), fold.mention_rows(), {})
    return index


def arrow_tables(fold: Fold) -> Iterable[tuple[str, pa.Table]]:
    """Yield the COPY statements of a fold's rows and links, each with its table."""
    types = {TIME: pa.timestamp("us"), NUMBER: pa.int64(), TEXTS: pa.list_(pa.string())}
    for table, rows in ((ENTITY, fold.entities), (EDGE, fold.edges), (EPISODE, fold.episodes)):
        names = [column.name for column in table.columns]
        arrays = [
            pa.array([getattr(row, column.field) for row in rows.values()], types.get(column.type, pa.string()))
            for column in table.columns
        ]
        if table is EPISODE:
            names.append("entity_edges")
            arrays.append(pa.array([list(fold.mentions.get(uuid, ())) for uuid in rows], types[TEXTS]))
        yield f"COPY {table.label}({', '.join(names)}) FROM $rows", pa.table(arrays, names)
    edges = fold.edges.values()
    ends = {"from": [edge.source_uuid for edge in edges], "to": [edge.uuid for edge in edges]}
    yield "COPY RELATES_TO FROM $rows (from='Entity', to='RelatesToNode_')", pa.table(ends)
    ends = {"from": [edge.uuid for edge in edges], "to": [edge.target_uuid for edge in edges]}
    yield "COPY RELATES_TO FROM $rows (from='RelatesToNode_', to='Entity')", pa.table(ends)
    links = fold.mention_rows()
    columns = {"from": [m.episode_uuid for m in links], "to": [m.entity_uuid for m in links]}
    yield "COPY MENTIONS FROM $rows", pa.table({**columns, "group_id": [m.group_id for m in links]})


def apart(measure: Callable[..., ResultT], *arguments: Any, **options: Any) -> ResultT:
    """Run a measurement in a fresh process."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(measure, *arguments, **options).result()


# The report


def compare(entities: int, edges: int) -> None:
    """Rebuild one log and print every phase beside the bare engines."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        lines, operations = apart(write_log, root / "wal", entities, edges)
        size = sum(path.stat().st_size for path in (root / "wal").rglob("*.jsonl"))
        embedded = apart(embed, root)
        ours = apart(rebuild, root)
        copy, fts = apart(bare_copy, root), apart(bare_text, root)
        (root / "bare.db").unlink()
        plain = apart(bare_copy, root, compression=False)
    rows = copy.counts["entities"] + copy.counts["edges"] + copy.counts["episodes"] + copy.counts["mentions"]
    print(
        f"Log: {lines} lines, {operations} operations, {size / 1e6:.0f} MB. Rows: {copy.counts['entities']} entities,"
    )
    print(f"{copy.counts['edges']} edges, {copy.counts['episodes']} episodes, {copy.counts['mentions']} mentions.\n")
    took = ours.seconds
    texts, vectors = fts.counts["texts"], embedded.counts["texts"]
    print(f"{'phase':38}{'seconds':>9}{'CPU':>9}{'a second':>12}")
    show("reading and folding", took["reading and folding"], operations, "operations")
    show("loading, then keys and graph answer", took["loading"], rows, "rows")
    show("full text", took["full text"], texts, "texts")
    show(f"vectors from the cache ({ours.counts['missing']} missing)", took["vectors"], vectors, "texts")
    show("until the answer", took["all"], operations, "operations")
    if took["hnswlib"].wall > 1:  # only very large groups get an index
        show("behind it: hnswlib", took["hnswlib"], vectors, "vectors")
    show("behind it: embedding, with no cache", embedded.seconds["embedding"], vectors, "texts")
    show("bare COPY from ready Arrow tables", copy.seconds["bare COPY"], rows, "rows")
    show("the same, columns not compressed", plain.seconds["bare COPY"], rows, "rows")
    show("bare FTS5 of prepared texts alone", fts.seconds["bare FTS5"], texts, "texts")
    show("bare FTS5 and a table of rows", fts.seconds["with a table of rows"], texts, "texts")
    served = took["reading and folding"].and_then(took["loading"])
    bare, texts_bare = copy.seconds["bare COPY"], fts.seconds["with a table of rows"]
    print("\n                                                       by the clock   by processor time")
    ratio("reading, folding, loading: share of COPY's rate (>= 0.4)", bare, served)
    ratio("the same, of COPY without compression", plain.seconds["bare COPY"], served)
    ratio("full text: times bare FTS5 and a table of rows (<= 2)", took["full text"], texts_bare)
    ratio("vectors from the cache: seconds per 100k (<= 3)", took["vectors"], Took(vectors / 1e5, vectors / 1e5))
    print(f"peak memory: {ours.peak['at the answer']:.0f} MB at the answer, {ours.peak['with hnswlib']:.0f} MB at all")
    files = [f"{one.counts['bytes'] / 1e6:.0f}" for one in (ours, copy, plain)]
    print(f"file of the store: {files[0]} MB; of the bare engine: {files[1]} MB, {files[2]} MB without compression")
    rate = operations / took["all"].wall
    print(f"operations a second until the answer: {rate:.0f}; ", end="")
    print(f"the reference gives {PUBLISHED_MUTATIONS_PER_SECOND} mutations a second for its own")


def show(phase: str, took: Took, count: int, unit: str) -> None:
    """Print one phase."""
    print(f"{phase:38}{took.wall:9.2f}{took.cpu:9.2f}{count / took.wall:12.0f} {unit}")


def ratio(what: str, ours: Took, bare: Took) -> None:
    """Print how two measurements compare."""
    print(f"{what:58}{ours.wall / bare.wall:10.2f}{ours.cpu / bare.cpu:16.2f}")


def scale(sizes: list[int]) -> None:
    """Rebuild logs of growing length, with short texts and no vectors in the cache."""
    print(f"{'operations':>12}{'read, fold':>12}{'load':>8}{'text':>8}{'all':>8}{'µs CPU':>9}{'peak MB':>9}")
    for entities in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            _, operations = apart(write_log, root / "wal", entities, 2 * entities, short=True)
            ours = apart(rebuild, root)
        took = ours.seconds
        parts = "".join(f"{took[name].wall:8.1f}" for name in ("reading and folding", "loading", "full text"))
        print(f"{operations:12}    {parts}", end="")
        print(
            f"{took['all'].wall:8.1f}{1e6 * took['all'].cpu / operations:9.1f}{ours.peak['at the answer']:9.0f}",
            flush=True,
        )


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--entities", type=int, default=50_000)
    parser.add_argument("--edges", type=int, default=100_000)
    parser.add_argument("--scale", nargs="*", type=int, metavar="ENTITIES", help="instead: logs of growing length")
    options = parser.parse_args()
    if options.scale is None:
        compare(options.entities, options.edges)
    else:
        scale(options.scale or [46_000, 92_000, 184_000])


if __name__ == "__main__":
    main()
