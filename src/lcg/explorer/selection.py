"""Which entities a page shows when there are more than anybody could look at: those with the most facts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from lcg.exchange.graph_reader import GraphReader

MOST_ENTITIES: Final = 5_000
MOST_FACTS: Final = 40_000


@dataclass(frozen=True, slots=True)
class Selection:
    """What is shown of a graph.

    Attributes:
        chosen: the entities to show, the best-connected first.
        degrees: for every entity that can be shown, how many facts it is an end of.
        total_facts: facts whose two ends can be shown.
    """

    chosen: tuple[str, ...]
    degrees: dict[str, int]
    total_facts: int


def select(graph: GraphReader, most_entities: int = MOST_ENTITIES, most_facts: int = MOST_FACTS) -> Selection:
    """Choose the best-connected entities, as many as both bounds allow; ties by uuid."""
    degrees = {entity.uuid: 0 for entity in graph.entities() if not entity.is_tombstone}
    total = 0
    for source, target in _facts(graph, degrees):
        total += 1
        for uuid in {source, target}:
            degrees[uuid] += 1
    ranked = sorted(degrees, key=lambda uuid: (-degrees[uuid], uuid))[:most_entities]
    rank = {uuid: position for position, uuid in enumerate(ranked)}
    # A fact is drawn once both of its ends are, so the later one decides how many entities it takes.
    needs = Counter(
        max(rank[source], rank[target]) for source, target in _facts(graph, degrees) if {source, target} <= rank.keys()
    )
    facts_with = accumulate(needs[position] for position in range(len(ranked)))
    return Selection(tuple(_within(ranked, facts_with, most_facts)), degrees, total)


def _facts(graph: GraphReader, degrees: dict[str, int]) -> Iterator[tuple[str, str]]:
    return (ends for ends in graph.ends() if ends[0] in degrees and ends[1] in degrees)


def _within(ranked: Iterable[str], facts_with: Iterable[int], most_facts: int) -> Iterator[str]:
    for uuid, facts in zip(ranked, facts_with, strict=True):
        if facts > most_facts:
            return
        yield uuid
