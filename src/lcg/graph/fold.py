"""Folding a log: from its records to the rows that they leave, in memory, without touching the graph.

It means the same as staging the records one after the other (a property test holds the two together), but knows
only its own group, so a whole log folds at the speed of dictionaries and is then loaded in bulk.
"""

from collections.abc import Callable
from typing import Any

from lcg.graph.entries import Kind
from lcg.graph.stage import OperationRefused, canonical_edge, canonical_entity
from lcg.model.operations import (
    EdgeDelete,
    EdgePut,
    EntityDelete,
    EntityPut,
    EpisodeDelete,
    EpisodePut,
    GroupClear,
    MentionDelete,
    MentionPut,
    Operation,
    Record,
)
from lcg.model.rows import Edge, Entity, Episode, Mention

_Done = tuple[dict[str, Any], str, Any]
"""What takes a change of a table back: the table, the key, and what was there before (None: nothing)."""


class Fold:
    """The rows of one group in the making.

    `owned_elsewhere` says whether a uuid belongs to another group of the graph; such a row is refused.
    """

    def __init__(self, group_id: str, owned_elsewhere: Callable[[str], bool]) -> None:
        self.group_id = group_id
        self.entities: dict[str, Entity] = {}
        self.edges: dict[str, Edge] = {}
        self.episodes: dict[str, Episode] = {}
        self.mentions: dict[str, dict[str, bool]] = {}
        self._mentioned: dict[str, list[str]] | None = None
        self._owned_elsewhere = owned_elsewhere

    @property
    def rows(self) -> int:
        """How many rows there are, mentions included."""
        links = sum(map(len, self.mentions.values()))
        return len(self.entities) + len(self.edges) + len(self.episodes) + links

    def mention_rows(self) -> list[Mention]:
        """Return the mentions, episode by episode, in the order in which they were linked."""
        return [Mention(self.group_id, episode, entity) for episode, ends in self.mentions.items() for entity in ends]

    def take_in(self, record: Record) -> None:
        """Apply a record: all of it, or nothing.

        Raises:
            OperationRefused: it contradicts what is there.
        """
        done: list[_Done] = []
        try:
            for operation in record.operations:
                _HOW[type(operation)](self, operation, done)
        except OperationRefused:
            for table, key, old in reversed(done):
                if old is None:
                    table.pop(key, None)
                else:
                    table[key] = old
            # What a refused record took away and gave back is in no order that could be relied on.
            self._mentioned = None
            raise

    def _put_entity(self, operation: EntityPut, done: list[_Done]) -> None:
        row = operation.row
        uuid = row.uuid
        old = self.entities.get(uuid)
        if old is None or row.group_id != self.group_id:
            self._check(row, self.edges, self.episodes)
        if row.name_embedded is not None or row.summary_embedded is not None:
            row = canonical_entity(row)
        done.append((self.entities, uuid, old))
        self.entities[uuid] = row

    def _put_edge(self, operation: EdgePut, done: list[_Done]) -> None:
        row = operation.row
        uuid = row.uuid
        old = self.edges.get(uuid)
        if old is None or row.group_id != self.group_id:
            self._check(row, self.entities, self.episodes)
        if row.fact_embedded is not None:
            row = canonical_edge(row)
        done.append((self.edges, uuid, old))
        self.edges[uuid] = row

    def _put_episode(self, operation: EpisodePut, done: list[_Done]) -> None:
        row = operation.row
        uuid = row.uuid
        old = self.episodes.get(uuid)
        if old is None or row.group_id != self.group_id:
            self._check(row, self.entities, self.edges)
        done.append((self.episodes, uuid, old))
        self.episodes[uuid] = row

    def _check(self, row: Entity | Edge | Episode, *others: dict[str, Any]) -> None:
        """Refuse a row that has no uuid, or that of another row. `others` are the tables that it is not for."""
        uuid = row.uuid
        if not uuid:
            raise OperationRefused(f"a row of {type(row).__name__.lower()} has no uuid")
        if row.group_id != self.group_id:
            raise OperationRefused(f"a row of group {row.group_id!r} in the log of group {self.group_id!r}")
        if any(uuid in table for table in others) or self._owned_elsewhere(uuid):
            raise OperationRefused(f"uuid {uuid} already belongs to another row")

    def _link(self, operation: MentionPut, done: list[_Done]) -> None:
        row = operation.row
        episode, entity = row.episode_uuid, row.entity_uuid
        if episode not in self.episodes or entity not in self.entities or row.group_id != self.group_id:
            raise self._nothing_to_link(row)
        linked = self.mentions.get(episode)
        if linked is None:
            linked = self.mentions[episode] = {}
        if entity not in linked:
            linked[entity] = True
            done.append((linked, entity, None))
            if self._mentioned is not None:
                self._mentioned.setdefault(entity, []).append(episode)

    def _nothing_to_link(self, row: Mention) -> OperationRefused:
        is_episode_here = row.episode_uuid in self.episodes and row.group_id == self.group_id
        kind, uuid = (Kind.ENTITY, row.entity_uuid) if is_episode_here else (Kind.EPISODE, row.episode_uuid)
        return OperationRefused(f"a mention names the {kind} {uuid}, which group {self.group_id!r} does not hold")

    def _unlink(self, operation: MentionDelete, done: list[_Done]) -> None:
        _drop(self.mentions.get(operation.row.episode_uuid, {}), operation.row.entity_uuid, done)

    def _delete_entity(self, operation: EntityDelete, done: list[_Done]) -> None:
        if operation.uuid in self.entities:
            for episode in self._episodes_of(operation.uuid):
                _drop(self.mentions[episode], operation.uuid, done)
            _drop(self.entities, operation.uuid, done)

    def _episodes_of(self, entity: str) -> list[str]:
        """Return the episodes that may mention an entity. Most logs never ask, so what tells it is made when one does.

        An episode that stopped to mention it may be named still, and one twice.
        """
        if self._mentioned is None:
            self._mentioned = {}
            for episode, entities in self.mentions.items():
                for mentioned in entities:
                    self._mentioned.setdefault(mentioned, []).append(episode)
        return self._mentioned.get(entity, [])

    def _delete_edge(self, operation: EdgeDelete, done: list[_Done]) -> None:
        _drop(self.edges, operation.uuid, done)

    def _delete_episode(self, operation: EpisodeDelete, done: list[_Done]) -> None:
        for entity in list(self.mentions.get(operation.uuid, ())):
            _drop(self.mentions[operation.uuid], entity, done)
        _drop(self.episodes, operation.uuid, done)

    def _clear(self, operation: GroupClear, done: list[_Done]) -> None:
        tables = vars(self)
        for name in ("entities", "edges", "episodes", "mentions"):
            done.append((tables, name, tables[name]))
            tables[name] = {}
        self._mentioned = None


_HOW: dict[type[Operation], Callable[[Fold, Any, list[_Done]], None]] = {
    EntityPut: Fold._put_entity,
    EdgePut: Fold._put_edge,
    EpisodePut: Fold._put_episode,
    MentionPut: Fold._link,
    MentionDelete: Fold._unlink,
    EntityDelete: Fold._delete_entity,
    EdgeDelete: Fold._delete_edge,
    EpisodeDelete: Fold._delete_episode,
    GroupClear: Fold._clear,
}
"""How each operation is applied."""


def _drop(table: dict[str, Any], key: str, done: list[_Done]) -> None:
    old = table.pop(key, None)
    if old is not None:
        done.append((table, key, old))
