"""Reads of rows on one connection."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from threading import Event
from typing import Any

from lcg.model.plain import Plain, plain
from lcg.model.rows import Edge, Entity, Episode, Mention, Row
from lcg.model.times import Micros, to_naive_utc
from lcg.runtime.parts import parts
from lcg.store.kuzu import outlines
from lcg.store.kuzu.cypher import Clock, prepare, run_query
from lcg.store.kuzu.engine import Session
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, Table
from lcg.store.protocol import CypherAnswer, Direction, RowT, StoreError

FEW_KEYS = 30
"""Up to this many keys, one key read each beats one statement for all, which scans the table."""
CHUNK_KEYS = 2_000
"""More keys to a statement make each of them cheaper: that scan costs the same for one as for all."""

_OUT = (
    "MATCH (:Entity {uuid: $entity})-[:RELATES_TO]->(n:RelatesToNode_)-[:RELATES_TO]->(:Entity) "
    f"RETURN {EDGE.returned} ORDER BY n.uuid DESC"
)
_IN = (
    "MATCH (:Entity {uuid: $entity})<-[:RELATES_TO]-(n:RelatesToNode_)<-[:RELATES_TO]-(:Entity) "
    f"WHERE n._source_uuid <> $entity RETURN {EDGE.returned} ORDER BY n.uuid DESC"
)
_INTO = (
    "MATCH (o:Entity)-[:RELATES_TO]-(n:RelatesToNode_) WHERE o.group_id = $group_id AND n.group_id <> $group_id "
    f"RETURN DISTINCT {EDGE.returned}"
)
_BOUND = "MATCH (:Entity)-[:RELATES_TO]->(n:RelatesToNode_)-[:RELATES_TO]->(:Entity) RETURN n.uuid"
_LONE = (
    "MATCH (e:Entity)-[:RELATES_TO]->(n:RelatesToNode_) WHERE NOT EXISTS {MATCH (n)-[:RELATES_TO]->(:Entity)} "
    "RETURN e.uuid, n.uuid",
    "MATCH (n:RelatesToNode_)-[:RELATES_TO]->(e:Entity) WHERE NOT EXISTS {MATCH (:Entity)-[:RELATES_TO]->(n)} "
    "RETURN e.uuid, n.uuid",
)
_HOLDING = (
    "MATCH (n:RelatesToNode_) WHERE (n.valid_at IS NULL OR n.valid_at <= $moment) "
    "AND (n.invalid_at IS NULL OR n.invalid_at > $moment) RETURN n.uuid"
)
_MENTIONS = "MATCH (p:Episodic)-[m:MENTIONS]->(e:Entity) RETURN m.group_id, p.uuid, e.uuid ORDER BY p.uuid, e.uuid"
_PROBES = (
    ENTITY.first,
    EDGE.first,
    EPISODE.first,
    "MATCH (:Entity)-[:RELATES_TO]->(n:RelatesToNode_) RETURN n.uuid LIMIT 1",
    "MATCH (p:Episodic)-[:MENTIONS]->(:Entity) RETURN p.uuid LIMIT 1",
)


class KuzuReader:
    """A `StoreReader` on one connection; one thread at a time."""

    def __init__(self, session: Session, *, allow_files: bool = False) -> None:
        self.session = session
        self.runs_cypher = False
        self._allow_files = allow_files

    def entities(self, uuids: Iterable[str]) -> dict[str, Entity]:
        """Return entities by uuid."""
        return self.rows_of(ENTITY, uuids)

    def edges(self, uuids: Iterable[str]) -> dict[str, Edge]:
        """Return relationships by uuid, unbound ones included."""
        return self.rows_of(EDGE, uuids)

    def episodes(self, uuids: Iterable[str]) -> dict[str, Episode]:
        """Return episodes by uuid."""
        return self.rows_of(EPISODE, uuids)

    def neighbour_edges(self, entity_uuid: str, direction: Direction) -> list[Edge]:
        """Return the edges of an entity that have both hops, by uuid descending. A self-edge counts as `out` only."""
        statement = _OUT if direction == "out" else _IN
        return [EDGE.read(values) for values in self.session.stream(statement, {"entity": entity_uuid})]

    def edges_into(self, group_id: str) -> list[Edge]:
        """Return the edges of other groups that have a hop to an entity of this group."""
        return [EDGE.read(values) for values in self.session.stream(_INTO, {"group_id": group_id})]

    def edges_holding_at(self, moment: Micros) -> set[str]:
        """Return the edges whose fact holds at a time: begun by then (or always), and not ended by then."""
        return {uuid for (uuid,) in self.session.stream(_HOLDING, {"moment": to_naive_utc(moment)})}

    def bound_edges(self) -> set[str]:
        """Return the edges that have both hops."""
        return {uuid for (uuid,) in self.session.stream(_BOUND, {})}

    def lone_hops(self) -> set[tuple[str, str]]:
        """Return the hops of edges that have one only, as (entity uuid, edge uuid)."""
        return {(entity, edge) for statement in _LONE for entity, edge in self.session.stream(statement, {})}

    def scan_entities(self) -> Iterator[Entity]:
        """Yield every entity."""
        return self._scan(ENTITY)

    def scan_edges(self) -> Iterator[Edge]:
        """Yield every relationship."""
        return self._scan(EDGE)

    def scan_episodes(self) -> Iterator[Episode]:
        """Yield every episode, `content` included."""
        return self._scan(EPISODE)

    def scan_mentions(self) -> Iterator[Mention]:
        """Yield every mention, in the order of episode uuid, entity uuid."""
        for group_id, episode_uuid, entity_uuid in self.session.stream(_MENTIONS):
            yield Mention(group_id or "", episode_uuid, entity_uuid)

    def outlined_entities(self) -> Iterator[Plain]:
        """Yield every entity in outline."""
        return outlines.outlined(self.session, Entity, map(plain, self.scan_entities()))

    def outlined_edges(self) -> Iterator[Plain]:
        """Yield every relationship in outline."""
        return outlines.outlined(self.session, Edge, map(plain, self.scan_edges()))

    def outlined_episodes(self) -> Iterator[Plain]:
        """Yield every episode in outline."""
        return outlines.outlined(self.session, Episode, map(plain, self.scan_episodes()))

    def whole_rows(self, kind: type[Row]) -> Iterator[Plain]:
        """Yield the values of every row of a kind; see `StoreReader`."""
        scans: dict[type[Row], Callable[[], Iterator[Row]]] = {
            Entity: self.scan_entities,
            Edge: self.scan_edges,
            Episode: self.scan_episodes,
            Mention: self.scan_mentions,
        }
        return outlines.whole(self.session, kind, (plain(row) for row in scans[kind]()))

    def probe(self) -> bool:
        """Say whether a trivial query over every core table answers."""
        try:
            for statement in _PROBES:
                self.session.rows(statement)
        except StoreError:
            return False
        return True

    def cypher(
        self,
        query: str,
        parameters: dict[str, Any],
        *,
        max_rows: int,
        timeout_ms: int,
        spent_ms: int = 0,
        cancelled: Event | None = None,
    ) -> CypherAnswer:
        """Run one guarded Cypher query that only reads; see `run_query`."""
        prepared = prepare(query, parameters, allow_files=self._allow_files)
        self.runs_cypher = True
        try:
            return run_query(self.session, prepared, max_rows=max_rows, clock=Clock(timeout_ms, spent_ms, cancelled))
        finally:
            self.runs_cypher = False

    def rows_of(self, table: Table[RowT], uuids: Iterable[str]) -> dict[str, RowT]:
        """Return rows of a table by uuid."""
        found: dict[str, RowT] = {}
        for chunk in parts(dict.fromkeys(uuids), CHUNK_KEYS):
            rows = {row.uuid: row for row in self._read(table, chunk)}
            found.update((key, rows[key]) for key in chunk if key in rows)
        return found

    def _read(self, table: Table[RowT], keys: list[str]) -> list[RowT]:
        if len(keys) > FEW_KEYS:
            # The engine holds a whole result in its buffer pool; one by one, even the longest texts fit.
            with suppress(StoreError):
                return [table.read(values) for values in self.session.rows(table.get_many, {"uuids": keys})]
        return [table.read(values) for key in keys for values in self.session.rows(table.get, {"uuid": key})]

    def _scan(self, table: Table[RowT]) -> Iterator[RowT]:
        keys = (values[0] for values in self.session.rows(table.list_uuids))
        for chunk in parts(keys, CHUNK_KEYS):
            yield from self._read(table, chunk)
