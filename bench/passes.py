"""Measures the long passes over a group (typing its relationships and entities) and what they cost those who read.

Run `python -m bench.passes [--entities N] [--edges N]`. It writes a made-up log and an ontology into an empty
workspace, serves that in a process of its own, and calls each pass over the socket while another client searches and
looks at neighbours, one call after the other. Each pass changes every row that it can; its reads are compared with the
same reads before all passes.
"""

import argparse
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from bench.made_log import GROUP, write_log
from bench.sentences import queries

READS_BEFORE = 600
MOST_TIMES_SLOWER = 3

ONTOLOGY = """\
entity_types:
  - {name: Human, description: "A human being: somebody with a name, a profession and relatives."}
  - {name: Company, description: "An organisation, a company or a public body."}
  - {name: Location, description: "A city, a harbour, a building or another place."}
  - {name: Artefact, description: "A thing that somebody made, bought, sold or repaired."}
relation_types:
  - {name: EMPLOYED_BY, description: "Somebody works for an organisation.", aliases: [WORKS_AT]}
  - {name: ACQUAINTED_WITH, description: "Two persons know each other.", aliases: [KNOWS]}
  - {name: SITUATED_IN, description: "Something lies or stands in a place.", keywords: [located]}
  - {name: TRANSFERRED_TO, description: "Somebody sold or shipped something to somebody.", aliases: [SOLD_TO]}
  - {name: BELONGS_TO, description: "Somebody joined an organisation and is a member of it.", keywords: [member]}
  - {name: MENDED, description: "Somebody repaired something that was broken.", aliases: [REPAIRED]}
  - {name: LEARNED, description: "Somebody studied a subject or published about it.", aliases: [STUDIED]}
  - {name: MARRIED, description: "Two persons are married.", aliases: [MARRIED_TO]}
"""

PASSES: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("knowledge_reprocess_relation_types", {"group_id": GROUP, "scope": "all"}, "edges"),
    ("knowledge_canonicalize_relations", {"group_id": GROUP}, "edges"),
    ("knowledge_reprocess_entity_types", {"group_id": GROUP, "scope": "all"}, "entities"),
)


class Client:
    """One connection to the socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rb")

    def call(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """Call a method and return its result."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        answer = json.loads(self._lines.readline())
        if "result" not in answer:
            raise SystemExit(f"{method}: {answer}")
        result: dict[str, Any] = answer["result"]
        return result

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self._socket.close()


@contextmanager
def served(root: Path) -> Iterator[tuple[Path, int]]:
    """Serve a workspace until the end of a `with` block; give socket and process once nothing is left to be done."""
    path = root / "s.sock"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LCG_")}
    variables = {"LCG_SOCKET_PATH": str(path), "LCG_WAL_DIR": str(root / "wal")}
    with (root / "errors.txt").open("wb") as errors:
        command = [sys.executable, "-m", "lcg", "--extractor", "builtin"]
        process = subprocess.Popen(command, cwd=root, env=kept | variables, stderr=errors, stdout=subprocess.DEVNULL)
        try:
            while not path.exists():
                if process.poll() is not None:
                    raise SystemExit((root / "errors.txt").read_text())
                time.sleep(0.1)
            with closing(Client(path)) as client:
                wait_until_idle(process.pid, client)
            yield path, process.pid
        finally:
            process.terminate()
            process.wait()


def wait_until_idle(pid: int, client: Client) -> None:
    """Wait until the log is taken in, every text has its vector, and no index is being built any more."""
    while client.call("knowledge_status", {}).get("embedding", {}).get("rows_without_vector") != 0:
        time.sleep(0.5)
    used = -1
    while (now := cpu_seconds(pid)) != used:
        used = now
        time.sleep(3)


def cpu_seconds(pid: int) -> int:
    """Return how long a process has computed."""
    told = subprocess.run(["ps", "-o", "cputime=", "-p", str(pid)], check=True, capture_output=True, text=True).stdout
    days, _, clock = told.strip().rpartition("-")
    hours, minutes, seconds = (int(float(part)) for part in ("0:" + clock).split(":")[-3:])
    return 86_400 * int(days or 0) + 3_600 * hours + 60 * minutes + seconds


def reads(nodes: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield calls that read, without an end: two searches and one look at the neighbours of one of these in turn."""
    rng = random.Random(7)
    for query in cycle(queries(500)):
        yield "knowledge_find_entities", {"query": rng.choice(nodes)["name"], "group_ids": [GROUP]}
        yield "knowledge_find_relationships", {"query": query, "group_ids": [GROUP]}
        yield "knowledge_get_entity_neighbors", {"entity_uuid": rng.choice(nodes)["uuid"], "group_ids": [GROUP]}


def timed(client: Client, calls: Iterator[tuple[str, dict[str, Any]]]) -> float:
    """Make the next call, and return how many milliseconds it took."""
    method, params = next(calls)
    begun = time.perf_counter()
    client.call(method, params)
    return 1000 * (time.perf_counter() - begun)


def percentile(values: list[float], share: float) -> float:
    """Return the value below which a share of all values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def pass_beside_reads(
    path: Path, method: str, params: dict[str, Any], nodes: list[dict[str, Any]]
) -> tuple[float, list[float]]:
    """Run a pass while another client reads; return its seconds, and the milliseconds of each read."""
    took: list[float] = []
    client, reader, calls = Client(path), Client(path), reads(nodes)

    def run() -> None:
        begun = time.perf_counter()
        print(f"  {client.call(method, params)}", file=sys.stderr)
        took.append(time.perf_counter() - begun)

    thread = threading.Thread(target=run)
    thread.start()
    during = []
    with closing(client), closing(reader):
        while thread.is_alive():
            during.append(timed(reader, calls))
    if not took:
        raise SystemExit(f"{method} failed")
    return took[0], during


@dataclass(frozen=True, slots=True)
class Reads:
    """What reads took in milliseconds, and the pass that ran beside them: its rows, seconds, and processor time."""

    beside: str
    taken: list[float]
    rows: int = 0
    seconds: float = 0.0
    cpu: int = 0


def measure(root: Path, entities: int, edges: int, before: int = READS_BEFORE) -> Iterator[Reads]:
    """Serve the workspace; yield so many reads before all passes, and then those beside each pass."""
    with served(root) as (path, pid), closing(Client(path)) as client:
        nodes = client.call("knowledge_list_entities", {"group_ids": [GROUP], "num_results": 1000})["nodes"]
        calls = reads(nodes)
        for _ in range(before // 4):
            timed(client, calls)
        yield Reads("", [timed(client, calls) for _ in range(before)])
        for method, params, what in PASSES:
            used = cpu_seconds(pid)
            seconds, during = pass_beside_reads(path, method, params, nodes)
            rows = edges if what == "edges" else entities
            yield Reads(method.removeprefix("knowledge_"), during, rows, seconds, cpu_seconds(pid) - used)


def show(root: Path, entities: int, edges: int) -> None:
    """Measure, and print a line for each pass."""
    print(f"{'':25}{'rows':>7}{'s':>7}{'CPU s':>7}{'rows/s':>8}{'reads':>7}{'p50 ms':>8}{'p95 ms':>8}{'times':>7}")
    p95 = 0.0
    for found in measure(root, entities, edges):
        p50, slow, count = percentile(found.taken, 0.5), percentile(found.taken, 0.95), len(found.taken)
        if not found.beside:
            p95 = slow
            print(f"{'reads before':25}{'':29}{count:7}{p50:8.1f}{p95:8.1f}", flush=True)
            continue
        print(
            f"{found.beside:25}{found.rows:7}{found.seconds:7.1f}{found.cpu:7}{found.rows / found.seconds:8.0f}"
            f"{count:7}{p50:8.1f}{slow:8.1f}{slow / p95:7.1f}",
            flush=True,
        )
    print(f"\ntimes: p95 of the reads beside the pass to that before (<= {MOST_TIMES_SLOWER})")


def write_workspace(root: Path, entities: int, edges: int) -> None:
    """Write the log and the ontology of a made-up workspace."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        pool.submit(write_log, root / "wal", entities, edges).result()
    (root / ".lcg").mkdir()
    (root / ".lcg" / "ontology.yaml").write_text(ONTOLOGY, encoding="utf-8")


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--entities", type=int, default=50_000)
    parser.add_argument("--edges", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="a workspace to use again, or to make; else one is made and removed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = options.keep or Path(folder)
        if not (root / "wal").exists():
            write_workspace(root, options.entities, options.edges)
        print(f"{options.entities} entities, {options.edges} edges\n")
        show(root, options.entities, options.edges)


if __name__ == "__main__":
    main()
