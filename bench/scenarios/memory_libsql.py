"""Ours beside a memory server that keeps its entities in SQLite."""

from pathlib import Path
from typing import Final

from bench import npm
from bench.note_takers import NoteTaker, Rival, meeting_figures, memory_server, size_figures
from bench.scenario import Result, Run, Scenario, Skipped
from bench.sentences import names, sentences

PACKAGE: Final = "mcp-memory-libsql"
VERSION: Final = "0.0.17"
_AT_ONCE: Final = 50


def measure(run: Run) -> Result:
    """Write, search, and let writes meet."""
    if run.scale == "tiny":
        raise Skipped("The tiny size has no rivals.")
    program = npm.program(run.kept, PACKAGE, VERSION, "mcp-memory-libsql")
    rival = Rival(f"{PACKAGE} {VERSION}", lambda folder: _over(program, folder), lambda f, n: _fill(program, f, n))
    entities, calls = run.pick(5_000, 1_000, 0), run.pick(100, 30, 1)
    figures, memory = size_figures(run, rival, entities, {"ours": calls, "rival": calls}, ())
    figures += meeting_figures(run, rival, run.pick(100, 50, 0), run.pick(100, 50, 0))
    notes = ["It finds entities by comparing texts with LIKE.", "Ours keeps facts and episodes beside the entities."]
    return Result(figures, memory, notes)


def _over(program: Path, folder: Path) -> NoteTaker:
    return memory_server(program, folder, {"LIBSQL_URL": f"file:{folder / 'memory.db'}"})


def _fill(program: Path, folder: Path, entities: int) -> None:
    """Put the entities of a made-up workspace of that size into its database, by its own calls."""
    titles, facts = names(entities), sentences(entities)
    with _over(program, folder).client() as client:
        for first in range(0, entities, _AT_ONCE):
            part = range(first, min(first + _AT_ONCE, entities))
            made = [{"name": titles[n], "entityType": "Thing", "observations": [facts[n]]} for n in part]
            client.tool("create_entities", entities=made)


SCENARIO = Scenario(
    "memory_libsql",
    "A memory server on SQLite",
    f"`{PACKAGE}` holds as many entities as our workspace; both are asked through MCP on stdin and stdout. Then fresh "
    "ones get writes that meet, as the official memory server does.",
    measure,
)
