"""A service is killed again and again while clients write; whatever was acknowledged is there, once, afterwards."""

import os
import random
import sys
from pathlib import Path

import pytest

from tests.faults.killing import kill_again_and_again

pytestmark = pytest.mark.e2e


def test_kills_at_random_moments_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    seed = int(os.environ.get("LCG_FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    kills = int(os.environ.get("LCG_FAULT_KILLS") or 8)
    sys.stdout.write(f"LCG_FAULT_SEED={seed} LCG_FAULT_KILLS={kills}\n")
    figures = kill_again_and_again(tmp_path, seed, kills)
    sys.stdout.write(f"{figures}\n")
    assert min(figures.acknowledged[kind] for kind in ("EntityWish", "EdgeWish", "ChunkWish")) > 0
