"""What a mutating query changed: each row's hash before and after it, then the rows that differ."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from lcg.model.rows import Mention
from lcg.store.kuzu.reads import KuzuReader
from lcg.store.kuzu.rows import EDGE, ENTITY, EPISODE, Table
from lcg.store.protocol import Change, RowChanges, RowT

FEW_ROWS = 2_000
"""Up to so many rows are read by key; a scan of the whole table is quicker for more."""

_LACKING_SOURCE = "MATCH (n:RelatesToNode_) WHERE NOT EXISTS { MATCH (:Entity)-[:RELATES_TO]->(n) } RETURN n.uuid"
_LACKING_TARGET = "MATCH (n:RelatesToNode_) WHERE NOT EXISTS { MATCH (n)-[:RELATES_TO]->(:Entity) } RETURN n.uuid"


@dataclass(frozen=True, slots=True)
class Picture:
    """All rows as one transaction sees them: hashes by uuid for each table, and the edges that lack an end."""

    entities: dict[str, int]
    edges: dict[str, int]
    episodes: dict[str, int]
    lacking_source: set[str]
    lacking_target: set[str]

    def shared_uuids(self) -> set[str]:
        """Return the uuids that more than one table has."""
        entities, edges, episodes = self.entities.keys(), self.edges.keys(), self.episodes.keys()
        return (entities & edges) | (entities & episodes) | (edges & episodes)


def picture(reader: KuzuReader) -> Picture:
    """Hash every row, in the engine."""
    return Picture(
        _hashes(reader, ENTITY),
        _hashes(reader, EDGE),
        _hashes(reader, EPISODE),
        {uuid for (uuid,) in reader.session.rows(_LACKING_SOURCE)},
        {uuid for (uuid,) in reader.session.rows(_LACKING_TARGET)},
    )


def changes_between(before: KuzuReader, old: Picture, after: KuzuReader, new: Picture) -> RowChanges:
    """Return the rows that differ between two pictures, read by the readers that took them."""
    moved = (old.lacking_source ^ new.lacking_source) | (old.lacking_target ^ new.lacking_target)
    edges = (moved | _differing(old.edges, new.edges)) & (old.edges.keys() | new.edges.keys())
    mentions_before, mentions_after = set(before.scan_mentions()), set(after.scan_mentions())
    return RowChanges(
        entities=_changes(before, after, ENTITY, _differing(old.entities, new.entities)),
        edges=_changes(before, after, EDGE, edges),
        episodes=_changes(before, after, EPISODE, _differing(old.episodes, new.episodes)),
        mentions_removed=sorted(mentions_before - mentions_after, key=_ends),
        mentions_added=sorted(mentions_after - mentions_before, key=_ends),
    )


def _ends(mention: Mention) -> tuple[str, str]:
    return mention.episode_uuid, mention.entity_uuid


def _hashes(reader: KuzuReader, table: Table[RowT]) -> dict[str, int]:
    # Hashing a struct would not tell its fields apart; a list's hash depends on the order of its items.
    items = ", ".join(f"hash(n.{column.name})" for column in table.columns)
    statement = f"MATCH (n:{table.label}) RETURN n.uuid, hash([{items}])"
    return {str(uuid): int(number) for uuid, number in reader.session.stream(statement)}


def _differing(old: Mapping[str, int], new: Mapping[str, int]) -> set[str]:
    return {uuid for uuid, _ in old.items() ^ new.items()}


def _changes(before: KuzuReader, after: KuzuReader, table: Table[RowT], uuids: Collection[str]) -> list[Change[RowT]]:
    if not uuids:
        return []
    old, new = _read(before, table, uuids), _read(after, table, uuids)
    return [Change(old.get(uuid), new.get(uuid)) for uuid in sorted(uuids)]


def _read(reader: KuzuReader, table: Table[RowT], uuids: Collection[str]) -> dict[str, RowT]:
    if len(uuids) <= FEW_ROWS:
        return reader.rows_of(table, uuids)
    rows = (table.read(values) for values in reader.session.stream(f"MATCH (n:{table.label}) RETURN {table.returned}"))
    return {row.uuid: row for row in rows if row.uuid in uuids}
