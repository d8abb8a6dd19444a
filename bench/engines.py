"""Sets the engines that a store can run on beside each other: the same work of the same store, by processor time.

Run `python -m bench.engines [--entities N] [--rounds N]`; it needs both engines. Each measurement has a process of its
own, since a process can have one engine only, and the engines take turns. A quotient is taken round by round, and the
median of these is shown. What the engines' own threads take counts too.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

from lcg.engines import KINDS
from lcg.model.plain import plain
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import Batch, Change, GroupLoad, Position

FIRST, SECOND = KINDS
MOMENT = 1_772_452_800_000_000
GROUP = "g"


def entity(number: int) -> Entity:
    summary = f"Entity {number} keeps a lamp, and its book of tides. " * 4
    return Entity(f"n{number}", GROUP, f"Keeper {number}", labels=("Entity",), created_at=MOMENT, summary=summary)


def edge(number: int, source: int, target: int) -> Edge:
    fact = f"Keeper {source} taught keeper {target} to trim a lamp, in year {number}."
    ends = {"source_uuid": f"n{source}", "target_uuid": f"n{target}"}
    return Edge(uuid=f"e{number}", group_id=GROUP, name="TAUGHT", fact=fact, created_at=MOMENT, **ends)


def episode(number: int) -> Episode:
    content = f"Passage {number}. " * 100
    return Episode(f"p{number}", GROUP, f"passage {number}", MOMENT, "text", "a file", content)


class Figures:
    """What one engine took, in milliseconds of processor time for each piece of work, and its memory and files."""

    def __init__(self) -> None:
        self.taken: dict[str, float] = {}

    @contextmanager
    def timed(self, what: str, pieces: int) -> Iterator[None]:
        began = time.process_time()
        yield
        self.taken[f"{what} (ms of processor time)"] = (time.process_time() - began) * 1000 / pieces

    def each(self, what: str, work: Callable[[int], object], numbers: list[int]) -> None:
        """Time a piece of work for each number but the first, after which statements are prepared."""
        first, *others = numbers
        work(first)
        with self.timed(what, len(others)):
            for number in others:
                work(number)


def measure(engine: str, folder: Path, entities: int) -> dict[str, float]:
    chance = random.Random(7)
    figures, path = Figures(), folder / "graph.db"
    ends = [(chance.randrange(entities), chance.randrange(entities)) for _ in range(2 * entities)]
    store = KuzuStore(path, engine)
    load = GroupLoad(
        Position(GROUP, 1, "gen"),
        [plain(entity(number)) for number in range(entities)],
        [plain(edge(number, *pair)) for number, pair in enumerate(ends)],
        [plain(episode(number)) for number in range(entities // 10)],
        {f"p{number}": [f"n{number * 10 + place}" for place in range(10)] for number in range(entities // 10)},
        set[str]().__contains__,
    )
    with figures.timed("loading a group", 1):
        store.load_group(load)
    figures.taken["file after loading (MB)"] = path.stat().st_size / (1 << 20)
    _write(store, figures, entities, len(ends))
    _read(store, figures, [chance.randrange(entities) for _ in range(200)])
    with figures.timed("closing, with a checkpoint", 1):
        store.close()
    figures.taken["file at the end (MB)"] = path.stat().st_size / (1 << 20)
    with figures.timed("opening", 1):
        store = KuzuStore(path, engine)
    with figures.timed("reading everything", 1), store.reader() as reader:
        for rows in (reader.scan_entities(), reader.scan_edges(), reader.scan_episodes(), reader.scan_mentions()):
            for _ in rows:
                pass
    store.close()
    figures.taken["peak memory (MB)"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 10)
    return figures.taken


def _write(store: KuzuStore, figures: Figures, entities: int, edges: int) -> None:
    some = list(range(201))
    figures.each("one new entity", lambda n: store.apply(Batch(entities=[Change(None, entity(entities + n))])), some)
    figures.each(
        "one new relationship",
        lambda n: store.apply(Batch(edges=[Change(None, edge(edges + n, n, n + 1))])),
        some,
    )
    figures.each(
        "one changed entity",
        lambda n: store.apply(Batch(entities=[Change(entity(n), replace(entity(n), summary=f"other {n}"))])),
        some,
    )

    def take_in(number: int) -> None:
        first = entities + 1000 + number * 8
        rows = [entity(first + place) for place in range(8)]
        facts = [edge(edges + first + place, first + place, first + (place + 1) % 8) for place in range(8)]
        text = episode(entities + number)
        store.apply(
            Batch(
                entities=[Change(None, row) for row in rows],
                edges=[Change(None, fact) for fact in facts],
                episodes=[Change(None, text)],
                mentions_added=[Mention(GROUP, text.uuid, row.uuid) for row in rows],
                episode_entities={text.uuid: tuple(row.uuid for row in rows)},
            )
        )

    figures.each("a passage with 8 entities and 8 relationships", take_in, some)
    with figures.timed("a checkpoint", 1):
        store.checkpoint()


def _read(store: KuzuStore, figures: Figures, numbers: list[int]) -> None:
    two_hops = (
        "MATCH (a:Entity {uuid: $u})-[:RELATES_TO]->(n:RelatesToNode_)-[:RELATES_TO]->(b:Entity) RETURN n.fact, b.name"
    )
    named = "MATCH (e:Entity) WHERE e.name = $name RETURN e.uuid"
    count = "MATCH (n:RelatesToNode_) RETURN count(*)"

    def ask(query: str, **parameters: str) -> None:
        reader.cypher(query, parameters, max_rows=100, timeout_ms=60_000)

    with store.reader() as reader:
        figures.each("reading an entity by its key", lambda n: reader.entities([f"n{n}"]), numbers)
        figures.each("reading 100 entities by their keys", lambda n: reader.entities(_hundred(n)), numbers[:50])
        figures.each("the relationships out of an entity", lambda n: reader.neighbour_edges(f"n{n}", "out"), numbers)
        figures.each("Cypher: from an entity to the next", lambda n: ask(two_hops, u=f"n{n}"), numbers[:100])
        figures.each("Cypher: an entity by its name", lambda n: ask(named, name=f"Keeper {n}"), numbers[:50])
        figures.each("Cypher: counting relationships", lambda n: ask(count), numbers[:50])


def _hundred(number: int) -> list[str]:
    return [f"n{(number + place * 17) % 1000}" for place in range(100)]


def apart(engine: str, entities: int) -> dict[str, float]:
    """Measure an engine in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="lcg-engines-") as folder:
        command = [sys.executable, "-m", "bench.engines", "--only", engine, folder, "--entities", str(entities)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    taken: dict[str, float] = json.loads(done.stdout)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=5_000, help="entities, with twice as many relationships")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs=2, metavar=("ENGINE", "FOLDER"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        engine, folder = options.only
        json.dump(measure(engine, Path(folder), options.entities), sys.stdout)
        return
    rounds = [{engine: apart(engine, options.entities) for engine in KINDS} for _ in range(options.rounds)]
    print(f"{options.entities} entities, {2 * options.entities} relationships, {options.rounds} rounds\n")
    print(f"| | {FIRST} | {SECOND} | {SECOND} / {FIRST} |\n|---|---|---|---|")
    for what in rounds[0][FIRST]:
        first, second = (median(taken[engine][what] for taken in rounds) for engine in KINDS)
        quotient = median(taken[SECOND][what] / taken[FIRST][what] for taken in rounds)
        print(f"| {what} | {first:.3g} | {second:.3g} | {quotient:.2f} |")


if __name__ == "__main__":
    main()
