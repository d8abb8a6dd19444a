"""An opened graph: the store, the index over it, the row caches, the search indexes, and how far each group is."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain

import orjson

from lcg.graph.cache import RowCache
from lcg.graph.derived import Derived
from lcg.graph.entries import Kind
from lcg.graph.filling import filling_of
from lcg.graph.index import GraphIndex
from lcg.graph.positions import NOTHING
from lcg.graph.stage import Stage
from lcg.model.digest import moved
from lcg.model.rows import Edge, Entity, Episode, Row
from lcg.runtime.collection import paused_collection
from lcg.runtime.given_back import give_back_memory
from lcg.runtime.groups import ALL_GROUPS
from lcg.store.protocol import Position, Store, StoreError, StoreReader

_ENTITY_CACHE = 50_000
_EDGE_CACHE = 50_000
_EPISODE_CACHE = 2_000
FAILED_RECORDS = "failed_records"
"""Setting of the store: the log lines that cannot be applied, as a list of {group_id, seq, error}."""
_REBUILDING = "rebuilding"
UNLOGGED = "unlogged_mutations"
"""Setting of the store: how many Cypher queries changed rows that no log knows of."""
REBUILT_SINCE = "rebuilt_since"
"""Setting of the store: the groups that were rebuilt in full since the last such query, as a list."""
SEARCH_BEHIND = "search_behind"
"""Setting of the store: whether the search indexes lack what a Cypher query changed; empty when they do not."""

Reached = dict[str, tuple[int, str | None]]
"""Per group: the seq of the last record of a transaction, and the identity of its stream."""


class GraphState:
    """Everything that following the log changes. Only the committer's thread calls `apply`."""

    def __init__(self, store: Store, derived: Derived) -> None:
        self.store = store
        self.derived = derived
        self.index = GraphIndex()
        self.entities: RowCache[Entity] = RowCache(_ENTITY_CACHE)
        self.edges: RowCache[Edge] = RowCache(_EDGE_CACHE)
        self.episodes: RowCache[Episode] = RowCache(_EPISODE_CACHE)
        self.positions: dict[str, Position] = store.positions()
        self.replayed: dict[str, int] = {}
        """Of each group whose log was followed when the graph was opened, how many of its lines were taken in then."""
        self.failed_records: list[dict[str, object]] = orjson.loads(store.meta(FAILED_RECORDS) or "[]")

    def load(self) -> None:
        """Fill the index from the store."""
        with self.store.reader() as reader, paused_collection():
            rows = (reader.outlined_entities(), reader.outlined_edges(), reader.outlined_episodes())
            self.index.take_over(filling_of(*rows, reader.mentioned()))
            self.index.digests.update({group: position.digest for group, position in self.positions.items()})
            self.index.digests.update(_digests(reader, self.index.groups() - self.positions.keys()))
        self.store.give_back()
        give_back_memory()

    def stage(self) -> Stage:
        """Begin a transaction. It reads through the caches, which on this thread hold what was last committed."""
        reader = self.store.writer_reader
        return Stage(
            self.index,
            reader,
            entities=partial(self.entities.fetch, read=lambda uuids: reader().entities(uuids)),
            edges=partial(self.edges.fetch, read=lambda uuids: reader().edges(uuids)),
            episodes=partial(self.episodes.fetch, read=lambda uuids: reader().episodes(uuids)),
        )

    def apply(self, stage: Stage, reached: Reached, failed: Callable[[StoreError], None] | None = None) -> None:
        """Make a stage part of the graph: rows and positions in one transaction, then caches and search indexes.

        With `failed` the store may apply it later; then that is called when it could not.

        Raises:
            StoreError: the store did not take it, or may not have.
        """
        positions = [
            Position(group, seq, generation, self.index.digests.get(group, 0))
            for group, (seq, generation) in reached.items()
        ]
        batch = stage.batch()
        batch.positions = positions
        if failed is None:
            self.store.apply(batch)
        else:
            self.store.apply_later(batch, failed)
        self.index.commit()
        self.positions.update({position.group_id: position for position in positions})
        if stage.cleared:
            self.forget_rows()
        self.entities.commit(stage.entities.after)
        self.edges.commit(stage.edges.after)
        self.episodes.commit(stage.episodes.after)
        self.derived.follow(stage, {position.group_id: position.applied_seq for position in positions})

    def misfits(self) -> list[str]:
        """Return the groups whose rows are not those that were written, or whose edges lack hops that are due.

        A hop is part of no row, so no digest tells of it. The engine writes what it copies in bulk into its file only,
        at the end of the transaction; after a kill at that moment it takes the rest from its own log in again.

        Raises:
            StoreError: the store cannot be read.
        """
        with self.store.reader() as reader:
            found = _digests(reader, set(self.positions))
            bound, lone = reader.bound_edges(), reader.lone_hops()
            unbound = reader.edges(uuid for group in self.index.groups() for uuid in self.index.unbound_of(group))
        due = set(self.index.visible(Kind.EDGE, ALL_GROUPS))
        ends = ((end, edge.uuid) for edge in unbound.values() for end in (edge.source_uuid, edge.target_uuid))
        lone_due = {(end, uuid) for end, uuid in ends if self.index.has(Kind.ENTITY, end)}
        unlike = {group for group, position in self.positions.items() if found[group] != position.digest}
        wrong = (due ^ bound) | {uuid for _, uuid in lone_due ^ lone}
        return sorted(unlike | {self.index.places[uuid][1] for uuid in wrong})

    def forget_rows(self) -> None:
        """Empty the row caches."""
        for cache in (self.entities, self.edges, self.episodes):
            cache.clear()

    def applied_seq(self, group_id: str) -> int:
        """Return through which seq a group's log is applied, or `NOTHING`."""
        position = self.positions.get(group_id)
        return position.applied_seq if position else NOTHING

    def record_failure(self, group_id: str, seq: int, error: str) -> None:
        """Remember a record that cannot be applied, also over a restart."""
        entry: dict[str, object] = {"group_id": group_id, "seq": seq, "error": error}
        if entry not in self.failed_records:
            self.failed_records.append(entry)
            self.store.set_meta(FAILED_RECORDS, orjson.dumps(self.failed_records).decode())

    def mark_rebuilding(self, group_id: str) -> None:
        """Note durably that a group is about to be replaced: a start that finds the note does it again."""
        self.store.set_meta(_REBUILDING, orjson.dumps(sorted({*self.rebuilding(), group_id})).decode())

    def rebuilding(self) -> list[str]:
        """Return the groups whose replacement was begun and not ended."""
        groups: list[str] = orjson.loads(self.store.meta(_REBUILDING) or "[]")
        return groups

    def rebuilt(self, group_id: str, failures: Iterable[tuple[int | None, str]], *, in_full: bool) -> None:
        """Note that a group was replaced, and which of its lines could not be taken in.

        Once every group was replaced in full, nothing is left of what Cypher queries changed past the logs.
        """
        others = [entry for entry in self.failed_records if entry["group_id"] != group_id]
        self.failed_records = others
        for seq, error in failures:
            self.failed_records.append({"group_id": group_id, "seq": -1 if seq is None else seq, "error": error})
        self.store.set_meta(FAILED_RECORDS, orjson.dumps(self.failed_records).decode())
        self.store.set_meta(_REBUILDING, orjson.dumps([g for g in self.rebuilding() if g != group_id]).decode())

        if in_full and int(self.store.meta(UNLOGGED) or "0"):
            since = {group_id, *orjson.loads(self.store.meta(REBUILT_SINCE) or "[]")}
            self.store.set_meta(REBUILT_SINCE, orjson.dumps(sorted(since)).decode())
            if since >= self.index.groups():
                self.store.set_meta(UNLOGGED, "0")

    def close(self) -> None:
        """Close the store. The search indexes belong to whoever made them."""
        self.store.close()


def _digests(reader: StoreReader, groups: set[str]) -> dict[str, int]:
    """Compute the digests of groups that no position tells: those that only Cypher queries wrote to."""
    digests = dict.fromkeys(groups, 0)
    if groups:
        scans: tuple[Iterator[Row], ...] = (
            reader.scan_entities(),
            reader.scan_edges(),
            reader.scan_episodes(),
            reader.scan_mentions(),
        )
        for row in chain.from_iterable(scans):
            if row.group_id in digests:
                digests[row.group_id] = moved(digests[row.group_id], None, row)
    return digests
