"""Fixtures of approximate search."""

from collections.abc import Iterator
from pathlib import Path

import pytest

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
