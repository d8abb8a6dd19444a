"""Vectors of one embedding model: search in memory over what a SQLite file keeps."""

import logging
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import numpy as np

from lcg.runtime.groups import GroupFilter
from lcg.search import vector_file
from lcg.search.approximate import Sizes
from lcg.search.hnsw import SWITCH_OVER
from lcg.search.hnsw_files import HnswFiles
from lcg.search.index_builder import IndexBuilder
from lcg.search.index_file import IndexFile, SearchIndexError, SearchIndexReset
from lcg.search.learned import Learned
from lcg.search.protocol import Hit, Space, Vector, VectorEntry, VectorKind
from lcg.search.read_write_lock import ReadWriteLock
from lcg.search.vector_loading import StoredRows
from lcg.search.vector_rows import VectorRows

_log = logging.getLogger(__name__)

INDEX_FOLDER = "hnsw"
"""Beside the index file: what approximate search has built, to be used again by the next run."""
_MOST_UNSAVED = 2_048
"""Learned vectors wait for the next update to be saved with it, up to so many."""
_MOST_NOTED = 512  # Whoever asks for more at once has rows for them; noting their use would write them all anew.
_LEARNED_BETWEEN_EVICTIONS = 4_096


class SqliteVectorIndex:
    """The vector index of one space, that is of one model and dimension (see `protocol.VectorIndex`).

    Opening a file that another space was used with empties the positions, so that the owner feeds all rows again; what
    the cache has of this space is used at once, and spaces are never mixed. `reset_reason` says why the file was made
    anew, if it was; its positions are empty then, too. The cache keeps the vectors of rows, and as many others as fit.

    Searches run on memory alone, beside each other; an update shows to them as a whole. They are exact where a (kind,
    group) has few rows; see `approximate.py` for the others.
    """

    def __init__(self, path: Path, model: str, dim: int, *, switch_over: int = SWITCH_OVER) -> None:
        """Open or make the index file and load its vectors. Up to `switch_over` rows of a (kind, group) search exactly.

        While the model is unknown (`dim` 0) the file keeps the space that it has.

        Raises:
            SearchIndexError: the file can be neither used nor replaced.
        """
        self._wanted = Space(model, dim)
        self._entered = vector_file.Entered(0, self._wanted, None)
        self._sizes = Sizes(switch_over)
        self._folder = path.parent / INDEX_FOLDER
        self._memory = ReadWriteLock()
        self._builder = self._make_builder()
        self._rows = VectorRows(self._builder)
        self._updating = threading.Lock()
        self._learned = Learned()
        self._learned_since_eviction = 0
        self._most_rows = 0
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
        self._builder.sweep(self._rows.tables)

    @property
    def reset_reason(self) -> str | None:
        """Why the file was made anew when it was opened or last written; None when it was found sound."""
        return self._file.reset_reason

    @property
    def space(self) -> Space:
        """See `protocol.VectorIndex`."""
        return self._entered.space

    @property
    def former(self) -> Space | None:
        """See `protocol.VectorIndex`."""
        return self._entered.former

    def enter(self, space: Space) -> None:
        """Go over to another space: rows have the vectors that the cache has of it, or none. Safe from any thread.

        Raises:
            SearchIndexError: the file did not take it; everything is as it was.
        """
        with self._updating:
            if space == self.space:
                return
            before = self._wanted
            try:
                self._save_learned()
                self._wanted = space
                self._load()
            except SearchIndexReset as reset:
                self._wanted, self._learned = space, Learned()
                self._bear(reset)
            except BaseException:
                self._wanted = before
                raise

    def known(self, texts: Iterable[str]) -> dict[str, Vector]:
        """Return the vectors that the content-addressed cache already has."""
        keys = {text: vector_file.key_of(text) for text in texts}
        found = self._learned.found(keys.values())
        try:
            stale: set[bytes] = set()
            wanted = [key for key in keys.values() if key not in found]
            with self._file.read() as db:
                found |= vector_file.cached(db, self._entered.number, self.space.dim, wanted, stale)
            if len(keys) <= _MOST_NOTED:
                self._learned.note_use(stale)
        except SearchIndexError as error:
            _log.warning("%s", error)
        return {text: found[key] for text, key in keys.items() if key in found}

    def learn(self, vectors: Mapping[str, Vector]) -> None:
        """Put vectors of texts into the cache. Safe from any thread.

        Raises:
            ValueError: a vector has another shape than (dim,), or a number in it that is not finite.
        """
        checked = {vector_file.key_of(text): self._checked(vector) for text, vector in vectors.items()}
        self._learned.add(checked)
        if len(self._learned) <= _MOST_UNSAVED:
            return
        with self._updating:
            try:
                self._save_learned()
            except SearchIndexError as error:
                self._bear(error)

    def update(
        self, put: Sequence[VectorEntry], remove: Sequence[tuple[VectorKind, str]], positions: Mapping[str, int]
    ) -> list[VectorEntry]:
        """Remove rows, then give others the vector of their text, and record positions, in one transaction.

        Returns the entries whose text has no vector yet, to be put again once `learn` has it. They have none till then.

        Raises:
            SearchIndexReset: the file was damaged and is empty now; nothing was written. Feed it again.
            SearchIndexError: nothing was written.
        """
        latest = {(entry.kind, entry.uuid): entry for entry in put}
        keys = {entry.text: vector_file.key_of(entry.text) for entry in latest.values()}
        with self._updating:
            try:
                self._report_reset()
                learned = self._learned.waiting()
                with self._file.write() as db:
                    found = self._remember(db, *learned)
                    others = {*keys.values()} - found.keys()
                    found |= vector_file.cached(db, self._entered.number, self.space.dim, others)
                    vector_file.remove_owners(db, remove)
                    vector_file.put_owners(db, ((entry, keys[entry.text]) for entry in latest.values()), found)
                    for group_id, seq in positions.items():
                        vector_file.set_position(db, group_id, seq)
            except SearchIndexReset:
                self._start_anew()
                raise
            self._learned.drop(*learned)
            with self._memory.writing():
                for kind, uuid in remove:
                    self._rows.drop(kind, uuid)
                for entry in latest.values():
                    self._rows.put(entry.kind, entry.uuid, entry.group_id, found.get(keys[entry.text]), entry.text)
            self._take_stock()
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
            return self._rows.nearest(kind, query, groups, limit)

    def similarities(self, kind: VectorKind, query: Vector, uuids: Iterable[str]) -> dict[str, float]:
        """Return the plain cosine of each of these rows that has a vector.

        Raises:
            ValueError: as `search`.
        """
        query = self._checked(query)
        with self._memory.reading():
            return self._rows.similarities(kind, query, uuids)

    def missing(self) -> int:
        """Return how many rows should have a vector of the current model and have none."""
        with self._memory.reading():
            return len(self._rows.missing)

    def missing_entries(self) -> list[VectorEntry]:
        """Return those rows, apart from those whose text a change of the model left unknown until it is put again."""
        with self._memory.reading():
            return [
                VectorEntry(kind, uuid, group_id, text)
                for (kind, uuid), (group_id, text) in self._rows.missing.items()
                if text is not None
            ]

    def fill(self, entries: Sequence[VectorEntry]) -> int:
        """Give those of these rows that still lack the vector of this text theirs; return how many got one.

        Raises as `update`.
        """
        with self._memory.reading():
            waiting = [e for e in entries if self._rows.missing.get((e.kind, e.uuid)) == (e.group_id, e.text)]
        return len(waiting) - len(self.update(waiting, (), {})) if waiting else 0

    def clear_group(self, group_id: str) -> None:
        """Forget a group, its position included; the cache keeps its vectors.

        Raises:
            SearchIndexReset, SearchIndexError: as `update`; a reset concerns all groups.
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
                self._rows.forget_group(group_id)

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
            if len(self._learned):
                try:
                    self._save_learned()
                except SearchIndexError as error:
                    _log.warning("Vectors that were learned last are not saved: %s", error)
            self._file.close()

    def _make_builder(self) -> IndexBuilder:
        return IndexBuilder(HnswFiles(self._folder, *self.space), self.space.dim, self._memory, self._sizes)

    def _load(self) -> None:
        with self._file.write() as db:
            entered = vector_file.enter_space(db, self._wanted)
        if entered.space != self.space:
            # Its thread may wait for the lock that is taken next.
            self._builder.stop()
        # By itself, so that memory never shows what the file did not take.
        with self._file.write() as db, self._memory.writing():
            self._empty(entered)
            self._rows.load(StoredRows(db), entered.number, entered.space.dim)
        self._take_stock()

    def _empty(self, entered: vector_file.Entered) -> None:
        """Forget all rows in memory and take another space up."""
        self._rows.clear()
        before, self._entered = self.space, entered
        if before != self.space:
            self._builder = self._make_builder()
            self._rows = VectorRows(self._builder)

    def _take_stock(self) -> None:
        """Notice how many rows have a vector, and when all have one again since the model changed."""
        self._most_rows = max(self._most_rows, len(self._rows))
        if self._entered.former is not None and not self._rows.missing:
            try:
                with self._file.write() as db:
                    vector_file.forget_former(db)
                self._entered = replace(self._entered, former=None)
            except SearchIndexError as error:
                self._bear(error)

    def _remember(
        self, db: sqlite3.Connection, vectors: Mapping[bytes, Vector], used: Iterable[bytes]
    ) -> dict[bytes, Vector]:
        """Save vectors and what was asked for; return these vectors, or none if the cache had one, perhaps another."""
        vector_file.note_use(db, self._entered.number, used)
        self._learned_since_eviction += len(vectors)
        if self._learned_since_eviction >= max(_LEARNED_BETWEEN_EVICTIONS, self._most_rows // 8):
            self._learned_since_eviction = 0
            # While a group is rebuilt it has no rows, and wants all their vectors back.
            vector_file.evict(db, self._entered.number, self._most_rows * self.space.dim * 4)
        return dict(vectors) if vector_file.remember(db, self._entered.number, vectors) else {}

    def _save_learned(self) -> None:
        learned = self._learned.waiting()
        with self._file.write() as db:
            self._remember(db, *learned)
        self._learned.drop(*learned)

    def _bear(self, error: SearchIndexError) -> None:
        if isinstance(error, SearchIndexReset):
            self._start_anew()
            self._unreported = error  # for the caller of `update`, who feeds the rows
        else:
            _log.warning("%s", error)

    def _report_reset(self) -> None:
        reset, self._unreported = self._unreported, None
        if reset is not None:
            raise reset

    def _start_anew(self) -> None:
        """Follow the file, which was emptied."""
        self._wanted = self._wanted if self._wanted.dim else self.space
        self._load()

    def _checked(self, vector: Vector) -> Vector:
        checked = np.ascontiguousarray(vector, dtype=np.float32)
        model, dim = self.space
        if checked.shape != (dim,) or not np.isfinite(checked).all():
            raise ValueError(f"expected {dim} finite numbers of the model {model}, got shape {checked.shape}")
        return checked
