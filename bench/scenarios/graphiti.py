"""Ours beside graphiti-core on its Kuzu driver: searches."""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from bench.fixtures import EDGES_AN_ENTITY, workspace
from bench.note_takers import GROUP
from bench.rival_environment import RIVAL, RIVAL_VERSION, NoEnvironment, rival_python
from bench.scenario import Figure, Memory, Result, Run, Scenario, Skipped, Target, interleaved, median_ms
from bench.sentences import queries
from bench.service import SocketClient, environment, memory_of, serving
from lcg.providers.embedder.builtin import BuiltinEmbedder

NAME: Final = f"{RIVAL} {RIVAL_VERSION}"
HERE: Final = Path(__file__).parents[1]
METHODS: Final = {"nodes": "knowledge_find_entities", "facts": "knowledge_find_relationships"}
_ENTITIES: Final = "MATCH (n:Entity) RETURN n.uuid, n.name, n.summary ORDER BY n.uuid SKIP $skip LIMIT $limit"
_FACTS: Final = (
    "MATCH (a:Entity)-[:RELATES_TO]->(e:RelatesToNode_)-[:RELATES_TO]->(b:Entity) "
    "RETURN e.uuid, e.name, e.fact, a.uuid, b.uuid ORDER BY e.uuid SKIP $skip LIMIT $limit"
)
_PAGE: Final = 10_000


def measure(run: Run) -> Result:
    """Search the same graph for the same by both."""
    if run.scale == "tiny":
        raise Skipped("The tiny size has no rivals.")
    try:
        python = rival_python(run.kept.parent / f"{RIVAL}-{RIVAL_VERSION}")
    except NoEnvironment as reason:
        raise Skipped(f"{reason}.") from reason
    entities = run.pick(20_000, 1_000, 0)
    sizes = {"nodes": f"{entities} entities", "facts": f"{EDGES_AN_ENTITY * entities} facts"}
    result = Result()
    with workspace(run, entities) as folder, serving(folder) as service, run.scratch() as theirs:
        client = service.client()
        write_tables(client, theirs)
        with Rival(python, theirs) as rival:
            for of, faster in (("nodes", 50), ("facts", 200)):
                taken = _compared(run, client, rival, of)
                if not rival.found[of]:
                    raise RuntimeError(f"{RIVAL} finds no {of} at all")
                targets = [Target("rival/ours", ">=", faster)] if run.scale == "full" else []
                what = f"search for {of}, {sizes[of]}"
                result.figures.append(Figure(what, "ms", taken["ours"], (), taken["rival"], targets, NAME))
            result.memory += [memory_of(service.process.pid, "service"), rival.memory()]
        client.close()
    with workspace(run, entities) as folder:
        shares = _overlap(folder, run.pick(200, 50, 0))
    for of, size in sizes.items():
        what = f"share of the ten {of} nearest in meaning that are found, {size}"
        result.figures.append(Figure(what, "of 1", [shares[of]], targets=[Target("ours", ">=", 0.95)]))
    result.notes.append("The rival is timed inside its process, ours from a client over the socket.")
    return result


def _compared(run: Run, client: SocketClient, rival: "Rival", of: str) -> dict[str, list[float]]:
    asked, also = cycle(queries(200)), cycle(queries(200))

    def ours() -> None:
        client.call(METHODS[of], query=next(asked), group_ids=[GROUP], num_results=10)

    def theirs() -> float:
        return rival.search(of, next(also))

    ours()
    theirs()
    few = run.pick(6, 3, 0)
    return interleaved(
        run.rounds,
        {
            "ours": lambda: median_ms(ours, run.pick(100, 30, 0)),
            "rival": lambda: median(theirs() for _ in range(few)),
        },
    )


class Rival:
    """graphiti-core in a process of its own, over tables in a folder."""

    def __init__(self, python: Path, folder: Path) -> None:
        added = {
            "PYTHONPATH": str(HERE.parent / "src"),
            "GRAPHITI_TELEMETRY_ENABLED": "false",
            "EMBEDDING_DIM": str(BuiltinEmbedder.dim),
        }
        command = [str(python), str(HERE / "rival_graphiti_search.py"), str(folder)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(added)
        )
        self.found = dict.fromkeys(METHODS, 0)

    def __enter__(self) -> "Rival":
        if self._line() != "ready\n":
            raise RuntimeError(f"{RIVAL} is not ready")
        return self

    def __exit__(self, *_: object) -> None:
        with self._process:
            self._process.kill()

    def search(self, of: str, query: str) -> float:
        """Search for nodes or facts, and return the milliseconds that it took."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"of": of, "query": query, "group": GROUP}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._line())
        self.found[of] += answer["found"]
        taken: float = answer["ms"]
        return taken

    def memory(self) -> Memory:
        """Return what it has in memory now."""
        return memory_of(self._process.pid, NAME)

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{RIVAL} ended with status {self._process.wait()}; see above")
        return line


def write_tables(client: SocketClient, folder: Path) -> None:
    """Write what a workspace holds as the rival's tables, with the same embeddings."""
    embedder = BuiltinEmbedder()
    nodes, facts = list(_rows(client, _ENTITIES)), list(_rows(client, _FACTS))
    uuids, titles, summaries = map(list, zip(*nodes, strict=True))
    _write(
        folder / "entities.parquet",
        uuid=uuids, name=titles, group_id=[GROUP] * len(nodes), labels=[["Entity"]] * len(nodes),
        created_at=_now(len(nodes)), name_embedding=_embedded(embedder, titles), summary=summaries,
        attributes=["{}"] * len(nodes),
    )  # fmt: skip
    edges, kinds, told, sources, targets = map(list, zip(*facts, strict=True))
    _write(
        folder / "facts.parquet",
        uuid=edges, group_id=[GROUP] * len(facts), created_at=_now(len(facts)), name=kinds, fact=told,
        fact_embedding=_embedded(embedder, told), episodes=pa.array([[]] * len(facts), pa.list_(pa.string())),
        attributes=["{}"] * len(facts),
    )  # fmt: skip
    _write(folder / "from.parquet", source=sources, target=edges)
    _write(folder / "to.parquet", source=edges, target=targets)


def _rows(client: SocketClient, query: str) -> Iterator[list[Any]]:
    for skip in range(0, 10_000_000, _PAGE):
        asked = {"query": query, "parameters": {"skip": skip, "limit": _PAGE}, "max_rows": _PAGE}
        rows = client.call("knowledge_query_cypher", **asked)["rows"]
        yield from rows
        if len(rows) < _PAGE:
            return


def _write(path: Path, **columns: Any) -> None:
    pq.write_table(pa.table(columns), path)


def _now(count: int) -> Any:
    return pa.array([1_772_452_800_000_000] * count, pa.timestamp("us"))


def _embedded(embedder: BuiltinEmbedder, texts: list[str]) -> Any:
    return pa.array([list(vector) for vector in embedder.embed(texts)], pa.list_(pa.float32()))


def _overlap(folder: Path, asked: int) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.overlap", str(asked)]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    shares: dict[str, float] = json.loads(done.stdout)
    return shares


SCENARIO = Scenario(
    "graphiti",
    "Searches beside graphiti-core",
    "graphiti-core on its embedded Kuzu backend holds the same entities and facts with the same embeddings, copied in, "
    "and searches by its hybrid recipes for nodes and for edges; ours by `knowledge_find_entities` and "
    "`knowledge_find_relationships`, for the ten best each. What is found by meaning is compared with the exact ten.",
    measure,
)
