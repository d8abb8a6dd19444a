"""An opened graph: the store, the index over it, the row caches, the search indexes, and how far each group is."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import wait
from functools import partial
from itertools import groupby
from operator import itemgetter

import orjson

from lcg.graph.cache import RowCache
from lcg.graph.derived import Derived
from lcg.graph.entries import Kind
from lcg.graph.filling import Filling, filling_of, mentioned
from lcg.graph.index import GraphIndex
from lcg.graph.positions import NOTHING
from lcg.graph.stage import Stage
from lcg.model.digest import MODULUS, digest_of_plain
from lcg.model.plain import Plain, place
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.runtime.collection import paused_collection
from lcg.runtime.given_back import give_back_memory
from lcg.runtime.parts import parts
from lcg.runtime.threads import made_aside
from lcg.store.protocol import Position, Store, StoreError, StoreReader

_ENTITY_CACHE = 50_000
_EDGE_CACHE = 50_000
_EPISODE_CACHE = 2_000
_ROWS_AT_ONCE = 1_000
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
            self._fill(filling_of(*rows, mentioned(reader.whole_rows(Mention))))
            unrecorded = self.index.groups() - self.positions.keys()
            if unrecorded:
                # Those that only Cypher queries wrote to.
                found = digests_of(reader)
                self.index.digests.update({group: found.get(group, 0) for group in unrecorded})
        self._give_back()

    def load_and_check(self) -> list[str]:
        """Fill the index; return the groups whose rows are not those that were written, or whose edges lack due hops.

        A hop is part of no row, so no digest tells of it. The engine writes what it copies in bulk into its file only,
        at the end of the transaction; after a kill at that moment it takes the rest from its own log in again.

        Raises:
            StoreError: the store cannot be read.
        """
        digests: dict[str, int] = {}
        hops = made_aside("lcg-hops", self._hops)
        try:
            with self.store.reader() as reader, paused_collection():
                entities, edges, episodes, mentions = (
                    tallied(kind, reader.whole_rows(kind), digests) for kind in (Entity, Edge, Episode, Mention)
                )
                self._fill(filling_of(entities, edges, episodes, mentioned(mentions)))
        finally:
            wait([hops])  # whoever closes the store next finds nobody in it
        unrecorded = self.index.groups() - self.positions.keys()
        self.index.digests.update({group: digests.get(group, 0) for group in unrecorded})
        misfits = self._unlike(digests) | self._lacking_hops(*hops.result())
        self._give_back()
        return sorted(misfits)

    def _fill(self, filling: Filling) -> None:
        self.index.take_over(filling)
        self.index.digests.update({group: position.digest for group, position in self.positions.items()})

    def _give_back(self) -> None:
        """Give back what only reading everything took."""
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

    def _unlike(self, digests: Mapping[str, int]) -> set[str]:
        """Return the groups whose rows have other digests than were recorded with them."""
        return {group for group, position in self.positions.items() if digests.get(group, 0) != position.digest}

    def _hops(self) -> tuple[set[str], set[tuple[str, str]]]:
        with self.store.reader() as reader:
            return reader.bound_edges(), reader.lone_hops()

    def _lacking_hops(self, bound: set[str], lone: set[tuple[str, str]]) -> set[str]:
        """Return the groups whose edges have other hops than are due."""
        places, is_unbound = self.index.places, self.index.is_unbound
        due = {uuid for uuid, (kind, _) in places.items() if kind is Kind.EDGE and not is_unbound(uuid)}
        with self.store.reader() as reader:
            unbound = reader.edges(uuid for group in self.index.groups() for uuid in self.index.unbound_of(group))
        ends = ((end, edge.uuid) for edge in unbound.values() for end in (edge.source_uuid, edge.target_uuid))
        lone_due = {(end, uuid) for end, uuid in ends if self.index.has(Kind.ENTITY, end)}
        wrong = (due ^ bound) | {uuid for _, uuid in lone_due ^ lone}
        return {places[uuid][1] for uuid in wrong}

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


def digests_of(reader: StoreReader) -> dict[str, int]:
    """Return the digest of every group that has a row, computed from its rows."""
    digests: dict[str, int] = {}
    for kind in (Entity, Edge, Episode, Mention):
        for _ in tallied(kind, reader.whole_rows(kind), digests):
            pass
    return digests


def tallied(kind: type[Row], rows: Iterator[Plain], digests: dict[str, int]) -> Iterator[Plain]:
    """Yield rows of one kind again, once they are added to the digests of their groups."""
    by_group: Callable[[Plain], str] = itemgetter(place(kind, "group_id"))
    for part in parts(rows, _ROWS_AT_ONCE):
        for group_id, of_group in groupby(part, by_group):
            digests[group_id] = (digests.get(group_id, 0) + digest_of_plain(kind, of_group)) % MODULUS
        yield from part
