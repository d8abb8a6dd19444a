"""What formats for people and other programs show of rows: live entities, and facts of which both ends are here."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from lcg.exchange.graph_reader import GraphReader
from lcg.model.rows import Edge, Entity
from lcg.model.times import Micros, to_log

NODE_FIELDS: Final = ("types", "group", "summary", "created_at", "attributes")
"""What formats of programs that analyse graphs say of an entity beside its name, as `node_values` returns it."""
EDGE_FIELDS: Final = (
    "fact",
    "relation_type",
    "group",
    "valid_at",
    "invalid_at",
    "created_at",
    "attributes",
    "sources",
)
"""What they say of a fact beside its predicate, as `edge_values` returns it."""

_REMEMBERED = 10_000


class Shown:
    """A graph as those formats see it; `notes` tells afterwards what they left out."""

    def __init__(self, graph: GraphReader) -> None:
        self.graph = graph
        self._tombstones = self._loose = 0
        self.source_of = lru_cache(_REMEMBERED)(self._source_of)

    def entities(self) -> Iterator[Entity]:
        """Yield the entities that were not merged into others."""
        self._tombstones = 0
        for entity in self.graph.entities():
            if entity.is_tombstone:
                self._tombstones += 1
            else:
                yield entity

    def edges(self) -> Iterator[Edge]:
        """Yield the relationships of which both ends are shown."""
        self._loose = 0
        for edge in self.graph.edges():
            if self.is_shown(edge):
                yield edge
            else:
                self._loose += 1

    def is_shown(self, edge: Edge) -> bool:
        """Say whether both ends of a relationship are shown."""
        ends = {edge.source_uuid, edge.target_uuid}
        found = [self.graph.entity(uuid) for uuid in ends]
        return all(entity is not None and not entity.is_tombstone for entity in found)

    def sources(self, edge: Edge) -> list[str]:
        """Return where a fact was stated, each source once."""
        found = (self.source_of(uuid) for uuid in edge.episodes)
        return list(dict.fromkeys(source for source in found if source))

    def notes(self) -> list[str]:
        """Return what the rows that were yielded lack."""
        notes = []
        if self._tombstones:
            notes.append(f"{self._tombstones:,} entities that were merged into others are left out.")
        if self._loose:
            notes.append(f"{self._loose:,} facts are left out, for an end of theirs is not in what is exported.")
        return notes

    def _source_of(self, episode_uuid: str) -> str:
        episode = self.graph.episode(episode_uuid)
        return "" if episode is None else episode.source_description


def node_values(entity: Entity) -> tuple[str, ...]:
    """Return the values of `NODE_FIELDS`; what there is nothing of is an empty text."""
    return (
        "; ".join(types_of(entity)),
        entity.group_id,
        entity.summary,
        time(entity.created_at),
        "" if entity.attributes == "{}" else entity.attributes,
    )


def edge_values(shown: Shown, edge: Edge) -> tuple[str, ...]:
    """Return the values of `EDGE_FIELDS`; what there is nothing of is an empty text."""
    return (
        edge.fact,
        edge.relation_type or "",
        edge.group_id,
        time(edge.valid_at),
        time(edge.invalid_at),
        time(edge.created_at),
        "" if edge.attributes == "{}" else edge.attributes,
        "; ".join(shown.sources(edge)),
    )


def types_of(entity: Entity) -> list[str]:
    """Return the labels of an entity but the one that all have."""
    return [label for label in entity.labels if label != "Entity"]


def time(moment: Micros | None) -> str:
    """Return a time as `2026-03-02T08:00:00Z`, or an empty text."""
    return "" if moment is None else to_log(moment)
