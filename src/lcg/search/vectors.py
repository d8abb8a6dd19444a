"""Vectors of one embedding model: search in memory over what a SQLite file keeps."""

import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from heapq import nsmallest
from pathlib import Path

import numpy as np

from lcg.runtime.groups import GroupFilter
from lcg.search import vector_file
from lcg.search.approximate import ApproximateTable, Sizes
from lcg.search.hnsw import SWITCH_OVER
from lcg.search.hnsw_files import HnswFiles
from lcg.search.index_builder import IndexBuilder
from lcg.search.index_file import IndexFile, SearchIndexError, SearchIndexReset
from lcg.search.protocol import Hit, Vector, VectorEntry, VectorKind
from lcg.search.read_write_lock import ReadWriteLock

_log = logging.getLogger(__name__)

INDEX_FOLDER = "hnsw"
"""Beside the index file: what approximate search has built, to be used again by the next run."""
_MOST_UNSAVED = 2_048
"""Learned vectors wait for the next update to be saved with it, up to so many."""


class SqliteVectorIndex:
    """The vector index of one space, that is of one model and dimension (see `protocol.VectorIndex`).

    Opening a file that another space was used with empties the positions, so that the owner feeds all rows again; what
    the cache has of this space is used at once, and spaces are never mixed. `reset_reason` says why the file was made
    anew, if it was; its positions are empty then, too.

    Searches run on memory alone, beside each other; an update shows to them as a whole. They are exact where a (kind,
    group) has few rows; see `approximate.py` for the others.
    """

    def __init__(self, path: Path, model: str, dim: int, *, switch_over: int = SWITCH_OVER) -> None:
        """Open or make the index file and load its vectors. Up to `switch_over` rows of a (kind, group) search exactly.

        Raises:
            SearchIndexError: the file can be neither used nor replaced.
        """
        self.model = model
        self.dim = dim
        self._tables: dict[tuple[VectorKind, str], ApproximateTable] = {}
        self._groups: dict[VectorKind, dict[str, str]] = {kind: {} for kind in VectorKind}
        self._missing: dict[tuple[VectorKind, str], tuple[str, str | None]] = {}
        self._memory = ReadWriteLock()
        files = HnswFiles(path.parent / INDEX_FOLDER, model, dim)
        self._builder = IndexBuilder(files, dim, self._memory, Sizes(switch_over))
        self._updating = threading.Lock()
        self._unsaved: dict[bytes, Vector] = {}
        self._unsaved_lock = threading.Lock()
        self._unreported: SearchIndexReset | None = None
        self._file = IndexFile(path, vector_file.SCHEMA, vector_file.SCHEMA_VERSION, check_pages=False)
        try:
            self._load()
        except SearchIndexReset:
            self._start_anew()
        except BaseException:
            self._builder.stop()
            self._file.close()
            raise
        self._builder.sweep(self._tables)

    @property
    def reset_reason(self) -> str | None:
        """Why the file was made anew when it was opened or last written; None when it was found sound."""
        return self._file.reset_reason

    def known(self, texts: Iterable[str]) -> dict[str, Vector]:
        """Return the vectors that the content-addressed cache already has."""
        keys = {text: vector_file.key_of(text) for text in texts}
        with self._unsaved_lock:
            found = {key: self._unsaved[key] for key in keys.values() if key in self._unsaved}
        try:
            with self._file.read() as db:
                found |= vector_file.cached(db, self._space, self.dim, (k for k in keys.values() if k not in found))
        except SearchIndexError as error:
            _log.warning("%s", error)
        return {text: found[key] for text, key in keys.items() if key in found}

    def learn(self, vectors: Mapping[str, Vector]) -> None:
        """Put vectors of texts into the cache. Safe from any thread.

        Raises:
            ValueError: a vector has another shape than (dim,), or a number in it that is not finite.
        """
        checked = {vector_file.key_of(text): self._checked(vector) for text, vector in vectors.items()}
        with self._unsaved_lock:
            self._unsaved |= checked
            if len(self._unsaved) <= _MOST_UNSAVED:
                return
        with self._updating:
            try:
                self._save_learned()
            except SearchIndexReset as reset:
                # Whoever feeds the rows must hear of it, and that is the caller of `update`.
                self._start_anew()
                self._unreported = reset
            except SearchIndexError as error:
                _log.warning("%s", error)

    def update(
        self, put: Sequence[VectorEntry], remove: Sequence[tuple[VectorKind, str]], positions: Mapping[str, int]
    ) -> list[VectorEntry]:
        """Remove rows, then give others the vector of their text, and record positions, in one transaction.

        Returns the entries whose text has no vector yet. They have no vector then, not even that of an earlier text;
        put them again once `learn` has it.

        Raises:
            SearchIndexReset: the file was damaged and is empty now; nothing was written. Feed it again.
            SearchIndexError: nothing was written.
        """
        latest = {(entry.kind, entry.uuid): entry for entry in put}
        keys = {entry.text: vector_file.key_of(entry.text) for entry in latest.values()}
        with self._updating:
            try:
                self._report_reset()
                with self._unsaved_lock:
                    unsaved = dict(self._unsaved)
                with self._file.write() as db:
                    vector_file.remember(db, self._space, unsaved)
                    found = vector_file.cached(db, self._space, self.dim, set(keys.values()))
                    vector_file.remove_owners(db, remove)
                    vector_file.put_owners(db, ((entry, keys[entry.text]) for entry in latest.values()), found)
                    for group_id, seq in positions.items():
                        vector_file.set_position(db, group_id, seq)
            except SearchIndexReset:
                self._start_anew()
                raise
            self._drop_unsaved(unsaved)
            with self._memory.writing():
                for kind, uuid in remove:
                    self._drop(kind, uuid)
                for entry in latest.values():
                    self._place(entry.kind, entry.uuid, entry.group_id, found.get(keys[entry.text]), entry.text)
        return [entry for entry in latest.values() if keys[entry.text] not in found]

    def positions(self) -> dict[str, int]:
        """Return the seq through which each group's log is indexed."""
        if self._file.is_damaged:
            return {}
        try:
            with self._file.read() as db:
                return vector_file.positions(db)
        except SearchIndexError as error:
            _log.warning("%s", error)
            return {}

    def search(self, kind: VectorKind, query: Vector, groups: GroupFilter, limit: int) -> list[Hit]:
        """Return the nearest rows by plain cosine, groups filtered before the cut. Ties by uuid.

        Raises:
            ValueError: the query has another shape than (dim,), or a number in it that is not finite.
        """
        query = self._checked(query)
        with self._memory.reading():
            if groups.ids is None:
                tables = [table for (of_kind, _), table in self._tables.items() if of_kind is kind]
            else:
                places = dict.fromkeys((kind, group_id) for group_id in groups.ids)
                tables = [self._tables[place] for place in places if place in self._tables]
            hits = [hit for table in tables for hit in table.nearest(query, limit)]
        if len(tables) < 2:
            return hits
        return nsmallest(limit, hits, key=lambda hit: (-hit.score, hit.uuid))

    def similarities(self, kind: VectorKind, query: Vector, uuids: Iterable[str]) -> dict[str, float]:
        """Return the plain cosine of each of these rows that has a vector.

        Raises:
            ValueError: as `search`.
        """
        query = self._checked(query)
        result: dict[str, float] = {}
        with self._memory.reading():
            by_group: dict[str, list[str]] = {}
            for uuid in uuids:
                group_id = self._groups[kind].get(uuid)
                if group_id is not None:
                    by_group.setdefault(group_id, []).append(uuid)
            for group_id, members in by_group.items():
                result |= self._tables[kind, group_id].similarities(query, members)
        return result

    def missing(self) -> int:
        """Return how many rows should have a vector of the current model and have none."""
        with self._memory.reading():
            return len(self._missing)

    def missing_entries(self) -> list[VectorEntry]:
        """Return those rows, apart from those whose text a change of the model left unknown until it is put again."""
        with self._memory.reading():
            return [
                VectorEntry(kind, uuid, group_id, text)
                for (kind, uuid), (group_id, text) in self._missing.items()
                if text is not None
            ]

    def clear_group(self, group_id: str) -> None:
        """Forget a group, its position included; the cache keeps its vectors.

        Raises:
            SearchIndexReset: the file was damaged and is empty now, all groups included.
            SearchIndexError: nothing was written.
        """
        with self._updating:
            try:
                self._report_reset()
                with self._file.write() as db:
                    vector_file.remove_group(db, group_id)
            except SearchIndexReset:
                self._start_anew()
                raise
            with self._memory.writing():
                for kind, groups in self._groups.items():
                    self._groups[kind] = {uuid: group for uuid, group in groups.items() if group != group_id}
                    self._forget_table((kind, group_id))
                self._missing = {row: value for row, value in self._missing.items() if value[0] != group_id}

    def building_later(self) -> AbstractContextManager[None]:
        """Leave the building of indexes until after a `with` block; rows that come meanwhile are searched exactly."""
        return self._builder.delayed()

    def wait_until_built(self, timeout: float | None = None) -> bool:
        """Wait until every table above the switch-over has its index; return False when that took too many seconds."""
        return self._builder.wait(timeout)

    def close(self) -> None:
        """Save what was learned, and close. Safe to call twice."""
        self._builder.stop()
        with self._updating:
            if self._unsaved:
                try:
                    self._save_learned()
                except SearchIndexError as error:
                    _log.warning("Vectors that were learned last are not saved: %s", error)
            self._file.close()

    def _load(self) -> None:
        with self._file.write() as db, self._memory.writing():
            self._space = vector_file.enter_space(db, self.model, self.dim)
            for owner in vector_file.owners(db, self._space, self.dim):
                self._place(owner.kind, owner.uuid, owner.group_id, owner.vector, owner.text)

    def _save_learned(self) -> None:
        with self._unsaved_lock:
            unsaved = dict(self._unsaved)
        with self._file.write() as db:
            vector_file.remember(db, self._space, unsaved)
        self._drop_unsaved(unsaved)

    def _drop_unsaved(self, saved: Iterable[bytes]) -> None:
        with self._unsaved_lock:
            for key in saved:
                self._unsaved.pop(key, None)

    def _report_reset(self) -> None:
        if self._unreported is not None:
            reset, self._unreported = self._unreported, None
            raise reset

    def _start_anew(self) -> None:
        """Follow the file, which was emptied."""
        with self._memory.writing():
            for place in list(self._tables):
                self._forget_table(place)
            self._missing.clear()
            for groups in self._groups.values():
                groups.clear()
        with self._file.write() as db:
            self._space = vector_file.enter_space(db, self.model, self.dim)

    def _place(self, kind: VectorKind, uuid: str, group_id: str, vector: Vector | None, text: str | None) -> None:
        """Let a row have this vector, or be missing one."""
        if vector is None:
            self._drop(kind, uuid)
            self._missing[kind, uuid] = (group_id, text)
            return
        if self._groups[kind].get(uuid, group_id) != group_id:
            self._drop(kind, uuid)
        self._missing.pop((kind, uuid), None)
        self._groups[kind][uuid] = group_id
        table = self._tables.get((kind, group_id))
        if table is None:
            table = self._tables[kind, group_id] = self._builder.open_table((kind, group_id))
        table.put(uuid, vector)

    def _drop(self, kind: VectorKind, uuid: str) -> None:
        self._missing.pop((kind, uuid), None)
        group_id = self._groups[kind].pop(uuid, None)
        if group_id is None:
            return
        table = self._tables[kind, group_id]
        table.remove(uuid)
        if not len(table):
            self._forget_table((kind, group_id))

    def _forget_table(self, place: tuple[VectorKind, str]) -> None:
        table = self._tables.pop(place, None)
        if table is not None:
            self._builder.discard(place, table)

    def _checked(self, vector: Vector) -> Vector:
        checked = np.ascontiguousarray(vector, dtype=np.float32)
        if checked.shape != (self.dim,) or not np.isfinite(checked).all():
            raise ValueError(f"expected {self.dim} finite numbers of the model {self.model}, got shape {checked.shape}")
        return checked
