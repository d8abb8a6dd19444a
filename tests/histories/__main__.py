"""Plays many histories: so many in memory as LCG_HISTORIES_MEMORY says, and LCG_HISTORIES_STORE in the engine.

They are played in rounds, each with a seed of its own, which is printed: the first is LCG_HISTORIES_SEED, or drawn. A
round that fails prints its shortest failing history, and `LCG_HISTORIES_SEED=<its seed>` plays that round first.
"""

import os
import random
import sys
import time
import traceback
from collections.abc import Callable

from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st

from tests.histories.steps import Step, histories
from tests.histories.test_histories import CHECKS, play_in_memory, play_in_the_engine

PARTS = 5
"""A history has so many parts besides its beginning."""
PHASES = (Phase.generate, Phase.target, Phase.shrink)


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def play_round(play: Callable[[int, list[Step]], None], examples: int, number: int) -> bool:
    """Play a round and say whether it went well."""

    @seed(number)
    @settings(max_examples=examples, deadline=None, suppress_health_check=CHECKS, database=None, phases=PHASES)
    @given(st.integers(0, 3), histories(PARTS))
    def one(chance: int, steps: list[Step]) -> None:
        play(chance, steps)

    try:
        one()
    except Exception:
        traceback.print_exc(file=sys.stdout)
        return False
    return True


def main() -> int:
    """Play all rounds and return the exit status."""
    number = int(os.environ.get("LCG_HISTORIES_SEED") or random.SystemRandom().randrange(1 << 31))
    failed: list[int] = []
    wanted = (
        ("in memory", play_in_memory, int(os.environ.get("LCG_HISTORIES_MEMORY") or 10_000), 500),
        ("in the engine", play_in_the_engine, int(os.environ.get("LCG_HISTORIES_STORE") or 300), 50),
    )
    for where, play, total, size in wanted:
        for start in range(0, total, size):
            examples = min(size, total - start)
            began = time.monotonic()
            say(f"seed {number}: {examples} histories {where}")
            is_well = play_round(play, examples, number)
            say(f"  {'held' if is_well else 'FAILED'} ({time.monotonic() - began:.0f} s)")
            failed += [] if is_well else [number]
            number += 1
    say(f"failed seeds: {', '.join(map(str, failed))}" if failed else "every history held")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
