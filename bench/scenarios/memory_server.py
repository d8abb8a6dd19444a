"""Ours beside the official memory server."""

import json
import random
from pathlib import Path
from typing import Final

from bench import npm
from bench.fixtures import EDGES_AN_ENTITY
from bench.note_takers import Rival, meeting_figures, memory_server, size_figures
from bench.scenario import Result, Run, Scenario, Skipped, Target
from bench.sentences import names, sentences

PACKAGE: Final = "@modelcontextprotocol/server-memory"
VERSION: Final = "2026.8.31"
FASTER: Final = Target("rival/ours", ">=", 80)
_FILE: Final = "memory.jsonl"


def measure(run: Run) -> Result:
    """Write, search, and let writes meet."""
    if run.scale == "tiny":
        raise Skipped("The tiny size has no rivals.")
    program = npm.program(run.kept, PACKAGE, VERSION, "mcp-server-memory")
    rival = Rival(
        f"server-memory {VERSION}",
        lambda folder: memory_server(program, folder, {"MEMORY_FILE_PATH": str(folder / _FILE)}),
        lambda folder, entities: write_graph(folder / _FILE, entities),
    )
    result = Result(notes=["A write of ours is synced to the disk before it is acknowledged; the rival syncs nothing."])
    for entities in run.pick((1_000, 20_000), (1_000,), ()):
        calls = {"ours": run.pick(100, 30, 1), "rival": 8 if entities > 10_000 else 30}
        figures, memory = size_figures(run, rival, entities, calls, [FASTER] if entities == 20_000 else [])
        result.figures += figures
        result.memory += memory
    result.figures += meeting_figures(run, rival, run.pick(100, 50, 0), run.pick(100, 50, 0))
    return result


def write_graph(path: Path, entities: int) -> None:
    """Write a file of the rival that holds what a made-up workspace of that size holds."""
    rng = random.Random(1)
    titles, facts = names(entities), sentences(EDGES_AN_ENTITY * entities)
    with path.open("w", encoding="utf-8") as file:
        for number, title in enumerate(titles):
            held = {"type": "entity", "name": title, "entityType": "Thing", "observations": [facts[number]]}
            file.write(json.dumps(held) + "\n")
        for number in range(EDGES_AN_ENTITY * entities):
            ends = {"from": rng.choice(titles), "to": rng.choice(titles)}
            file.write(json.dumps({"type": "relation", **ends, "relationType": f"FACT_{number}"}) + "\n")


SCENARIO = Scenario(
    "memory_server",
    "The official memory server",
    f"`{PACKAGE}` holds as many entities and relations as our workspace; both are asked through MCP on stdin and "
    "stdout. Then fresh ones get writes that meet: many from one client that does not wait, and from two processes "
    "over one workspace or file.",
    measure,
)
