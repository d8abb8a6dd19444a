"""Measures ingestion without the model's time, beside graphiti-core on its Kuzu driver.

Run `python -m bench.ingest` with LCG_TEST_DATA set to the folder of reference data. What each chunk of the articles
holds is extracted beforehand, by the built-in rules, and handed to both programs by a stub that answers at once; both
embed with the built-in model and take the same chunks in the same order. lcg ingests all chunks, `--rounds` times and
each time into a fresh workspace; every chunk is durable and searchable when the call returns. In the first round
graphiti-core, in an environment that is made at first (`--environment`), takes `--rival-chunks` of them in too: in
turns of some chunks, so that other work on the machine meets both. A turn of lcg ends when its store has all that was
acknowledged. The first chunk is not timed: with it, both make ready what they use from then on.

Exits 1 when a target is missed, 2 when there is no data. Without graphiti-core the ratio is left out, with a reason.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from bench.articles import Chunk, NoArticles, read_chunks
from bench.canned import CannedExtractor, write_canned
from bench.rival_environment import RIVAL, RIVAL_VERSION, NoEnvironment, rival_python
from bench.workspace import Workspace
from lcg.graph.entries import Kind

TARGET_RATIO, TARGET_QUARTERS = 25.0, 1.3
TURN = 20
"""Chunks after which the other program has its turn. Not after each: lcg uses a second's rest to tidy its store."""
PROJECT = Path(__file__).parents[1]
ENVIRONMENT = PROJECT / "build" / f"{RIVAL}-{RIVAL_VERSION}"
RIVAL_SCRIPT = Path(__file__).with_name("rival_graphiti.py")


@dataclass(frozen=True, slots=True)
class Run:
    """What one program took for each chunk in turn, by the clock and by processor time, and what it stored in all."""

    name: str
    seconds: list[float]
    cpu: list[float]
    entities: int
    facts: int


def per_chunk(seconds: list[float]) -> float:
    """Return the mean time of a chunk in seconds."""
    return sum(seconds) / len(seconds)


def drift(seconds: list[float]) -> float:
    """Return how much longer a chunk of the last quarter took than one of the first."""
    quarter = max(len(seconds) // 4, 1)
    return sum(seconds[-quarter:]) / sum(seconds[:quarter])


class Rival:
    """graphiti-core in a process of its own, which takes in one canned text after the other."""

    def __init__(self, python: Path, canned: Path, folder: Path) -> None:
        """Start it."""
        added = {"PYTHONPATH": str(PROJECT / "src"), "GRAPHITI_TELEMETRY_ENABLED": "false", "EMBEDDING_DIM": "256"}
        command = [str(python), str(RIVAL_SCRIPT), str(canned), str(folder)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **added}
        )
        self.seconds: list[float] = []
        self.cpu: list[float] = []

    def catch_up(self, count: int) -> None:
        """Have it take in texts until it has so many."""
        while len(self.seconds) < count:
            self._ingest_next()

    def _ingest_next(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("next\n")
        self._process.stdin.flush()
        took = self._answer()
        self.seconds.append(took["seconds"])
        self.cpu.append(took["cpu"])

    def end(self) -> Run:
        """End it and return what it did."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        stored = self._answer()
        self._process.wait()
        return Run(RIVAL, self.seconds[1:], self.cpu[1:], int(stored["entities"]), int(stored["facts"]))

    def _answer(self) -> dict[str, float]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{RIVAL} ended with status {self._process.wait()}; see above")
        answer: dict[str, float] = json.loads(line)
        return answer


def run_lcg(canned: Path, chunks: list[Chunk], rival: Rival | None = None, beside: int = 0) -> Run:
    """Ingest all chunks into a fresh workspace; the first, and so many more, the rival takes in too, in turns."""
    with tempfile.TemporaryDirectory(prefix="lcg-ingest-") as folder:
        workspace = Workspace(Path(folder), CannedExtractor(canned))
        workspace.core.embedding.query("the model is read before the clock starts")
        seconds: list[float] = []
        cpu: list[float] = []
        for place, chunk in enumerate(chunks):
            began, cpu_began = time.perf_counter(), time.process_time()
            workspace.ingest(chunk)
            is_turn = rival is not None and place <= beside and (place % TURN == 0 or place == beside)
            if is_turn or place + 1 == len(chunks):
                workspace.settle()
            seconds.append(time.perf_counter() - began)
            cpu.append(time.process_time() - cpu_began)
            if rival is not None and is_turn:
                rival.catch_up(place + 1)
        kinds = [kind for kind, _ in workspace.core.graph.index.places.values()]
        workspace.close()
    return Run("lcg", seconds[1:], cpu[1:], kinds.count(Kind.ENTITY), kinds.count(Kind.EDGE))


def run_all(canned: Path, chunks: list[Chunk], rounds: int, python: Path | None, beside: int) -> list[Run]:
    """Return the rounds of lcg, and after them the rival's run if there is an interpreter for it."""
    if python is None:
        return [run_lcg(canned, chunks) for _ in range(rounds)]
    with tempfile.TemporaryDirectory(prefix="rival-ingest-") as folder:
        rival = Rival(python, canned, Path(folder))
        first = run_lcg(canned, chunks, rival, beside)
        ended = rival.end()
    return [first, *(run_lcg(canned, chunks) for _ in range(rounds - 1)), ended]


def print_runs(runs: list[Run]) -> None:
    """Print one line for each run."""
    print(
        f"{'program':16}{'chunks':>7}{'entities':>9}{'facts':>7}{'chunks/s':>10}{'p50 ms':>9}{'p95 ms':>9}{'CPU ms':>9}"
    )
    for run in runs:
        p95 = quantiles(run.seconds, n=20)[-1] if len(run.seconds) > 1 else run.seconds[0]
        print(
            f"{run.name:16}{len(run.seconds):7}{run.entities:9}{run.facts:7}{1 / per_chunk(run.seconds):10.1f}"
            f"{1000 * median(run.seconds):9.1f}{1000 * p95:9.1f}{1000 * per_chunk(run.cpu):9.1f}"
        )


def compare(ours: list[Run], rival: Run | None) -> bool:
    """Print the two measures beside their targets, by both clocks; return whether each is reached by one of them.

    Neither clock is fair alone: other work on the machine spoils the time by the clock, most of all that of the program
    that hands over between threads more often, and processor time leaves out what waits for the disk.
    """
    reached = True
    clock, cpu = median(drift(run.seconds) for run in ours), median(drift(run.cpu) for run in ours)
    print(f"\n{'':48}{'by the clock':>14}{'by processor time':>19}")
    print(f"{f'last quarter / first quarter (<= {TARGET_QUARTERS})':48}{clock:14.2f}{cpu:19.2f}")
    reached &= min(clock, cpu) <= TARGET_QUARTERS
    if rival is not None:
        count = len(rival.seconds)
        clock = per_chunk(rival.seconds) / per_chunk(ours[0].seconds[:count])
        cpu = per_chunk(rival.cpu) / per_chunk(ours[0].cpu[:count])
        print(f"{f'times {RIVAL}, first {count} chunks (>= {TARGET_RATIO:g})':48}{clock:14.1f}{cpu:19.1f}")
        reached &= max(clock, cpu) >= TARGET_RATIO
    return reached


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table and return the exit code."""
    parser = argparse.ArgumentParser(prog="bench.ingest", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--chunks", type=int, help="how many chunks are taken (default: all)")
    parser.add_argument("--rounds", type=int, default=3, help="how often lcg ingests them (default: 3)")
    parser.add_argument("--rival-chunks", type=int, default=60, help=f"chunks for {RIVAL}; 0: none (default: 60)")
    parser.add_argument("--environment", type=Path, default=ENVIRONMENT, help=f"where {RIVAL} is, or is put")
    options = parser.parse_args(arguments)
    try:
        chunks = read_chunks()
    except NoArticles as reason:
        print(reason, file=sys.stderr)
        return 2
    # Mixed, so that early and late chunks are alike; always in the same way.
    random.Random(1).shuffle(chunks)
    chunks = chunks[: options.chunks]
    with tempfile.TemporaryDirectory(prefix="canned-") as folder:
        canned = Path(folder) / "canned.jsonl"
        write_canned(canned, [chunk.text for chunk in chunks])
        python = None
        if options.rival_chunks:
            try:
                python = rival_python(options.environment)
            except NoEnvironment as reason:
                print(f"no comparison: {reason}")
        runs = run_all(canned, chunks, options.rounds, python, min(options.rival_chunks, len(chunks)))
    print_runs(runs)
    ours = runs[: options.rounds]
    return 0 if compare(ours, runs[-1] if len(runs) > len(ours) else None) else 1


if __name__ == "__main__":
    sys.exit(main())
