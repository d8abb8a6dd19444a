"""The vectors of one kind in one group, in memory, side by side in one array: searching them is one product."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lcg.search.coarse import Coarse
from lcg.search.matrices import Matrices
from lcg.search.protocol import Hit, Vector

SCORE_DECIMALS = 6
"""Cosines are told apart to so many decimals: the last bits of a float32 product depend on how it is computed."""

_FIRST_CAPACITY = 16
_FEW = 4_096
"""Up to so many rows all products are computed; above, only those that the rough copy leaves possible."""
_ROUNDED_AT_ONCE = 1_024


class VectorTable:
    """Exact search. The array doubles when full; a removed row's place goes to the last one.

    Searches run beside each other; the caller sees to it that nothing else runs while `put` or `remove` does.
    """

    def __init__(self, dim: int, matrices: Matrices | None = None) -> None:
        self._dim = dim
        self._matrices = matrices or Matrices()
        self._rows = self._matrices.empty(_FIRST_CAPACITY, dim)
        self._coarse: Coarse | None = None
        self._unrounded: set[int] = set()
        self._uuids: list[str] = []
        self._place: dict[str, int] = {}

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._uuids)

    def put(self, uuid: str, vector: Vector) -> None:
        """Add a row or replace its vector."""
        place = self._place.get(uuid)
        if place is None:
            place = len(self._uuids)
            if place == len(self._rows):
                self._resize(2 * place)
            self._uuids.append(uuid)
            self._place[uuid] = place
        self._rows[place] = vector
        self._note_change(place)

    def reserve(self, count: int) -> None:
        """Make room for so many rows in all, which are going to come."""
        capacity = len(self._rows)
        while capacity < count:
            capacity *= 2
        if capacity > len(self._rows):
            self._resize(capacity)

    def extend(self, uuids: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Add rows that are not here yet."""
        start = len(self._uuids)
        self.reserve(start + len(uuids))
        self._uuids.extend(uuids)
        self._place.update(zip(uuids, range(start, len(self._uuids)), strict=True))
        self._rows[start : len(self._uuids)] = vectors
        if self._coarse is not None:
            # At once, while the processor has them at hand.
            for first in range(start, len(self._uuids), _ROUNDED_AT_ONCE):
                part = slice(first, min(first + _ROUNDED_AT_ONCE, len(self._uuids)))
                self._coarse.round(part, self._rows[part])

    def remove(self, uuid: str) -> None:
        """Remove a row; one that is not there is fine."""
        place = self._place.pop(uuid, None)
        if place is None:
            return
        last = self._uuids.pop()
        self._unrounded.discard(len(self._uuids))
        if last != uuid:
            self._rows[place] = self._rows[len(self._uuids)]
            self._uuids[place] = last
            self._place[last] = place
            self._note_change(place)
        if len(self._rows) > _FIRST_CAPACITY and len(self._uuids) < len(self._rows) // 4:
            self._resize(len(self._rows) // 2)

    def nearest(self, query: Vector, limit: int) -> list[Hit]:
        """Return the rows of highest cosine, best first, ties by uuid; all rows when the limit is larger."""
        count = len(self._uuids)
        if count == 0 or limit < 1:
            return []
        possible = None if self._coarse is None else self._coarse.possible(query, count, limit)
        scores = products(self._rows[:count] if possible is None else self._rows[possible], query)
        if limit < count:
            worst = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            # Rows that tie with the worst one stay in, for the uuids to decide.
            best = np.flatnonzero(scores >= worst - 10.0**-SCORE_DECIMALS)
        else:
            best = np.arange(count)
        rounded = cosines_of(scores[best])
        places = best if possible is None else possible[best]
        ranked = sorted(zip(rounded, places.tolist(), strict=True), key=lambda pair: (-pair[0], self._uuids[pair[1]]))
        return [Hit(self._uuids[place], score) for score, place in ranked[:limit]]

    def similarities(self, query: Vector, uuids: Iterable[str]) -> dict[str, float]:
        """Return the cosine of those of these rows that are here."""
        here = [uuid for uuid in uuids if uuid in self._place]
        scores = products(self._rows[[self._place[uuid] for uuid in here]], query)
        return dict(zip(here, cosines_of(scores), strict=True))

    def rows(self, places: Sequence[int]) -> list[tuple[str, Vector]]:
        """Return the rows of these places (of `range(len(table))`), with copies of their vectors."""
        return list(zip((self._uuids[place] for place in places), self._rows[list(places)], strict=True))

    def _resize(self, capacity: int) -> None:
        count = len(self._uuids)
        grown = self._matrices.empty(capacity, self._dim)
        grown[:count] = self._rows[:count]
        self._rows = grown
        before, self._coarse = self._coarse, Coarse(capacity, self._dim) if capacity > _FEW else None
        if self._coarse is None:
            self._unrounded.clear()
        elif before is None:
            self._unrounded.update(range(count))
        else:
            self._coarse.take_over(before, count)

    def _note_change(self, place: int) -> None:
        if self._coarse is None:
            return
        self._coarse.forget(place)
        self._unrounded.add(place)
        self._round_if_many()

    def _round_if_many(self) -> None:
        """Let the rough copy follow, many rows at a time: one by one, each would take ten times as long."""
        if self._coarse is not None and len(self._unrounded) > _ROUNDED_AT_ONCE:
            places = np.fromiter(self._unrounded, dtype=np.intp, count=len(self._unrounded))
            places.sort()
            for start in range(0, len(places), _ROUNDED_AT_ONCE):
                part = places[start : start + _ROUNDED_AT_ONCE]
                self._coarse.round(part, self._rows[part])
            self._unrounded.clear()


def products(rows: NDArray[np.float32], query: Vector) -> NDArray[np.float32]:
    """Return each row's product with a query; equal rows have equal ones.

    Not `rows @ query`: that goes to several threads, which wait for each other at every search of a busy machine, and
    takes more time even on an idle one. Its last bits depend on where a row lies, too.
    """
    result: NDArray[np.float32] = np.einsum("ij,j->i", rows, query)
    return result


def cosines_of(scores: NDArray[np.float32]) -> list[float]:
    """Return products of unit vectors as scores: rounded, and kept in -1..1. Adding zero turns -0.0 into 0.0."""
    values: list[float] = (np.clip(scores.astype(np.float64), -1.0, 1.0).round(SCORE_DECIMALS) + 0.0).tolist()
    return values
