"""Folding a log: from its records to the rows that they leave, in memory, without touching the graph.

It means the same as staging the records one after the other (a property test holds the two together), but knows
only its own group and no rows but their values, so a whole log folds at the speed of dictionaries and is then loaded
in bulk.
"""

from collections.abc import Callable, Iterable
from typing import Any

from lcg.graph.entries import Kind
from lcg.graph.stage import OperationRefused, canonical_edge, canonical_entity
from lcg.model.plain import Plain, RowTable, place, plain
from lcg.model.rows import Edge, Entity, Episode, Mention
from lcg.wal.operations import (
    EDGE_DELETE,
    EDGE_PUT,
    ENTITY_DELETE,
    ENTITY_PUT,
    EPISODE_DELETE,
    EPISODE_PUT,
    GROUP_CLEAR,
    MENTION_DELETE,
    MENTION_PUT,
    PlainOperation,
)

_Done = tuple[dict[str, Any], str, Any]
"""What takes a change of a table back: the table, the key, and what was there before (None: nothing)."""

_NAME_EMBEDDED, _FACT_EMBEDDED = place(Entity, "name_embedded"), place(Edge, "fact_embedded")
_NAMES = {ENTITY_PUT: "entity", EDGE_PUT: "edge", EPISODE_PUT: "episode"}


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
        entities, edges, episodes = self.entities.plain, self.edges.plain, self.episodes.plain
        self._entities, self._edges, self._episodes = entities, edges, episodes
        self._puts: dict[str, tuple[dict[str, Plain], dict[str, Plain], dict[str, Plain]]] = {
            ENTITY_PUT: (entities, edges, episodes),
            EDGE_PUT: (edges, entities, episodes),
            EPISODE_PUT: (episodes, entities, edges),
        }
        """For each put the table that it is for, and the two that must not hold its uuid."""
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

    def take_in(self, operations: Iterable[PlainOperation]) -> None:
        """Apply the operations of a record: all of them, or nothing.

        Raises:
            OperationRefused: it contradicts what is there.
        """
        done: list[_Done] = []
        try:
            for kind, values in operations:
                put = self._puts.get(kind)
                if put is not None:
                    # What nearly every operation is, without a call.
                    table, one, other = put
                    uuid = values[0]
                    old = table.get(uuid)
                    if values[1] != self.group_id or (old is None and (not uuid or uuid in one or uuid in other)):
                        raise self._not_taken(kind, values)
                    if old is None and self._owned_elsewhere(uuid):
                        raise self._not_taken(kind, values)
                    done.append((table, uuid, old))
                    table[uuid] = values
                    if kind == ENTITY_PUT and values[_NAME_EMBEDDED:] != (None, None):
                        table[uuid] = plain(canonical_entity(Entity(*values)))
                    elif kind == EDGE_PUT and values[_FACT_EMBEDDED] is not None:
                        table[uuid] = plain(canonical_edge(Edge(*values)))
                else:
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

    def _not_taken(self, kind: str, values: Plain) -> OperationRefused:
        """Say why a row is refused: it has no uuid, or that of another row, or it is of another group."""
        uuid, group_id = values[:2]
        if not uuid:
            return OperationRefused(f"a row of {_NAMES[kind]} has no uuid")
        if group_id != self.group_id:
            return OperationRefused(f"a row of group {group_id!r} in the log of group {self.group_id!r}")
        return OperationRefused(f"uuid {uuid} already belongs to another row")

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


_HOW: dict[str, Callable[[Fold, Plain, list[_Done]], None]] = {
    MENTION_PUT: Fold._link,
    MENTION_DELETE: Fold._unlink,
    ENTITY_DELETE: Fold._delete_entity,
    EDGE_DELETE: Fold._delete_edge,
    EPISODE_DELETE: Fold._delete_episode,
    GROUP_CLEAR: Fold._clear,
}
"""How each operation that puts no row is applied."""


def _drop(table: dict[str, Any], key: str, done: list[_Done]) -> None:
    old = table.pop(key, None)
    if old is not None:
        done.append((table, key, old))
