"""A rough copy of vectors, a quarter of their size: it tells at once which rows can be among the nearest.

Each vector is rounded to whole numbers of eight bits, and how far that moved it is kept. So the rough product of a row
with a query comes with a bound of its error, and whoever looks at all rows whose bound reaches far enough misses none.
"""

import numpy as np
from numpy.typing import NDArray

from lcg.search.protocol import Vector

_LARGEST = 127
_MARGIN = 1e-5
"""What single-precision sums of whole vectors may be off, and rows that count as equally near may lie apart."""

_PARTS = 16

Places = NDArray[np.intp]


class Coarse:
    """Rough vectors by place. A place that was not rounded since it was made or forgotten always counts as possible."""

    def __init__(self, capacity: int, dim: int) -> None:
        self._numbers: NDArray[np.int8] = np.zeros((capacity, dim), dtype=np.int8)
        self._scales: NDArray[np.float32] = np.zeros(capacity, dtype=np.float32)
        self._lengths: NDArray[np.float32] = np.zeros(capacity, dtype=np.float32)
        self._errors: NDArray[np.float32] = np.full(capacity, np.inf, dtype=np.float32)

    def take_over(self, other: "Coarse", count: int) -> None:
        """Copy the first places of another one."""
        for name in ("_numbers", "_scales", "_lengths", "_errors"):
            getattr(self, name)[:count] = getattr(other, name)[:count]

    def round(self, places: Places | slice, rows: NDArray[np.float32]) -> None:
        """Take in the vectors of places."""
        numbers, scales, lengths, errors = _rounded(rows)
        self._numbers[places] = numbers
        self._scales[places] = scales
        self._lengths[places] = lengths
        self._errors[places] = errors

    def forget(self, places: int | slice) -> None:
        """Know nothing of a place, or of several, whose vectors change."""
        self._errors[places] = np.inf

    def possible(self, query: Vector, count: int, limit: int) -> Places | None:
        """Return those of the first `count` places that can be among the `limit` nearest; None if all can."""
        # Imported only where a group is that large.
        import simsimd

        numbers, scales, _, errors = _rounded(query[np.newaxis])
        if limit >= count or not scales[0]:
            return None
        rough = np.asarray(simsimd.cdist(numbers, self._numbers[:count], metric="dot")).ravel()
        near = np.multiply(rough, self._scales[:count], dtype=np.float32)
        near *= scales[0]
        slack = self._errors[:count] * np.float32(np.linalg.norm(query))
        slack += errors[0] * self._lengths[:count]
        worst = _nearly_ranked(near - slack, limit)
        near += slack
        return np.flatnonzero(near >= worst - _MARGIN)


def _nearly_ranked(values: NDArray[np.float32], limit: int) -> np.float32:
    """Return a value that at least `limit` of these reach: of so many the best of each, of few that of this very rank.

    The best values seldom stand together in one of the parts, and one pass over all is quicker than sorting them.
    """
    width = len(values) // _PARTS
    if width >= _PARTS * limit:
        values = values[: _PARTS * width].reshape(_PARTS, width).max(axis=0)
    found: np.float32 = np.partition(values, len(values) - limit)[len(values) - limit]
    return found


def _rounded(
    rows: NDArray[np.float32],
) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return whole numbers, what one of them is worth in each row, the rough row's length, and how far it is off."""
    scales = np.maximum(rows.max(axis=1), -rows.min(axis=1)) / np.float32(_LARGEST)
    whole = rows / np.where(scales > 0, scales, np.float32(1))[:, np.newaxis]
    np.rint(whole, out=whole)
    numbers = whole.astype(np.int8)
    whole *= scales[:, np.newaxis]
    lengths = np.sqrt(np.einsum("ij,ij->i", whole, whole))
    whole -= rows
    return numbers, scales, lengths, np.sqrt(np.einsum("ij,ij->i", whole, whole))
