"""Looking at the neighbours of an entity, and reading rows by their keys."""

import random
from collections.abc import Callable
from itertools import cycle

from bench.fixtures import EDGES_AN_ENTITY, group_names, workspace
from bench.scenario import Figure, Result, Run, Scenario, Target, interleaved, median_ms
from bench.searching import Bare
from bench.service import serving


def measure(run: Run) -> Result:
    """Measure each size."""
    result = Result()
    for entities in {run.pick(1_000, 200, 40), run.pick(50_000, 2_000, 40)}:
        result.figures += _at(run, entities)
    return result


def _at(run: Run, entities: int) -> list[Figure]:
    calls = run.pick(300, 50, 3)
    with workspace(run, entities) as folder, workspace(run, entities) as other:
        bare = Bare(other)
        with serving(folder) as service:
            client = service.client()
            listed = client.call("knowledge_list_entities", group_ids=group_names(1), num_results=1_000)["nodes"]
            uuids = [node["uuid"] for node in listed]
            random.Random(1).shuffle(uuids)
            ours, theirs = cycle(uuids), cycle(uuids)
            ways: dict[str, Callable[[], object]] = {
                "ours": lambda: client.call(
                    "knowledge_get_entity_neighbors", entity_uuid=next(ours), group_ids=group_names(1)
                ),
                "bare": lambda: bare.neighbours(next(theirs)),
            }
            for way in ways.values():
                median_ms(way, calls // 3 + 1)
            taken = interleaved(run.rounds, {name: _timed(way, calls) for name, way in ways.items()})
            client.close()
        bare.close()
    what = f"neighbours of an entity, {entities} entities, {EDGES_AN_ENTITY * entities} facts"
    return [Figure(what, "ms", taken["ours"], taken["bare"], targets=[Target("ours/bare", "<=", 1.5)])]


def _timed(call: Callable[[], object], calls: int) -> Callable[[], float]:
    return lambda: median_ms(call, calls)


SCENARIO = Scenario(
    "reads",
    "Neighbours of an entity",
    "The relationships of an entity with the entities at their other ends, and where both came from. Ours is called "
    "over the socket. Bare is the engine alone, in the process that measures: a prepared statement for each direction, "
    "with the same columns, and one for where each row came from.",
    measure,
)
