"""Folding a log: from its records to the rows that they leave, in memory, without touching the graph.

It means the same as staging the records one after the other (a property test holds the two together), but knows
only its own group and no rows but their values, so a whole log folds at the speed of dictionaries and is then loaded
in bulk.
"""

from collections.abc import Callable, Iterable
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
from lcg.model.plain import Plain, RowTable, place, plain
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.wal.operations import PlainOperation, plain_operation

_Done = tuple[dict[str, Any], str, Any]
"""What takes a change of a table back: the table, the key, and what was there before (None: nothing)."""

_NAME_EMBEDDED, _SUMMARY_EMBEDDED = place(Entity, "name_embedded"), place(Entity, "summary_embedded")
_FACT_EMBEDDED = place(Edge, "fact_embedded")


class Fold:
    """The rows of one group in the making.

    `owned_elsewhere` says whether a uuid belongs to another group of the graph; such a row is refused. `mentions` has
    the entities that each episode mentions, in the order in which they were linked, as the keys of a dictionary.
    """

    def __init__(self, group_id: str, owned_elsewhere: Callable[[str], bool]) -> None:
        self.group_id = group_id
        self.entities = RowTable(Entity)
        self.edges = RowTable(Edge)
        self.episodes = RowTable(Episode)
        self.mentions: dict[str, dict[str, bool]] = {}
        self._entities, self._edges, self._episodes = self.entities.plain, self.edges.plain, self.episodes.plain
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
        self.take_in_plain(map(plain_operation, record.operations))

    def take_in_plain(self, operations: Iterable[PlainOperation]) -> None:
        """As `take_in`, with the operations of a record as they are read from a log."""
        done: list[_Done] = []
        try:
            for kind, values in operations:
                _HOW[kind](self, values, done)
        except OperationRefused:
            for table, key, old in reversed(done):
                if old is None:
                    table.pop(key, None)
                else:
                    table[key] = old
            # What a refused record took away and gave back is in no order that could be relied on.
            self._mentioned = None
            raise

    def _put_entity(self, values: Plain, done: list[_Done]) -> None:
        uuid = values[0]
        old = self._entities.get(uuid)
        if old is None or values[1] != self.group_id:
            self._check("entity", values, self._edges, self._episodes)
        if values[_NAME_EMBEDDED] is not None or values[_SUMMARY_EMBEDDED] is not None:
            values = plain(canonical_entity(Entity(*values)))
        done.append((self._entities, uuid, old))
        self._entities[uuid] = values

    def _put_edge(self, values: Plain, done: list[_Done]) -> None:
        uuid = values[0]
        old = self._edges.get(uuid)
        if old is None or values[1] != self.group_id:
            self._check("edge", values, self._entities, self._episodes)
        if values[_FACT_EMBEDDED] is not None:
            values = plain(canonical_edge(Edge(*values)))
        done.append((self._edges, uuid, old))
        self._edges[uuid] = values

    def _put_episode(self, values: Plain, done: list[_Done]) -> None:
        uuid = values[0]
        old = self._episodes.get(uuid)
        if old is None or values[1] != self.group_id:
            self._check("episode", values, self._entities, self._edges)
        done.append((self._episodes, uuid, old))
        self._episodes[uuid] = values

    def _check(self, kind: str, values: Plain, one: dict[str, Plain], other: dict[str, Plain]) -> None:
        """Refuse a row that has no uuid, or that of another row. The tables are those that it is not for."""
        uuid, group_id = values[:2]
        if not uuid:
            raise OperationRefused(f"a row of {kind} has no uuid")
        if group_id != self.group_id:
            raise OperationRefused(f"a row of group {group_id!r} in the log of group {self.group_id!r}")
        if uuid in one or uuid in other or self._owned_elsewhere(uuid):
            raise OperationRefused(f"uuid {uuid} already belongs to another row")

    def _link(self, values: Plain, done: list[_Done]) -> None:
        group_id, episode, entity = values
        if episode not in self._episodes or entity not in self._entities or group_id != self.group_id:
            raise self._nothing_to_link(*values)
        linked = self.mentions.get(episode)
        if linked is None:
            linked = self.mentions[episode] = {}
        if entity not in linked:
            linked[entity] = True
            done.append((linked, entity, None))
            if self._mentioned is not None:
                self._mentioned.setdefault(entity, []).append(episode)

    def _nothing_to_link(self, group_id: str, episode: str, entity: str) -> OperationRefused:
        is_episode_here = episode in self._episodes and group_id == self.group_id
        kind, uuid = (Kind.ENTITY, entity) if is_episode_here else (Kind.EPISODE, episode)
        return OperationRefused(f"a mention names the {kind} {uuid}, which group {self.group_id!r} does not hold")

    def _unlink(self, values: Plain, done: list[_Done]) -> None:
        _, episode, entity = values
        _drop(self.mentions.get(episode, {}), entity, done)

    def _delete_entity(self, values: Plain, done: list[_Done]) -> None:
        (uuid,) = values
        if uuid in self._entities:
            for episode in self._episodes_of(uuid):
                _drop(self.mentions[episode], uuid, done)
            _drop(self._entities, uuid, done)

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

    def _delete_edge(self, values: Plain, done: list[_Done]) -> None:
        _drop(self._edges, values[0], done)

    def _delete_episode(self, values: Plain, done: list[_Done]) -> None:
        (uuid,) = values
        for entity in list(self.mentions.get(uuid, ())):
            _drop(self.mentions[uuid], entity, done)
        _drop(self._episodes, uuid, done)

    def _clear(self, values: Plain, done: list[_Done]) -> None:
        for table in (self._entities, self._edges, self._episodes, self.mentions):
            done.extend((table, key, old) for key, old in reversed(table.items()))
            table.clear()
        self._mentioned = None


_HOW: dict[type[Operation], Callable[[Fold, Plain, list[_Done]], None]] = {
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
