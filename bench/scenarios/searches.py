"""The three searches: by size, beside the bare engines, over many groups, and beside those who write."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, Final

import numpy as np

from bench.fixtures import EDGES_AN_ENTITY, group_names, workspace
from bench.scenario import Figure, Result, Run, Scenario, Target, interleaved, median_ms
from bench.searching import KINDS, WANTED, Bare, Kind
from bench.sentences import queries
from bench.service import SocketClient, memory_of, serving

GROUPS: Final = 20
_ASKED: Final = 300
_PACE: Final = 100.0
_FLAT_OUT: Final = 4


def measure(run: Run) -> Result:
    """Measure every size that the run's scale has."""
    small, narrow, large = run.pick(1_000, 200, 40), run.pick(20_000, 1_000, 40), run.pick(50_000, 2_000, 40)
    result = Result()
    _narrow(run, result, small, narrow)
    taken = _beside_bare(run, result, large, 1)
    _beside_bare(run, result, large, GROUPS)
    _beside_writers(run, result, large)
    if run.scale == "full":
        _very_large(run, result, 4 * large, taken, large)
    result.notes.append("Ours is called over the socket of a service; bare runs in the process that measures.")
    return result


def asked(client: SocketClient, kind: Kind, groups: list[str], texts: list[str]) -> Callable[[], object]:
    """Return a function that searches for the next of these texts."""
    turns = cycle(texts)

    def ask() -> object:
        return client.call(kind.method, query=next(turns), group_ids=groups, num_results=WANTED)

    return ask


def _beside_bare(run: Run, result: Result, entities: int, groups: int) -> dict[str, list[float]]:
    """Search beside the bare engines; return ours by kind."""
    calls, size = run.pick(150, 30, 3), _size(entities, groups)
    texts = queries(_ASKED)
    found: dict[str, list[float]] = {}
    with workspace(run, entities, groups) as folder, workspace(run, entities, groups) as other:
        bare = Bare(other)
        with serving(folder) as service:
            client = service.client()
            for kind in KINDS:
                ours, turns = asked(client, kind, group_names(groups), texts), cycle(texts)

                def theirs(kind: Kind = kind, turns: Iterator[str] = turns) -> object:
                    return bare.search(kind, next(turns))

                median_ms(ours, calls // 3 + 1)
                median_ms(theirs, calls // 3 + 1)
                taken = _rounds(run, {"ours": ours, "bare": theirs}, calls)
                found[kind.name] = taken["ours"]
                targets = [Target("ours/bare", "<=", 1.5 if groups == 1 else 6)]
                result.figures.append(
                    Figure(f"search for {kind.name}, {size}", "ms", taken["ours"], taken["bare"], targets=targets)
                )
            result.memory.append(memory_of(service.process.pid, f"service after searches, {size}"))
            client.close()
        bare.close()
    return found


def _very_large(run: Run, result: Result, entities: int, before: dict[str, list[float]], smaller: int) -> None:
    """Search a graph that is several times as large, beside what the smaller one took in this run."""
    with workspace(run, entities) as folder, serving(folder) as service:
        client = service.client()
        for kind in KINDS:
            ask = asked(client, kind, group_names(1), queries(_ASKED))
            median_ms(ask, 50)
            ours = [median_ms(ask, 150) for _ in range(run.rounds)]
            what = f"search for {kind.name}, {_size(entities, 1)}"
            name = f"ours, {smaller} entities"
            result.figures.append(
                Figure(what, "ms", ours, (), before[kind.name], [Target("ours/rival", "<=", 2.5)], name)
            )
        result.memory.append(memory_of(service.process.pid, f"service after searches, {_size(entities, 1)}"))
        client.close()


def _narrow(run: Run, result: Result, small: int, large: int) -> None:
    """Search for entities by their names in a small and in a large graph, in turns."""
    calls = run.pick(200, 50, 3)
    with workspace(run, small) as one, workspace(run, large) as other, serving(one) as few, serving(other) as many:
        clients = {"few": few.client(), "many": many.client()}
        ways: dict[str, Callable[[], object]] = {}
        for name, client in clients.items():
            listed = client.call("knowledge_list_entities", group_ids=group_names(1), num_results=_ASKED)["nodes"]
            texts = [node["name"] for node in listed]
            random.Random(1).shuffle(texts)
            ways[name] = asked(client, KINDS[0], group_names(1), texts)
            median_ms(ways[name], calls)
        taken = _rounds(run, ways, calls)
        for client in clients.values():
            client.close()
    result.figures.append(
        Figure(
            f"search for an entity by its name among {large}",
            "ms",
            taken["many"],
            (),
            taken["few"],
            [Target("ours/rival", "<=", 1.5)],
            f"ours, among {small}",
        )
    )


def _beside_writers(run: Run, result: Result, entities: int) -> None:
    """Take the 95th percentile of searches while nobody writes, while one does at a pace, and while four do."""
    calls = run.pick(300, 60, 3)
    with workspace(run, entities) as folder, serving(folder) as service:
        client = service.client()
        ways = [asked(client, kind, group_names(1), queries(_ASKED)) for kind in KINDS]

        def high() -> float:
            return _percentile(ways, calls)

        def with_writers(count: int, pace: float | None) -> Callable[[], float]:
            def measured() -> float:
                with writers(service.path, count, pace):
                    return high()

            return measured

        high()
        taken = interleaved(
            run.rounds, {"quiet": high, "paced": with_writers(1, _PACE), "flat out": with_writers(_FLAT_OUT, None)}
        )
        client.close()
    size = _size(entities, 1)
    more = [paced - quiet for paced, quiet in zip(taken["paced"], taken["quiet"], strict=True)]
    result.figures += [
        Figure(f"95th percentile of searches, nobody writes, {size}", "ms", taken["quiet"]),
        Figure(
            f"what one writer adds to it who asserts {_PACE:.0f} entities a second",
            "ms",
            more,
            targets=[Target("ours", "<=", 10)],
        ),
        Figure(
            f"95th percentile of searches, {_FLAT_OUT} assert as fast as they can, {size}",
            "ms",
            taken["flat out"],
            targets=[Target("ours", "<=", 60)],
        ),
    ]


@contextmanager
def writers(path: Path, count: int, pace: float | None) -> Iterator[None]:
    """Have processes assert entities until the end of a `with` block, so many a second each, or as fast as they can."""
    context = get_context("spawn")
    stop, ready = context.Event(), context.Semaphore(0)
    processes = [context.Process(target=_write, args=(path, pace, stop, ready), daemon=True) for _ in range(count)]
    try:
        for process in processes:
            process.start()
        for _ in processes:
            ready.acquire(timeout=60)
        yield
    finally:
        stop.set()
        for process in processes:
            process.join(30)
            process.kill()


def _write(path: Path, pace: float | None, stop: Event, ready: Any) -> None:
    client = SocketClient(path)
    mark, number, due = f"{time.time_ns():x}", 0, time.perf_counter()
    while not stop.is_set():
        name = f"Harbour office {mark} {number}"
        client.call("knowledge_assert_entity", name=name, summary=f"{name} keeps tide tables.", group_id="group-1")
        if not number:
            ready.release()
        number += 1
        if pace is not None:
            due += 1 / pace
            time.sleep(max(0.0, due - time.perf_counter()))
    client.close()


def _rounds(run: Run, ways: dict[str, Callable[[], object]], calls: int) -> dict[str, list[float]]:
    def timed(call: Callable[[], object]) -> Callable[[], float]:
        return lambda: median_ms(call, calls)

    return interleaved(run.rounds, {name: timed(call) for name, call in ways.items()})


def _percentile(ways: list[Callable[[], object]], calls: int) -> float:
    taken = []
    for _ in range(calls):
        for ask in ways:
            begun = time.perf_counter()
            ask()
            taken.append(1e3 * (time.perf_counter() - begun))
    return float(np.percentile(taken, 95))


def _size(entities: int, groups: int) -> str:
    where = "" if groups == 1 else f" in {groups} groups"
    return f"{entities} entities, {EDGES_AN_ENTITY * entities} facts{where}"


SCENARIO = Scenario(
    "searches",
    "Searches",
    "The ten best entities, facts or passages for what people look for: sentences, names, and a few words. Bare is "
    "the same full-text table ranked without a bound, one product of the same vectors, the rows read by key and where "
    "they came from by the engine, without fusing the lists and without following passages. What is compared with our "
    "own figure at another size stands in the rival's place.",
    measure,
)
