"""What one assertion costs, and how many get through when several come at once."""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Final

from bench.asserts import Bare, Ours, burst, sustained
from bench.fixtures import EDGES_AN_ENTITY, workspace
from bench.scenario import Figure, Result, Run, Scenario, Target

_PAIRS: Final = (("an entity", Ours.entity, Bare.entity), ("a relationship", Ours.relationship, Bare.relationship))
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
        for _ in range(run.rounds):
            for what, mine, theirs in _PAIRS:
                found = _in_turns(calls, ours, partial(mine, ours), partial(theirs, bare))
                for whose, values in zip(("ours", "bare"), found, strict=True):
                    taken.setdefault(f"{what}, {whose}", []).append(values)
            deleting = map(ours.delete, [ours.relationship() for _ in range(calls)])
            taken.setdefault("deleting", []).append(_in_turns(calls, ours, partial(next, deleting))[0])
            for name, writers in (("one", 1), ("four", 4), ("sixteen", _WRITERS)):
                rates.setdefault(name, []).append(sustained(ours, writers, calls * min(writers, 4)))
            rates.setdefault("burst", []).append(burst(ours, _BURST, bursts))
    one = rates["one"]
    figures = [figure for what, _, _ in _PAIRS for figure in _beside_bare(what, size, taken)]
    figures += [
        Figure(f"deleting a relationship, p50, {size}", "ms", [_p50(each) for each in taken["deleting"]]),
        Figure(f"one writer of entities, {size}", "a second", one),
        Figure(f"four writers beside one, {size}", "a second", rates["four"], one),
        Figure(f"sixteen writers beside one, {size}", "a second", rates["sixteen"], one, targets=[_TOGETHER]),
        Figure(f"bursts of {_BURST} beside one writer, {size}", "a second", rates["burst"], one, targets=[_IN_BURSTS]),
    ]
    return ([_p50(each) for each in taken["an entity, ours"]], one), figures


def _beside_bare(what: str, size: str, taken: dict[str, list[list[float]]]) -> Iterator[Figure]:
    for label, of, targets in (("p50", _p50, [_NEAR_BARE]), ("p95", _p95, [])):
        ours, bare = ([of(each) for each in taken[f"{what}, {whose}"]] for whose in ("ours", "bare"))
        yield Figure(f"asserting {what}, {label}, {size}", "ms", ours, bare, targets=targets)


def _in_turns(times: int, ours: Ours, *calls: Callable[[], object]) -> list[list[float]]:
    """Return the milliseconds that each call took, of several in turns; nothing of ours is under way in between."""
    taken: list[list[float]] = [[] for _ in calls]
    for _ in range(times):
        for call, values in zip(calls, taken, strict=True):
            begun = time.perf_counter()
            call()
            values.append(1e3 * (time.perf_counter() - begun))
            ours.settle()
    return taken


def _p50(values: list[float]) -> float:
    return statistics.median(values)


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


SCENARIO = Scenario(
    "asserting",
    "Assertions",
    "One call after another asserts an entity, or a relationship, that is new; bare is an fsynced append of the line, "
    "a transaction of the graph engine with the statements that the store runs and one of SQLite with those of the "
    "full-text index, in turns with ours on a copy of the same files. Then several threads assert entities at once, or "
    "all of a burst; there, and where a large graph stands beside a small one, bare is what one writer, or the small "
    "graph, takes.",
    measure,
)
