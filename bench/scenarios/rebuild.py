"""A rebuild from the log; `bench/rebuild.py` does the work."""

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench.made_log import write_log
from bench.rebuild import Measured, Took, apart, bare_copy, bare_text, embed
from bench.rebuild import rebuild as rebuilt
from bench.scenario import Figure, Result, Run, Scenario, Target


def measure(run: Run) -> Result:
    """Rebuild one log again and again, beside the bare engines."""
    entities, edges = run.pick((50_000, 100_000), (2_000, 4_000), (60, 120))
    rounds = run.pick(5, 2, 1)
    with run.scratch() as root:
        _, operations = apart(write_log, root / "wal", entities, edges)
        texts = apart(embed, root).counts["texts"]
        ours, copies, plain, fills = [], [], [], []
        for _ in range(rounds):
            ours.append(_in_a_copy(root, rebuilt))
            copies.append(_in_a_copy(root, bare_copy))
            plain.append(_in_a_copy(root, partial(bare_copy, compression=False)))
            fills.append(_in_a_copy(root, bare_text))
    rows = sum(copies[0].counts[name] for name in ("entities", "edges", "episodes", "mentions"))
    served = [one.seconds["reading and folding"].and_then(one.seconds["loading"]) for one in ours]
    copied = [one.seconds["bare COPY"] for one in copies]
    copied_plainly = [one.seconds["bare COPY"].wall for one in plain]
    full_text = [one.seconds["full text"] for one in ours]
    filled = [one.seconds["with a table of rows"] for one in fills]
    vectors = [one.seconds["vectors"].wall * 1e5 / texts for one in ours]
    loaded, indexed = f"reading, folding and loading {rows} rows", f"full text of {fills[0].counts['texts']} texts"
    return Result(
        [
            *_by_both_clocks(loaded, served, copied, Target("bare/ours", ">=", 0.4)),
            Figure(f"{loaded}, beside COPY without compression", "s", [took.wall for took in served], copied_plainly),
            Figure("file of the store", "MB", _megabytes(ours), _megabytes(copies)),
            *_by_both_clocks(indexed, full_text, filled, Target("ours/bare", "<=", 2)),
            Figure("vectors from the cache, 100000 texts", "s", vectors, targets=[Target("ours", "<=", 3)]),
            Figure("until the answer", "operations a second", [operations / one.seconds["all"].wall for one in ours]),
            Figure("peak memory at the answer", "MB", [one.peak["at the answer"] for one in ours]),
        ],
        notes=[f"{operations} operations; {entities} entities, {edges} facts."],
    )


def _in_a_copy(root: Path, measured: Callable[[Path], Measured]) -> Measured:
    """Measure in a copy of what was made, since whatever is rebuilt there stays."""
    with Run("full", root).scratch() as folder:
        shutil.copytree(root, folder, dirs_exist_ok=True)
        return apart(measured, folder)


def _megabytes(measured: list[Measured]) -> list[float]:
    return [one.counts["bytes"] / 1e6 for one in measured]


def _by_both_clocks(what: str, ours: list[Took], bare: list[Took], target: Target) -> list[Figure]:
    """Return a figure by the clock and one by processor time, which other work on the machine spoils less."""
    return [
        Figure(what, "s", [took.wall for took in ours], [took.wall for took in bare], targets=[target]),
        Figure(what, "s of processor time", [took.cpu for took in ours], [took.cpu for took in bare]),
    ]


SCENARIO = Scenario(
    "rebuild",
    "Rebuilding from the log",
    "A made-up log is rebuilt in an empty workspace. Bare is, for the rows, a COPY from ready Arrow tables into a "
    "database of the same schema with the engine's own settings, which compress columns as our store does, and "
    "once without compression; and for full text, filling FTS5 and a table of the rows with texts that are prepared "
    "already.",
    measure,
)
