"""Eight processes write into one workspace at once; what was acknowledged is found, whoever is killed meanwhile."""

from pathlib import Path

import pytest

from bench.clients import PROCESSES, measure

pytestmark = pytest.mark.e2e

EACH = 50
KINDS = ("attached", "socket")


@pytest.mark.parametrize("kill", [False, True], ids=["nothing happens", "the owner is killed half-way"])
def test_everything_that_was_acknowledged_is_found(tmp_path: Path, kill: bool) -> None:
    done = measure(tmp_path, KINDS, EACH, kill=kill)
    assert (done.asked, done.acknowledged, done.found) == (PROCESSES * EACH,) * 3
    assert done.owners == (2 if kill else 1)
