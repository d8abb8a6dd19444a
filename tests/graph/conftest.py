"""A workspace per test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.graph.harness import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace(tmp_path)
    yield made
    made.close()
