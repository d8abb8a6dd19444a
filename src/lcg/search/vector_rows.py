"""The rows of one space in memory: which of them have which vector, and which are to have one that is not there yet."""

from collections.abc import Iterable
from heapq import nsmallest

from lcg.runtime.collection import paused_collection
from lcg.runtime.groups import GroupFilter
from lcg.search.approximate import ApproximateTable
from lcg.search.index_builder import IndexBuilder
from lcg.search.protocol import Hit, Vector, VectorKind
from lcg.search.vector_loading import StoredRows, Table


class VectorRows:
    """One table for each (kind, group) that has rows with vectors.

    Nothing here locks: whoever changes something sees to it that nobody else does anything meanwhile.
    """

    def __init__(self, builder: IndexBuilder) -> None:
        """Have no rows; `builder` makes the tables."""
        self.tables: dict[Table, ApproximateTable] = {}
        self.missing: dict[tuple[VectorKind, str], tuple[str, str | None]] = {}
        """The rows that lack their vector, with group and text, which may be unknown."""
        self._groups: dict[VectorKind, dict[str, str]] = {kind: {} for kind in VectorKind}
        self._builder = builder

    def __len__(self) -> int:
        """Return how many rows have a vector."""
        return sum(map(len, self._groups.values()))

    def load(self, stored: StoredRows, space: int, dim: int) -> None:
        """Take in what a file has of a space; there must be no rows yet."""
        sizes = stored.sizes()
        with paused_collection():
            for block in stored.with_vectors(space, dim):
                kind, group_id = block.table
                table = self.tables.get(block.table)
                if table is None:
                    table = self._open(block.table)
                    table.reserve(sizes[block.table])
                table.extend(block.uuids, block.vectors)
                self._groups[kind].update(dict.fromkeys(block.uuids, group_id))
            for row in stored.lacking():
                self.missing[row.kind, row.uuid] = (row.group_id, row.text)

    def put(self, kind: VectorKind, uuid: str, group_id: str, vector: Vector | None, text: str | None) -> None:
        """Let a row have this vector, or be missing one."""
        if vector is None:
            self.drop(kind, uuid)
            self.missing[kind, uuid] = (group_id, text)
            return
        if self._groups[kind].get(uuid, group_id) != group_id:
            self.drop(kind, uuid)
        self.missing.pop((kind, uuid), None)
        self._groups[kind][uuid] = group_id
        table = self.tables.get((kind, group_id))
        if table is None:
            table = self._open((kind, group_id))
        table.put(uuid, vector)

    def drop(self, kind: VectorKind, uuid: str) -> None:
        """Forget a row; one that is not there is fine."""
        self.missing.pop((kind, uuid), None)
        group_id = self._groups[kind].pop(uuid, None)
        if group_id is None:
            return
        table = self.tables[kind, group_id]
        table.remove(uuid)
        if not len(table):
            self._forget_table((kind, group_id))

    def forget_group(self, group_id: str) -> None:
        """Forget a group's rows."""
        for kind, groups in self._groups.items():
            self._groups[kind] = {uuid: group for uuid, group in groups.items() if group != group_id}
            self._forget_table((kind, group_id))
        self.missing = {row: value for row, value in self.missing.items() if value[0] != group_id}

    def clear(self) -> None:
        """Forget all rows."""
        for place in list(self.tables):
            self._forget_table(place)
        self.missing.clear()
        for groups in self._groups.values():
            groups.clear()

    def nearest(self, kind: VectorKind, query: Vector, groups: GroupFilter, limit: int) -> list[Hit]:
        """Return the nearest rows, groups filtered before the cut. Ties by uuid."""
        if groups.ids is None:
            tables = [table for (of_kind, _), table in self.tables.items() if of_kind is kind]
        else:
            places = dict.fromkeys((kind, group_id) for group_id in groups.ids)
            tables = [self.tables[place] for place in places if place in self.tables]
        hits = [hit for table in tables for hit in table.nearest(query, limit)]
        if len(tables) < 2:
            return hits
        return nsmallest(limit, hits, key=lambda hit: (-hit.score, hit.uuid))

    def similarities(self, kind: VectorKind, query: Vector, uuids: Iterable[str]) -> dict[str, float]:
        """Return the cosine of each of these rows that has a vector."""
        by_group: dict[str, list[str]] = {}
        for uuid in uuids:
            group_id = self._groups[kind].get(uuid)
            if group_id is not None:
                by_group.setdefault(group_id, []).append(uuid)
        result: dict[str, float] = {}
        for group_id, members in by_group.items():
            result |= self.tables[kind, group_id].similarities(query, members)
        return result

    def _open(self, place: Table) -> ApproximateTable:
        table = self.tables[place] = self._builder.open_table(place)
        return table

    def _forget_table(self, place: Table) -> None:
        table = self.tables.pop(place, None)
        if table is not None:
            self._builder.discard(place, table)
