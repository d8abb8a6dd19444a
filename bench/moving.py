"""What taking a graph out and bringing it in costs: seconds of processor and peak memory of each command.

Run as `python -m bench.moving [ROWS]`; of ROWS (20,000) half are entities and half relationships between them. The
seconds are user and system time of the command with all that it starts, so other programs on the machine matter little.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from lcg.exchange.formats import FORMATS
from lcg.exchange.lines import header, line_of
from lcg.model.rows import Edge, Entity

_LCG: Final = (sys.executable, "-m", "lcg")
_GROUP: Final = "moved"
_DAY: Final = 86_400_000_000


def write_file(path: Path, rows: int) -> None:
    """Write a file of the format `jsonl`: things, each of which leads to another."""
    half = rows // 2
    with path.open("wb") as file:
        file.write(header([_GROUP], {"entity": half, "edge": half, "episode": 0, "mention": 0}) + b"\n")
        for at in range(half):
            row = Entity(f"u{at}", _GROUP, f"Thing number {at}", ("Entity",), _DAY, f"It is number {at} of {half}.")
            file.write(line_of(row) + b"\n")
        for at in range(half):
            ends = f"u{at}", f"u{(at * 7 + 1) % half}"
            file.write(line_of(Edge(f"e{at}", _GROUP, "LEADS_TO", *ends, f"number {at} leads on", _DAY)) + b"\n")


def cost(folder: Path, *words: str) -> tuple[float, float]:
    """Run a command and return its seconds of processor, and the peak of memory of any so far, in megabytes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*_LCG, *words], cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 1024


def main() -> None:
    """Print one line for each command."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        write_file(folder / "graph.jsonl", rows)
        commands = [
            ("import", "graph.jsonl"),
            ("import", "graph.jsonl"),
            *(("export", "--format", name, f"out.{name}") for name in FORMATS),
        ]
        print(f"{rows:,} rows; the second import finds all of them there")
        for words in commands:
            seconds, megabytes = cost(folder, *words)
            print(f"{' '.join(words[:-1]):<28} {seconds:6.1f} s of processor, at most {megabytes:5.0f} MB until here")


if __name__ == "__main__":
    main()
