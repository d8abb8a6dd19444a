"""Distinct vectors in an `hnswlib` index: nearest neighbours without looking at every vector.

Each vector stands in the index once, however many rows have it, and is known by its digest. That keeps rows of one
text from crowding each other's neighbourhood (an index of many equal vectors falls apart into islands), and it makes
an index mean the same whatever happened since it was built: it says where vectors are, never which rows have them.
"""

import copy
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lcg.search.protocol import Vector
from lcg.search.vector_table import products

# Chosen by `python -m bench.vectors`, which prints what other values cost and find.
SWITCH_OVER = 500_000
"""Rows of one (kind, group) above which they get an index. Below it exact search takes milliseconds too, and the memory
and the minutes that an index takes to be built are worth more than what is left to save."""
M = 24
"""Neighbours of a vector. Fewer lose more of texts that are unlike each other; more cost building time and memory."""
EF_CONSTRUCTION = 100
"""How many vectors are kept in view while one is added. Twice as many double the building time and find hardly more."""
EF = 300
"""How many vectors a search keeps in view. The library's own value, 10, misses two of the ten nearest."""

DIGEST_BYTES = 16
_SPACE = "ip"
_SEED = 1
_ADD_AT_ONCE = 128
"""Vectors added between two looks at whether to stop: well under a second's work."""


def digest_of(vector: Vector) -> bytes:
    """Return what a vector is known by."""
    return hashlib.blake2b(vector.tobytes(), digest_size=DIGEST_BYTES).digest()


class HnswVectors:
    """An index of distinct vectors; `label` is a vector's number in it. A hidden one is not found.

    Searches may run beside each other. The caller sees to it that nothing else runs while `add`, `hide` or `show` does.
    """

    def __init__(self, dim: int, planned: int, index: Any = None, digests: Sequence[bytes] = ()) -> None:
        """Make an empty index, or take over one that holds the vectors of these digests, all of them shown.

        `planned` is how many vectors it was begun for; it is only kept.
        """
        self.dim = dim
        self.planned = planned
        self.digests = list(digests)
        self._labels = {digest: label for label, digest in enumerate(self.digests)}
        self._hidden: set[int] = set()
        self._index = _empty(dim) if index is None else index
        self.look_at(EF)

    @classmethod
    def load(cls, path: Path, dim: int, planned: int, digests: Sequence[bytes]) -> "HnswVectors":
        """Read what `save` wrote. The file must be known to be sound: the library trusts every byte of it.

        Raises:
            RuntimeError: the library does not take the file.
        """
        import hnswlib

        index = hnswlib.Index(space=_SPACE, dim=dim)
        index.load_index(str(path))
        return cls(dim, planned, index, digests)

    def save(self, path: Path) -> None:
        """Write the index; hidden vectors too, which a copy shows again.

        Raises:
            OSError: the file is not whole.
        """
        self._index.save_index(str(path))
        # The library does not say when the disk is full.
        if path.stat().st_size != self._index.index_file_size():
            raise OSError(f"{path} was not written completely")

    def copy(self) -> "HnswVectors":
        """Return an index of its own with the same vectors, all of them shown."""
        twin = copy.copy(self._index)
        for label in self._hidden:
            twin.unmark_deleted(label)
        return HnswVectors(self.dim, self.planned, twin, self.digests)

    def __len__(self) -> int:
        """Return how many vectors there are, hidden ones included."""
        return len(self.digests)

    @property
    def hidden(self) -> int:
        """How many vectors are hidden."""
        return len(self._hidden)

    @property
    def shown(self) -> int:
        """How many vectors can be found."""
        return len(self.digests) - len(self._hidden)

    def label_of(self, digest: bytes) -> int | None:
        """Return the label of a vector, hidden or not; None if it is not here."""
        return self._labels.get(digest)

    def reserve(self, more: int) -> None:
        """Make room for so many vectors."""
        self._index.resize_index(max(len(self.digests) + more, 1))

    def add(self, digests: Sequence[bytes], vectors: NDArray[np.float32], threads: int) -> None:
        """Add vectors that are not here yet; there must be room for them (see `reserve`)."""
        first = len(self.digests)
        self._index.add_items(vectors, np.arange(first, first + len(digests)), num_threads=threads)
        self.digests += digests
        self._labels.update((digest, first + number) for number, digest in enumerate(digests))

    def hide(self, label: int) -> None:
        """Let a vector not be found; one that is hidden already is fine."""
        if label not in self._hidden:
            self._index.mark_deleted(label)
            self._hidden.add(label)

    def show(self, label: int) -> None:
        """Let a hidden vector be found again; one that is shown already is fine."""
        if label in self._hidden:
            self._index.unmark_deleted(label)
            self._hidden.discard(label)

    def look_at(self, ef: int) -> None:
        """Set how many vectors a search keeps in view: more find more, and take longer."""
        self._index.set_ef(ef)

    def nearest(self, query: Vector, count: int) -> tuple[list[int], NDArray[np.float32]]:
        """Return the labels of the nearest shown vectors that the index finds, with their cosines, best first.

        The cosines are exact: the library computes them from the whole vectors. All shown ones come when `count` is
        not smaller than their number.
        """
        count = min(count, self.shown)
        if count < 1:
            return [], np.empty(0, np.float32)
        try:
            labels, distances = self._index.knn_query(query, count, num_threads=1)
        except RuntimeError:
            # It found fewer: some cannot be reached from where it starts.
            return self._scan(query, count)
        return labels[0].tolist(), 1.0 - distances[0]

    def vectors(self, labels: Sequence[int]) -> NDArray[np.float32]:
        """Return shown vectors, one a row."""
        if not labels:
            return np.empty((0, self.dim), np.float32)
        return np.asarray(self._index.get_items(labels), dtype=np.float32)

    def _scan(self, query: Vector, count: int) -> tuple[list[int], NDArray[np.float32]]:
        labels = [label for label in range(len(self.digests)) if label not in self._hidden]
        cosines = products(self.vectors(labels), query)
        best = np.argsort(-cosines, kind="stable")[:count]
        return [labels[place] for place in best], cosines[best]


def added_in_parts(count: int) -> list[slice]:
    """Return the parts in which so many vectors are to be added."""
    return [slice(start, start + _ADD_AT_ONCE) for start in range(0, count, _ADD_AT_ONCE)]


def _empty(dim: int) -> Any:
    # Imported only where a group is that large.
    import hnswlib

    index = hnswlib.Index(space=_SPACE, dim=dim)
    index.init_index(max_elements=1, M=M, ef_construction=EF_CONSTRUCTION, random_seed=_SEED)
    return index
