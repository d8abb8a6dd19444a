"""What the best passages for a query point to: the facts that they state and the entities that they speak of.

A question seldom has the words of the one sentence that answers it, and hardly ever those of a name. The passage that
answers it has more of them, and the graph knows what was read from that passage.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from math import sqrt

from lcg.graph.graph import Graph
from lcg.graph.index import GraphIndex
from lcg.model.names import name_key
from lcg.model.rows import Edge, Episode
from lcg.runtime.groups import GroupFilter
from lcg.search.protocol import TextIndex, Vector, VectorIndex, VectorKind

PASSAGES = 6
"""How many passages are looked at."""
_UNSTATED = 0.05
"""What an entity is worth of which the passage states no fact, beside the share of the facts that others have."""


class Evidence:
    """Follows passages to what was read from them. Safe from any thread."""

    def __init__(self, graph: Graph, text: TextIndex, vectors: VectorIndex) -> None:
        self._graph = graph
        self._text = text
        self._vectors = vectors

    def facts(
        self, passages: Sequence[str], vector: Vector, groups: GroupFilter, keep: Set[str] | None = None
    ) -> list[str]:
        """Return the fact of each passage that is most like the query, in their order; only of those to keep."""
        index = self._graph.index
        stated = [_shown(index, index.stated_by(uuid), groups) for uuid in passages]
        facts = [[uuid for uuid in uuids if keep is None or uuid in keep] for uuids in stated]
        likeness = self._vectors.similarities(
            VectorKind.EDGE_FACT, vector, _unique(u for uuids in facts for u in uuids)
        )
        return _unique(max(uuids, key=lambda uuid: likeness.get(uuid, -1.0)) for uuids in facts if uuids)

    def entities(self, passages: Sequence[str], groups: GroupFilter) -> list[str]:
        """Return the entities that the passages speak of, those first that the best passages are about.

        A passage is about what it names first and states facts of, the more so the less is said of it elsewhere.
        """
        index = self._graph.index
        rows = self._graph.episodes(passages)
        edges = self._graph.edges(_unique(uuid for passage in rows for uuid in index.stated_by(passage)))
        shown = {uuid: _shown(index, index.entities_of(uuid), groups) for uuid in rows}
        names = self._text.names(_unique(uuid for uuids in shown.values() for uuid in uuids))
        worth: dict[str, float] = {}
        for rank, passage in enumerate(uuid for uuid in passages if uuid in rows):
            named = _in_order(rows[passage], {uuid: names[uuid].key for uuid in shown[passage] if uuid in names})
            shares = _shares([edges[uuid] for uuid in index.stated_by(passage) if uuid in edges])
            for place, uuid in enumerate(named):
                told = (shares.get(uuid, 0.0) + _UNSTATED) / (1 + place)
                rarity = sqrt(max(len(index.episodes_of(uuid)), 1))
                worth[uuid] = worth.get(uuid, 0.0) + told / rarity / (1 + rank)
        return sorted(worth, key=lambda uuid: (-round(worth[uuid], 12), uuid))


def _in_order(passage: Episode, keys: Mapping[str, str]) -> list[str]:
    """Put entities, by the keys of their names, in the order in which a passage names them; others come last."""
    text = name_key(passage.content)
    places = {uuid: text.find(key) for uuid, key in keys.items()}
    return sorted(places, key=lambda uuid: (places[uuid] < 0, places[uuid], uuid))


def _shares(edges: list[Edge]) -> Mapping[str, float]:
    """Return which share of the ends of facts each entity is."""
    counts: dict[str, int] = {}
    for edge in edges:
        for end in (edge.source_uuid, edge.target_uuid):
            counts[end] = counts.get(end, 0) + 1
    return {uuid: count / (2 * len(edges)) for uuid, count in counts.items()}


def _shown(index: GraphIndex, uuids: Iterable[str], groups: GroupFilter) -> list[str]:
    """Return those rows of these groups that clients see."""
    return [uuid for uuid in uuids if index.is_visible(uuid) and index.places[uuid][1] in groups]


def _unique(uuids: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(uuids))
