"""Eight processes write into one workspace at once; what was acknowledged is found, whoever is killed meanwhile."""

from pathlib import Path

import pytest

from bench.clients import PROCESSES, measure

pytestmark = pytest.mark.e2e

EACH = 50


def test_everything_that_was_acknowledged_is_found_whatever_the_kind_of_client(tmp_path: Path) -> None:
    done = measure(tmp_path, ("attached", "socket", "http"), EACH, kill=False)
    assert (done.asked, done.acknowledged, done.found) == (PROCESSES * EACH,) * 3
    assert done.owners == 1


def test_it_is_found_too_when_the_owner_is_killed_half_way_and_the_clients_start_another(tmp_path: Path) -> None:
    done = measure(tmp_path, ("attached", "socket"), EACH, kill=True)
    assert (done.asked, done.acknowledged, done.found) == (PROCESSES * EACH,) * 3
    assert done.owners == 2
