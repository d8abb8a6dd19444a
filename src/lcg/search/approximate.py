"""The vectors of one kind in one group, however many: exact search while they are few, an index once they are many.

Above the switch-over most rows stand in an index (`hnsw.py`), which holds the only copy of their vectors, and what was
put lately stands beside it in an exact table; a search asks both. The index never changes while it is in use, except
that vectors which no row has any more are hidden. It grows by jobs that run in the background (`index_builder.py`): a
copy takes up some of the late rows and then replaces it. So the memory for an index is taken twice only while a job
runs, a writer never waits for an index to be built, and neither does a search.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest

import numpy as np
from numpy.typing import NDArray

from lcg.search.hnsw import SWITCH_OVER, HnswVectors, added_in_parts, digest_of
from lcg.search.holders import Holders
from lcg.search.matrices import Matrices
from lcg.search.protocol import Hit, Vector
from lcg.search.vector_table import VectorTable, cosines_of, products

_READ_AT_ONCE = 512
_SEED = 1
_MOST_GROWTH = 2


@dataclass(frozen=True, slots=True)
class Sizes:
    """From how many rows on there is an index, and what follows from it."""

    switch_over: int = SWITCH_OVER

    @property
    def least(self) -> int:
        """Below so many rows an index is given up."""
        return self.switch_over // 2

    @property
    def late(self) -> int:
        """How many rows may stand beside an index: so few that they add little to a search's time."""
        return max(self.switch_over // 5, 1)

    @property
    def at_once(self) -> int:
        """How many rows one job takes up: so many that copying the index is the lesser part of it."""
        return 2 * self.late


@dataclass(slots=True)
class Growth:
    """A job: add late rows to a copy of the index, or to a new one."""

    index: HnswVectors
    rows: dict[str, bytes]
    vectors: dict[bytes, Vector]

    def run(self, threads: int, stopped: Callable[[], bool]) -> bool:
        """Do it; return whether it was done, not stopped. Needs no lock."""
        digests = list(self.vectors)
        matrix = np.array(list(self.vectors.values()))
        self.index.reserve(len(digests))
        for part in added_in_parts(len(digests)):
            if stopped():
                return False
            self.index.add(digests[part], matrix[part], threads)
        return True


@dataclass(slots=True)
class Dissolution:
    """A job: take all rows out of an index that has become too small or outgrown, or hides too much."""

    index: HnswVectors
    labels: dict[str, int]
    matrices: Matrices
    table: VectorTable = field(init=False)

    def run(self, threads: int, stopped: Callable[[], bool]) -> bool:
        """Do it; return whether it was done, not stopped. Needs no lock."""
        self.table = VectorTable(self.index.dim, self.matrices)
        uuids = list(self.labels)
        for start in range(0, len(uuids), _READ_AT_ONCE):
            if stopped():
                return False
            part = uuids[start : start + _READ_AT_ONCE]
            rows = self.index.vectors([self.labels[uuid] for uuid in part])
            for uuid, vector in zip(part, rows, strict=True):
                self.table.put(uuid, vector)
        return True


class ApproximateTable:
    """Nearest rows of one (kind, group). Never wrong about which rows there are and how near a found one is.

    What an index may miss is a row among the nearest, seldom. The caller sees to it that nothing else runs while a
    method does that changes something; searches run beside each other.
    """

    def __init__(
        self,
        dim: int,
        sizes: Sizes,
        index: HnswVectors | None,
        want_job: Callable[[], None],
        matrices: Matrices | None = None,
    ) -> None:
        """Make an empty table. `index` may hold vectors already, in the hope that rows have them.

        `want_job` is called when there is a job to do, once until `take_over` or `give_up`. `matrices` makes room for
        the rows that are searched exactly; without it they are in memory.
        """
        self._dim = dim
        self._sizes = sizes
        self._matrices = matrices or Matrices()
        self._late = VectorTable(dim, self._matrices)
        self._index = index
        self._holders = Holders()
        self._changed: set[str] | None = None
        self._random = random.Random(_SEED)
        self._want_job = want_job
        self._waits_for_job = False
        self.retired = False
        if index is not None:
            _hide_unheld(index, self._holders)

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._late) + len(self._holders)

    @property
    def indexed(self) -> int:
        """How many rows stand in the index."""
        return len(self._holders)

    def put(self, uuid: str, vector: Vector) -> None:
        """Add a row or replace its vector."""
        self._note_change(uuid)
        label = None if self._index is None else self._index.label_of(digest_of(vector))
        if label is None or self._index is None:
            self._leave_index(uuid)
            self._late.put(uuid, vector)
        elif self._holders.label_of(uuid) != label:
            self._leave_index(uuid)
            self._late.remove(uuid)
            self._holders.attach(uuid, label)
            self._index.show(label)
        self._ask_for_job()

    def reserve(self, count: int) -> None:
        """Make room for so many rows in all, which are going to come."""
        if self._index is None:
            self._late.reserve(count)

    def extend(self, uuids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add rows that are not here yet."""
        if self._index is None and self._changed is None:
            self._late.extend(uuids, vectors)
            self._ask_for_job()
            return
        for uuid, vector in zip(uuids, vectors, strict=True):
            self.put(uuid, vector)

    def remove(self, uuid: str) -> None:
        """Remove a row; one that is not there is fine."""
        self._note_change(uuid)
        self._leave_index(uuid)
        self._late.remove(uuid)
        self._ask_for_job()

    def nearest(self, query: Vector, limit: int) -> list[Hit]:
        """Return the rows of highest cosine, best first, ties by uuid; all rows when the limit is larger."""
        hits = self._late.nearest(query, limit)
        if self._index is None or limit < 1:
            return hits
        # Twice as many, so that the index looks about wider for a larger limit, and rows that tie get their turn.
        labels, cosines = self._index.nearest(query, 2 * limit)
        for label, score in zip(labels, cosines_of(cosines), strict=True):
            hits += [Hit(uuid, score) for uuid in nsmallest(limit, self._holders.of(label))]
        return nsmallest(limit, hits, key=lambda hit: (-hit.score, hit.uuid))

    def similarities(self, query: Vector, uuids: Iterable[str]) -> dict[str, float]:
        """Return the cosine of those of these rows that are here."""
        uuids = list(uuids)
        found = self._late.similarities(query, uuids)
        if self._index is not None:
            here = {uuid: label for uuid in uuids if (label := self._holders.label_of(uuid)) is not None}
            found |= dict(zip(here, cosines_of(products(self._index.vectors(list(here.values())), query)), strict=True))
        return found

    def next_job(self) -> Growth | Dissolution | None:
        """Return what there is to do, if anything. What changes from now on is noted until `take_over`."""
        if self.retired or not self._is_job_due:
            self._waits_for_job = False
            return None
        self._changed = set()
        if self._index is not None and self._is_index_spent:
            return Dissolution(self._index.copy(), self._labels(), self._matrices)
        return self._growth()

    def take_over(self, job: Growth | Dissolution) -> None:
        """Let the result of a job take the place of what was there, but for rows that changed meanwhile."""
        changed = self._changed or set()
        self._changed = None
        if isinstance(job, Growth):
            self._take_index(job, changed)
        else:
            self._take_table(job.table, changed)
        self._waits_for_job = False
        self._ask_for_job()

    def give_up(self) -> None:
        """Let a job that failed be the last one; search goes on as it is."""
        self._changed = None

    # How it works

    @property
    def _is_index_spent(self) -> bool:
        if self._index is None:
            return False
        too_small = len(self) < self._sizes.least
        hides_much = self._index.hidden > max(self._index.shown, self._sizes.late)
        # What came first is hard to find among much else that came later, if that is of another sort.
        outgrown = len(self._index) > _MOST_GROWTH * self._index.planned
        return too_small or hides_much or outgrown

    @property
    def _is_job_due(self) -> bool:
        if self._index is None:
            return len(self._late) > self._sizes.switch_over
        return len(self._late) > self._sizes.late or self._is_index_spent

    def _ask_for_job(self) -> None:
        if not self._waits_for_job and self._is_job_due:
            self._waits_for_job = True
            self._want_job()

    def _note_change(self, uuid: str) -> None:
        if self._changed is not None:
            self._changed.add(uuid)

    def _leave_index(self, uuid: str) -> None:
        label = self._holders.detach(uuid)
        if label is not None and self._index is not None:
            self._index.hide(label)

    def _labels(self) -> dict[str, int]:
        return {uuid: label for uuid in self._holders if (label := self._holders.label_of(uuid)) is not None}

    def _growth(self) -> Growth:
        late = len(self._late)
        index = HnswVectors(self._dim, late) if self._index is None else self._index.copy()
        rows: dict[str, bytes] = {}
        vectors: dict[bytes, Vector] = {}
        # In no order: an index of rows that came sorted by subject loses many of the first subjects.
        for uuid, vector in self._late.rows(self._random.sample(range(late), min(late, self._sizes.at_once))):
            rows[uuid] = digest_of(vector)
            if index.label_of(rows[uuid]) is None:
                vectors[rows[uuid]] = vector
        return Growth(index, rows, vectors)

    def _take_index(self, job: Growth, changed: set[str]) -> None:
        # The new index began as a copy, so labels mean in it what they mean to the holders.
        self._index = job.index
        for uuid, digest in job.rows.items():
            label = job.index.label_of(digest)
            if uuid not in changed and label is not None:
                self._holders.attach(uuid, label)
                self._late.remove(uuid)
        _hide_unheld(job.index, self._holders)

    def _take_table(self, table: VectorTable, changed: set[str]) -> None:
        for uuid in changed:
            table.remove(uuid)
            label = self._holders.label_of(uuid)
            if label is not None and self._index is not None:
                table.put(uuid, self._index.vectors([label])[0])
        for uuid, vector in self._late.rows(range(len(self._late))):
            table.put(uuid, vector)
        self._late, self._index, self._holders = table, None, Holders()


def _hide_unheld(index: HnswVectors, holders: Holders) -> None:
    for label in range(len(index)):
        if not holders.is_held(label):
            index.hide(label)
