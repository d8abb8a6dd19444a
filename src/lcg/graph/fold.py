"""Folding a log: from its records to the rows that they leave, in memory, without touching the graph.

It means the same as staging the records one after the other (a property test holds the two together), but knows
only its own group, so a whole log folds at the speed of dictionaries and is then loaded in bulk.
"""

from collections.abc import Callable

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
from lcg.store.protocol import RowT


class Fold:
    """The rows of one group in the making.

    `owned_elsewhere` says whether a uuid belongs to another group of the graph; such a row is refused.
    """

    def __init__(self, group_id: str, owned_elsewhere: Callable[[str], bool]) -> None:
        self.group_id = group_id
        self.entities: dict[str, Entity] = {}
        self.edges: dict[str, Edge] = {}
        self.episodes: dict[str, Episode] = {}
        self.mentions: dict[str, dict[str, None]] = {}
        self._mentioned: dict[str, set[str]] = {}
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
        done: list[Callable[[], None]] = []
        try:
            for operation in record.operations:
                self._apply(operation, done)
        except OperationRefused:
            for undo in reversed(done):
                undo()
            raise

    def _apply(self, operation: Operation, done: list[Callable[[], None]]) -> None:
        match operation:
            case EntityPut(row):
                self._check(Kind.ENTITY, row.uuid, row.group_id)
                _put(self.entities, row.uuid, canonical_entity(row), done)
            case EdgePut(row):
                self._check(Kind.EDGE, row.uuid, row.group_id)
                _put(self.edges, row.uuid, canonical_edge(row), done)
            case EpisodePut(row):
                self._check(Kind.EPISODE, row.uuid, row.group_id)
                _put(self.episodes, row.uuid, row, done)
            case MentionPut(row):
                self._link(row, done)
            case MentionDelete(row):
                self._unlink(row.episode_uuid, row.entity_uuid, done)
            case EdgeDelete(uuid):
                _drop(self.edges, uuid, done)
            case EntityDelete(uuid):
                for episode in list(self._mentioned.get(uuid, ())):
                    self._unlink(episode, uuid, done)
                _drop(self.entities, uuid, done)
            case EpisodeDelete(uuid):
                for entity in list(self.mentions.get(uuid, ())):
                    self._unlink(uuid, entity, done)
                _drop(self.episodes, uuid, done)
            case GroupClear():
                self._clear(done)

    def _check(self, kind: Kind, uuid: str, row_group: str) -> None:
        if not uuid:
            raise OperationRefused(f"a row of {kind} has no uuid")
        if row_group != self.group_id:
            raise OperationRefused(f"a row of group {row_group!r} in the log of group {self.group_id!r}")
        taken = (
            (uuid in self.entities and kind is not Kind.ENTITY)
            or (uuid in self.edges and kind is not Kind.EDGE)
            or (uuid in self.episodes and kind is not Kind.EPISODE)
        )
        if taken or self._owned_elsewhere(uuid):
            raise OperationRefused(f"uuid {uuid} already belongs to another row")

    def _link(self, row: Mention, done: list[Callable[[], None]]) -> None:
        for kind, uuid, table in (
            (Kind.EPISODE, row.episode_uuid, self.episodes),
            (Kind.ENTITY, row.entity_uuid, self.entities),
        ):
            if uuid not in table or row.group_id != self.group_id:
                raise OperationRefused(
                    f"a mention names the {kind} {uuid}, which group {self.group_id!r} does not hold"
                )
        linked = self.mentions.setdefault(row.episode_uuid, {})
        if row.entity_uuid not in linked:
            self._mention(row.episode_uuid, row.entity_uuid)
            done.append(lambda: self._forget(row.episode_uuid, row.entity_uuid))

    def _unlink(self, episode: str, entity: str, done: list[Callable[[], None]]) -> None:
        if entity in self.mentions.get(episode, {}):
            self._forget(episode, entity)
            done.append(lambda: self._mention(episode, entity))

    def _mention(self, episode: str, entity: str) -> None:
        self.mentions.setdefault(episode, {})[entity] = None
        self._mentioned.setdefault(entity, set()).add(episode)

    def _forget(self, episode: str, entity: str) -> None:
        del self.mentions[episode][entity]
        self._mentioned[entity].discard(episode)

    def _clear(self, done: list[Callable[[], None]]) -> None:
        before = (self.entities, self.edges, self.episodes, self.mentions, self._mentioned)

        def restore() -> None:
            self.entities, self.edges, self.episodes, self.mentions, self._mentioned = before

        self.entities, self.edges, self.episodes, self.mentions, self._mentioned = {}, {}, {}, {}, {}
        done.append(restore)


def _put(table: dict[str, RowT], uuid: str, row: RowT, done: list[Callable[[], None]]) -> None:
    old = table.get(uuid)
    table[uuid] = row
    done.append(lambda: _restore(table, uuid, old))


def _drop(table: dict[str, RowT], uuid: str, done: list[Callable[[], None]]) -> None:
    old = table.pop(uuid, None)
    if old is not None:
        done.append(lambda: _restore(table, uuid, old))


def _restore(table: dict[str, RowT], uuid: str, old: RowT | None) -> None:
    if old is None:
        table.pop(uuid, None)
    else:
        table[uuid] = old
