"""The long fault suite: workspaces in parallel, their services killed LCG_FAULT_KILLS times.

LCG_FAULT_KILLS is how often in all (500), LCG_FAULT_WORKSPACES in how many workspaces at once (4), LCG_FAULT_SEED the
seed of the first one (random; the others follow it), LCG_FAULT_MINUTES after how long nothing new begins (28). A
workspace that failed is kept, and a line says how to do the same again.
"""

import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from tests.faults.killing import Figures, kill_again_and_again


def _number(variable: str, default: int) -> int:
    return int(os.environ.get(variable) or default)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _run(seed: int, kills: int, seconds: float) -> Figures | str:
    """Kill a service in a new workspace; return the figures, or what went wrong."""
    # Short, because the path of a socket may not be long.
    workspace = Path(tempfile.mkdtemp(prefix="lcg-faults-"))
    try:
        figures = kill_again_and_again(workspace, seed, kills, seconds)
    except BaseException:
        again = f"LCG_FAULT_WORKSPACES=1 LCG_FAULT_SEED={seed} LCG_FAULT_KILLS={kills}"
        return f"seed {seed} failed; the workspace is kept in {workspace}; again: {again}\n{traceback.format_exc()}"
    shutil.rmtree(workspace)
    return figures


def main() -> int:
    """Run the suite and return the exit status."""
    workspaces = _number("LCG_FAULT_WORKSPACES", 4)
    kills = _number("LCG_FAULT_KILLS", 500)
    seconds = 60 * _number("LCG_FAULT_MINUTES", 28)
    seed = _number("LCG_FAULT_SEED", random.SystemRandom().randrange(1_000_000))
    _say(f"LCG_FAULT_SEED={seed} LCG_FAULT_KILLS={kills} LCG_FAULT_WORKSPACES={workspaces}")
    begin = time.monotonic()
    shares = [kills // workspaces + (number < kills % workspaces) for number in range(workspaces)]
    done: list[Figures] = []
    with ProcessPoolExecutor(workspaces, mp_context=get_context("spawn")) as pool:
        for future in as_completed(pool.submit(_run, seed + n, share, seconds) for n, share in enumerate(shares)):
            result = future.result()
            _say(str(result))
            if isinstance(result, Figures):
                done.append(result)
    killed = sum(figures.kills for figures in done)
    _say(
        f"{killed} of {kills} kills in {len(done)} of {workspaces} workspaces passed, {time.monotonic() - begin:.0f} s"
    )
    return 0 if len(done) == workspaces else 1
