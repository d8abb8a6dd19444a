"""Several processes that write into one workspace; `bench/clients.py` does the work."""

from bench import clients
from bench.client_kinds import KINDS
from bench.scenario import Figure, Result, Run, Scenario, Target


def measure(run: Run) -> Result:
    """Let them write, undisturbed and with a kill of the owner."""
    each, processes = run.pick(1_000, 100, 2), run.pick(8, 4, 3)
    rounds = run.pick(3, 1, 1)
    figures = []
    for what, kill in (("undisturbed", False), ("the owner killed half-way", True)):
        # A killed service that serves HTTP needs somebody who starts it again.
        kinds = [kind for kind in KINDS if kind != "http" or not kill]
        done = []
        for _ in range(rounds):
            with run.scratch() as folder:
                done.append(clients.measure(folder, kinds, each, kill=kill, processes=processes))
        asked = processes * each
        size = f"{processes} processes, {each} writes each, {what}"
        lost = [float(one.acknowledged - one.found) for one in done]
        acknowledged = [float(one.acknowledged) for one in done]
        rates = [one.acknowledged / one.seconds for one in done]
        figures += [
            Figure(f"acknowledged: {size}", "writes", acknowledged, targets=[Target("ours", ">=", asked)]),
            Figure(f"acknowledged and lost: {size}", "writes", lost, targets=[Target("ours", "<=", 0)]),
            Figure(f"rate: {size}", "writes a second", rates),
        ]
    return Result(figures)


SCENARIO = Scenario(
    "clients",
    "Clients at the same time",
    "Several processes, attached MCP clients, programs on the socket and MCP clients over HTTP in turn, write into one "
    "workspace, one call after another each; then all entities are listed. The second time the owner of the workspace "
    "is killed half-way, and the clients start another one and ask again for what was not acknowledged.",
    measure,
)
