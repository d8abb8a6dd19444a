"""What long passes cost those who read; `bench/passes.py` does the work."""

from bench import passes
from bench.scenario import Figure, Result, Run, Scenario, Target


def measure(run: Run) -> Result:
    """Let each pass go over a group while another client reads."""
    entities, edges = run.pick((50_000, 100_000), (2_000, 4_000), (60, 120))
    figures = []
    with run.scratch() as root:
        passes.write_workspace(root, entities, edges)
        found = passes.measure(root, entities, edges, run.pick(passes.READS_BEFORE, 200, 8))
        before = passes.percentile(next(found).taken, 0.95)
        figures.append(Figure("reads before all passes, 95th percentile", "ms", [before]))
        for beside in found:
            slow = passes.percentile(beside.taken, 0.95)
            most = [Target("ours", "<=", passes.MOST_TIMES_SLOWER)] if run.scale == "full" else []
            figures += [
                Figure(
                    f"reads beside {beside.beside}: 95th percentile by that before",
                    "times",
                    [slow / before],
                    targets=most,
                ),
                Figure(f"{beside.beside}, {beside.rows} rows", "rows a second", [beside.rows / beside.seconds]),
            ]
    return Result(figures)


SCENARIO = Scenario(
    "passes",
    "Passes beside reads",
    "A service lets each typing pass go over all of a made-up group, while another client searches and looks at "
    "neighbours, one call after the other. Every pass finds nearly every row to be looked at or changed.",
    measure,
)
