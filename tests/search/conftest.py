"""Fixtures of the vector index, exact and approximate."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lcg.search.vectors import SqliteVectorIndex
from tests.search.brute_force import DIM
from tests.search.opened_index import Opened, entry


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    opened = Opened(tmp_path)
    yield opened
    opened.index.close()


@pytest.fixture
def built(opened: Opened) -> Opened:
    """Return an index of 60 rows, most of them in an hnswlib index."""
    opened.put(*(entry(number) for number in range(60)))
    opened.build()
    return opened


@pytest.fixture
def reopen(tmp_path: Path) -> Iterator[Callable[..., SqliteVectorIndex]]:
    """Return a function that opens the index of this test, closing the one before."""
    opened: list[SqliteVectorIndex] = []

    def again(model: str = "model", dim: int = DIM) -> SqliteVectorIndex:
        if opened:
            opened[-1].close()
        opened.append(SqliteVectorIndex(tmp_path / "vectors.sqlite", model, dim))
        return opened[-1]

    yield again
    if opened:
        opened[-1].close()
