"""The vectors of one kind in one group, in memory, side by side in one array: searching them is one product."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from lcg.search.protocol import Hit, Vector

SCORE_DECIMALS = 6
"""Cosines are told apart to so many decimals: the last bits of a float32 product depend on how it is computed."""

_FIRST_CAPACITY = 16


class VectorTable:
    """Exact search. The array doubles when full; a removed row's place goes to the last one.

    Searches run beside each other; the caller sees to it that nothing else runs while `put` or `remove` does.
    """

    def __init__(self, dim: int) -> None:
        self._rows: NDArray[np.float32] = np.empty((_FIRST_CAPACITY, dim), dtype=np.float32)
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

    def remove(self, uuid: str) -> None:
        """Remove a row; one that is not there is fine."""
        place = self._place.pop(uuid, None)
        if place is None:
            return
        last = self._uuids.pop()
        if last != uuid:
            self._rows[place] = self._rows[len(self._uuids)]
            self._uuids[place] = last
            self._place[last] = place
        if len(self._rows) > _FIRST_CAPACITY and len(self._uuids) < len(self._rows) // 4:
            self._resize(len(self._rows) // 2)

    def nearest(self, query: Vector, limit: int) -> list[Hit]:
        """Return the rows of highest cosine, best first, ties by uuid; all rows when the limit is larger."""
        count = len(self._uuids)
        if count == 0 or limit < 1:
            return []
        scores = products(self._rows[:count], query)
        if limit < count:
            worst = np.partition(scores, count - limit)[count - limit]
            # Rows that tie with the worst one stay in, for the uuids to decide.
            places = np.flatnonzero(scores >= worst - 10.0**-SCORE_DECIMALS)
        else:
            places = np.arange(count)
        rounded = cosines_of(scores[places])
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
        grown = np.empty((capacity, self._rows.shape[1]), dtype=np.float32)
        grown[: len(self._uuids)] = self._rows[: len(self._uuids)]
        self._rows = grown


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
