"""A made-up graph for the explorer: communities with hubs, facts that begin and end, the same every time."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

TYPES = ("Person", "Project", "Organization", "Document", "Concept", "Place", "Event", "Tool")
PREDICATES = ("WORKS_ON", "KNOWS", "PART_OF", "WROTE", "USES", "LOCATED_IN", "DEPENDS_ON")
SYLLABLES = ("ka", "lo", "mi", "ren", "ta", "vo", "sha", "dri", "nel", "or", "bel", "quin", "sar", "tu", "wen", "zi")
BEGIN = datetime(2019, 1, 1, tzinfo=UTC)
DAYS = 2500


def made_up(entities: int, facts: int, seed: int = 7) -> dict[str, Any]:
    """Return what a page shows: this many entities in communities, and facts mostly within these."""
    dice = random.Random(seed)
    communities = max(4, entities // 120)
    home = [dice.randrange(communities) for _ in range(entities)]
    members: list[list[int]] = [[] for _ in range(communities)]
    for index, community in enumerate(home):
        members[community].append(index)
    records = [_fact(dice, number, *_ends(dice, home, members, entities)) for number in range(facts)]
    degrees = [0] * entities
    for record in records:
        for end in {record["source"], record["target"]}:
            degrees[int(end[1:])] += 1
    nodes = [_node(dice, index, home[index], degrees[index]) for index in range(entities)]
    nodes.sort(key=lambda node: (-node["degree"], node["uuid"]))
    return {
        "format": 1,
        "title": "A made-up graph",
        "groups": None,
        "total_nodes": entities,
        "total_facts": facts,
        "nodes": nodes,
        "facts": records,
        "sources": [],
    }


def _ends(dice: random.Random, home: list[int], members: list[list[int]], entities: int) -> tuple[int, int]:
    source = dice.randrange(entities)
    near = members[home[source]]
    # The first ones of a community are its hubs.
    hub = near[int(len(near) * dice.random() ** 3)]
    return source, hub if dice.random() < 0.9 else dice.randrange(entities)


def _node(dice: random.Random, index: int, community: int, degree: int) -> dict[str, Any]:
    name = " ".join("".join(dice.choices(SYLLABLES, k=dice.randint(2, 3))).title() for _ in range(2))
    favourite = TYPES[community % len(TYPES)]
    return {
        "uuid": f"n{index:06}",
        "name": name,
        "group": "made-up",
        "types": [favourite if dice.random() < 0.6 else dice.choice(TYPES)],
        "summary": f"Number {index} of community {community}.",
        "attributes": {},
        "created_at": "2026-01-01 00:00:00",
        "degree": degree,
        "sources": [],
        "source_count": 0,
    }


def _fact(dice: random.Random, number: int, source: int, target: int) -> dict[str, Any]:
    begin = BEGIN + timedelta(days=dice.randrange(DAYS))
    end = begin + timedelta(days=dice.randrange(90, 1200)) if dice.random() < 0.4 else None
    predicate = dice.choice(PREDICATES)
    return {
        "uuid": f"f{number:06}",
        "source": f"n{source:06}",
        "target": f"n{target:06}",
        "predicate": predicate,
        "fact": f"{predicate.replace('_', ' ').capitalize()}, as number {number} says.",
        "group": "made-up",
        "relation_type": None,
        "valid_at": f"{begin:%Y-%m-%d %H:%M:%S}",
        "invalid_at": None if end is None else f"{end:%Y-%m-%d %H:%M:%S}",
        "sources": [],
        "source_count": 0,
    }
