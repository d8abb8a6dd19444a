"""What one assertion costs, and how many get through when several come at once."""

import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from bench.asserts import Bare, Ours, burst, sustained
from bench.fixtures import EDGES_AN_ENTITY, workspace
from bench.scenario import Figure, Result, Run, Scenario, Target

_WRITERS: Final = 16
_BURST: Final = 64
_NEAR_BARE: Final = Target("ours/bare", "<=", 1.5)
_TOGETHER: Final = Target("ours/bare", ">=", 1.5)
_IN_BURSTS: Final = Target("ours/bare", ">=", 3.0)
_FLAT: Final = Target("ours/bare", "<=", 1.15)
_FLAT_RATE: Final = Target("ours/bare", ">=", 0.8)


def measure(run: Run) -> Result:
    """Assert at a small and at a large graph."""
    small, large = run.pick(1_000, 200, 20), run.pick(20_000, 1_000, 40)
    figures: list[Figure] = []
    alone: dict[int, tuple[list[float], list[float]]] = {}
    for entities in (small, large):
        found, figure = _at(run, entities)
        alone[entities] = found
        figures += figure
    figures += [
        Figure(
            f"asserting an entity among {large}, beside one among {small}",
            "ms",
            alone[large][0],
            alone[small][0],
            targets=[_FLAT],
        ),
        Figure(
            f"one writer among {large}, beside one among {small}",
            "a second",
            alone[large][1],
            alone[small][1],
            targets=[_FLAT_RATE],
        ),
    ]
    return Result(figures)


def _at(run: Run, entities: int) -> tuple[tuple[list[float], list[float]], list[Figure]]:
    calls, bursts = run.pick(200, 40, 3), run.pick(10, 4, 1)
    size = f"{entities} entities, {EDGES_AN_ENTITY * entities} facts"
    taken: dict[str, list[list[float]]] = {}
    rates: dict[str, list[float]] = {}
    with ExitStack() as stack:
        ours = stack.enter_context(Ours(stack.enter_context(workspace(run, entities))))
        bare = stack.enter_context(Bare(stack.enter_context(workspace(run, entities))))
        pairs = {"an entity": (ours.entity, bare.entity), "a relationship": (ours.relationship, bare.relationship)}
        for _ in range(run.rounds):
            for what, (one, other) in pairs.items():
                taken.setdefault(what, []).append(_ms(one, calls, other, taken.setdefault(f"{what}, bare", [])))
            made = [ours.relationship() for _ in range(calls)]
            deleted = iter(made)
            taken.setdefault("deleting", []).append(_ms(lambda edges=deleted: ours.delete(next(edges)), calls))
            for name, rate in (
                ("one", lambda: sustained(ours.entity, 1, calls)),
                ("four", lambda: sustained(ours.entity, 4, 2 * calls)),
                ("sixteen", lambda: sustained(ours.entity, _WRITERS, 4 * calls)),
                ("burst", lambda: burst(ours.entity, _BURST, bursts)),
            ):
                rates.setdefault(name, []).append(rate())
    figures = []
    for what in pairs:
        mine, theirs = taken[what], taken[f"{what}, bare"]
        for label, of in (("p50", _p50), ("p95", _p95)):
            targets = [_NEAR_BARE] if label == "p50" else []
            values = [of(each) for each in mine], [of(each) for each in theirs]
            figures.append(Figure(f"asserting {what}, {label}, {size}", "ms", *values, targets=targets))
    one = rates["one"]
    figures += [
        Figure(f"deleting a relationship, p50, {size}", "ms", [_p50(each) for each in taken["deleting"]]),
        Figure(f"one writer of entities, {size}", "a second", one),
        Figure(f"four writers of entities beside one, {size}", "a second", rates["four"], one),
        Figure(
            f"sixteen writers of entities beside one, {size}", "a second", rates["sixteen"], one, targets=[_TOGETHER]
        ),
        Figure(f"bursts of {_BURST} beside one writer, {size}", "a second", rates["burst"], one, targets=[_IN_BURSTS]),
    ]
    return ([_p50(each) for each in taken["an entity"]], one), figures


def _ms(
    call: Callable[[], object],
    times: int,
    other: Callable[[], object] | None = None,
    of_other: list[list[float]] | None = None,
) -> list[float]:
    """Return the milliseconds of each call; those of another one, made in turns with it, go to a list beside."""
    taken: list[float] = []
    beside: list[float] = []
    for _ in range(times):
        for what, times_of in ((call, taken), (other, beside)):
            if what is not None:
                begun = time.perf_counter()
                what()
                times_of.append(1e3 * (time.perf_counter() - begun))
    if of_other is not None:
        of_other.append(beside)
    return taken


def _p50(values: list[float]) -> float:
    return statistics.median(values)


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


SCENARIO = Scenario(
    "asserting",
    "Assertions",
    "One call after another asserts an entity, or a relationship, that is new; bare is an fsynced append of the line, a "
    "transaction of the graph engine with the statements that the store runs and one of SQLite with those of the "
    "full-text index, in turns with ours on a copy of the same files. Then several threads assert entities at once, or "
    "all of a burst; there, and where a large graph stands beside a small one, bare is what one writer, or the small "
    "graph, takes.",
    measure,
)
