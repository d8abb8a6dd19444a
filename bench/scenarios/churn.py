"""A service that is written to and read from for an hour: what happens to memory, disk and speed."""

import itertools
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from bench.fixtures import workspace
from bench.note_takers import GROUP
from bench.report import number
from bench.scenario import Figure, Memory, Result, Run, Scenario, Target
from bench.sentences import names, queries, sentences
from bench.service import SocketClient, disk_mb, memory_of, serving

PARTS: Final = 10
"""The time is cut into so many parts; the last is compared with the first that is not a warm-up."""
MOST_DRIFT: Final = Target("ours", "<=", 1.3)
_SOURCES: Final = 200
"""So many made-up documents are there at a time: the oldest goes when a new one comes."""
_NAMED: Final = 300


@dataclass(slots=True)
class Part:
    """What happened in a part of the time: milliseconds of calls by kind, then memory and disk at its end."""

    writes: list[float] = field(default_factory=list)
    searches: list[float] = field(default_factory=list)
    memory: Memory = field(default_factory=lambda: Memory("", 0, 0))
    views_mb: float = 0.0
    log_mb: float = 0.0


def measure(run: Run) -> Result:
    """Work for the time that the run has, and compare its parts."""
    minutes = run.churn_minutes if run.churn_minutes is not None else run.pick(60.0, 0.7, 0.05)
    entities = run.pick(10_000, 1_000, 50)
    with workspace(run, entities) as folder, serving(folder) as service:
        client = service.client()
        churn = Churn(client)
        churn.warm_up(run.pick(_SOURCES, 50, 2))
        parts = [_part(churn, folder, service.process.pid, 60 * minutes / PARTS) for _ in range(PARTS)]
        client.close()
    return _result(parts, minutes, entities)


def _part(churn: "Churn", folder: Path, pid: int, seconds: float) -> Part:
    part = Part()
    end = time.monotonic() + seconds
    while time.monotonic() < end or not part.writes:
        churn.step(part)
    part.memory = memory_of(pid, "service")
    part.views_mb = disk_mb(folder / ".lcg" / "db") + disk_mb(folder / ".lcg" / "search")
    part.log_mb = disk_mb(folder / ".lcg" / "wal")
    return part


class Churn:
    """One client that keeps a graph at about its size: what comes replaces what was there."""

    def __init__(self, client: SocketClient) -> None:
        self._client = client
        self._rng = random.Random(3)
        self._named = names(_NAMED, seed=50)
        self._facts = itertools.cycle(sentences(20_000, seed=51))
        self._queries = itertools.cycle(queries(600, seed=52))
        self._sources: list[str] = []
        self._numbers = itertools.count()

    def warm_up(self, sources: int) -> None:
        """Bring the graph to the state that it keeps."""
        unmeasured = Part()
        while len(self._sources) < sources:
            self.step(unmeasured)

    def step(self, part: Part) -> None:
        """Do once what is done again and again, and note how long each call took."""
        for method, params in self._writes():
            part.writes.append(self._timed(method, params))
        for method in ("knowledge_find_entities", "knowledge_find_relationships", "knowledge_search_passages"):
            part.searches.append(self._timed(method, {"query": next(self._queries), "group_ids": [GROUP]}))

    def _writes(self) -> Iterator[tuple[str, dict[str, Any]]]:
        source = f"churned-{next(self._numbers)}.md"
        text = f"{next(self._facts)} {next(self._facts)}"
        self._sources.append(source)
        one, other = self._rng.sample(self._named, 2)
        yield "knowledge_process_chunk", {"chunk_text": text, "chunk_id": "1", "source_file": source, "group_id": GROUP}
        for name in (one, other):
            yield "knowledge_assert_entity", {"name": name, "summary": next(self._facts), "group_id": GROUP}
        said = {"source_name": one, "predicate": "KNOWS", "target_name": other, "group_id": GROUP}
        yield "knowledge_assert_relationship", said
        if len(self._sources) > _SOURCES:
            yield "knowledge_delete_by_source", {"source_file": self._sources.pop(0), "group_ids": [GROUP]}

    def _timed(self, method: str, params: dict[str, Any]) -> float:
        begun = time.perf_counter()
        self._client.call(method, **params)
        return 1e3 * (time.perf_counter() - begun)


def _result(parts: list[Part], minutes: float, entities: int) -> Result:
    writes = sum(len(part.writes) for part in parts)
    log_mb = parts[-1].log_mb - parts[0].log_mb
    after_first = sum(len(part.writes) for part in parts[1:])
    figures = [
        Figure("one write, in each part of the time", "ms, median", [median(part.writes) for part in parts]),
        Figure("one search, in each part of the time", "ms, median", [median(part.searches) for part in parts]),
        _drift("median of writes", parts, lambda part: median(part.writes), MOST_DRIFT),
        _drift("median of searches", parts, lambda part: median(part.searches), MOST_DRIFT),
        _drift("95th percentile of writes", parts, lambda part: _high(part.writes)),
        _drift("95th percentile of searches", parts, lambda part: _high(part.searches)),
        _grown(parts),
        _drift("store and search indexes on disk", parts, lambda part: part.views_mb),
        Figure("growth of the log, for 1000 writes", "MB", [1_000 * log_mb / max(after_first, 1)]),
    ]
    memory = [
        Memory(f"service {when}", part.memory.anonymous_mb, part.memory.resident_mb)
        for when, part in (("after the first part", parts[0]), ("at the end", parts[-1]))
    ]
    notes = [
        f"{minutes:g} minutes, {writes} writes, in a graph of {entities} entities at the beginning.",
        _by_part("Memory of its own, MB", parts, lambda part: part.memory.anonymous_mb),
        _by_part("Store and search indexes on disk, MB", parts, lambda part: part.views_mb),
        _by_part("Median of writes, ms", parts, lambda part: median(part.writes)),
        _by_part("Median of searches, ms", parts, lambda part: median(part.searches)),
    ]
    return Result(figures, memory, notes)


def _by_part(what: str, parts: list[Part], value: Callable[[Part], float]) -> str:
    return f"{what}, part by part: {', '.join(number(value(part)) for part in parts)}."


def _drift(what: str, parts: list[Part], value: Callable[[Part], float], *targets: Target) -> Figure:
    return Figure(f"{what}: last part by first", "times", [value(parts[-1]) / value(parts[0])], targets=targets)


def _grown(parts: list[Part]) -> Figure:
    """Compare peaks: memory rises until the store makes a checkpoint, and falls then."""
    half = len(parts) // 2
    first, last = (max(part.memory.anonymous_mb for part in some) for some in (parts[:half], parts[half:]))
    return Figure(
        "memory of its own: peak of the last half by that of the first", "times", [last / first], targets=[MOST_DRIFT]
    )


def _high(values: list[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]


SCENARIO = Scenario(
    "churn",
    "An hour of changes",
    "One client ingests made-up documents, asserts entities and facts, deletes the oldest documents and searches, so "
    "that the graph grows little. The time is cut into ten parts, and the last is compared with the first.",
    measure,
)
