"""What a graph of some size takes: time to open it, memory, disk."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.fixtures import EDGES_AN_ENTITY, workspace
from bench.note_takers import GROUP
from bench.scenario import Figure, Memory, Result, Run, Scenario, Target, interleaved
from bench.sentences import queries
from bench.service import PROGRAM, StdioClient, disk_mb, environment, memory_of, serving

MOST_TO_OPEN: Final = Target("ours", "<=", 1_500)
MOST_OF_ITS_OWN: Final = Target("ours", "<=", 450)
MOST_RESIDENT: Final = Target("ours", "<=", 900)
MOST_ATTACHED: Final = Target("ours", "<=", 40)


def measure(run: Run) -> Result:
    """Open, search, and look at memory and disk."""
    entities = run.pick(50_000, 1_000, 50)
    facts = EDGES_AN_ENTITY * entities
    size = f"{entities} entities, {facts} facts"
    figures = _opening(run, entities, size)
    searches = run.pick(1_000, 100, 5)
    with workspace(run, entities) as folder, serving(folder) as service:
        started = memory_of(service.process.pid, f"service at rest, {size}")
        client = service.client()
        for place, query in enumerate(queries(searches)):
            method = ("knowledge_find_entities", "knowledge_find_relationships", "knowledge_search_passages")[place % 3]
            client.call(method, query=query, group_ids=[GROUP])
        client.close()
        searched = memory_of(service.process.pid, f"service after {searches} searches, {size}")
        attached = _attached(folder)
        disk = {name: disk_mb(folder / ".lcg" / name) for name in ("wal", "db", "search")}
    figures += [
        Figure(f"memory of its own, after searches, {size}", "MB", [searched.anonymous_mb], targets=[MOST_OF_ITS_OWN]),
        Figure(f"resident memory, after searches, {size}", "MB", [searched.resident_mb], targets=[MOST_RESIDENT]),
        Figure("resident memory of an attached process", "MB", [attached.resident_mb], targets=[MOST_ATTACHED]),
        Figure(f"log on disk, {size}", "MB", [disk["wal"]]),
        Figure(f"store on disk, {size}", "MB", [disk["db"]]),
        Figure(f"search indexes on disk, {size}", "MB", [disk["search"]]),
    ]
    return Result(figures, [started, searched, attached])


def _opening(run: Run, entities: int, size: str) -> list[Figure]:
    """Open a workspace that was closed, and one that was killed, again and again."""
    found: dict[str, list[float]] = {"ours": [], "killed": []}

    def opened(folder: Path, how: str) -> float:
        taken = _opened(folder, how)
        if how in found:
            found[how].append(taken["found"])
        return taken["read"]

    with (
        workspace(run, entities) as closed,
        workspace(run, entities) as killed,
        workspace(run, entities) as of_engine,
    ):
        _opened(killed, "killed")  # which leaves it as one that was killed
        read = interleaved(
            run.rounds,
            {
                "ours": lambda: opened(closed, "ours"),
                "killed": lambda: opened(killed, "killed"),
                "bare": lambda: opened(of_engine, "bare"),
            },
        )
    within = [MOST_TO_OPEN]
    return [
        Figure(f"opening until a read, after a clean end, {size}", "ms", read["ours"], read["bare"], targets=within),
        Figure(f"opening until a read, after a kill, {size}", "ms", read["killed"], read["bare"], targets=within),
        Figure(f"opening until a search, after a clean end, {size}", "ms", found["ours"]),
        Figure(f"opening until a search, after a kill, {size}", "ms", found["killed"]),
    ]


def _opened(folder: Path, how: str) -> dict[str, float]:
    command = [sys.executable, "-m", "bench.opening", how]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    if not done.stdout:
        raise RuntimeError(done.stderr[-2000:])
    taken: dict[str, float] = json.loads(done.stdout)
    return taken


def _attached(folder: Path) -> Memory:
    client = StdioClient((*PROGRAM, "--mcp-stdio", "--connect", "auto"), folder)
    try:
        client.initialize()
        client.request("tools/list")
        client.tool("knowledge_find_entities", query="the harbour authority", group_ids=[GROUP])
        return memory_of(client.process.pid, "attached process")
    finally:
        client.close()


SCENARIO = Scenario(
    "size",
    "Opening, memory, disk",
    "A workspace is opened in a process that has imported everything, until a first read and a first search are "
    "answered: one that was closed, and one whose process was killed after writes. Bare is opening the files of the "
    "engines and reading a row of each. Memory is read from the kernel: what a process has for itself, and all that is "
    "resident, with the pages of files that it shares.",
    measure,
)
