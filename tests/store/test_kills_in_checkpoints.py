"""A process that dies in the middle of a checkpoint leaves a store that opens, with all that was applied before it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from lcg.store.kuzu.store import KuzuStore
from tests.store.engine_name import ENGINE

ROOT = Path(__file__).parents[2]
EVERY = 10
CHECKPOINTS = 4
WRITER = f"""
import sys
from tests.store.builders import *
from lcg.store.kuzu.store import KuzuStore
store = KuzuStore(sys.argv[1], sys.argv[2])
for seq in range(1, {EVERY * CHECKPOINTS} + 1):
    rows = [entity(f"n{{seq}}-{{i}}") for i in range(2)]
    facts = [edge(f"e{{seq}}", f"n{{seq}}-0", f"n{{seq}}-1")]
    store.apply(batch([Change(None, r) for r in rows], [Change(None, f) for f in facts],
        [Change(None, episode(f"p{{seq}}"))], mentions_added=[mention(f"p{{seq}}", f"n{{seq}}-0")], positions=at(seq)))
    if seq % {EVERY} == 0:
        print(seq, flush=True)
        store.checkpoint()
"""
"""It writes, and says how far it is before each checkpoint."""


def moments_in_checkpoints(path: Path, copies: Path) -> list[tuple[Path, int]]:
    """Stop a writer again and again while it makes checkpoints, and copy its files: what a kill there leaves."""
    found: list[tuple[Path, int]] = []
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path / "graph"), ENGINE],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            for _ in range(4):
                time.sleep(0.002)
                writer.send_signal(signal.SIGSTOP)
                os.waitid(os.P_PID, writer.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
                copy = copies / str(len(found))
                shutil.copytree(path, copy)
                found.append((copy, int(line)))
                writer.send_signal(signal.SIGCONT)
        assert writer.wait() == 0
    return found


def test_a_kill_in_a_checkpoint_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store"
    path.mkdir()
    moments = moments_in_checkpoints(path, tmp_path)
    assert {seq for _, seq in moments} == {EVERY * (n + 1) for n in range(CHECKPOINTS)}
    for copy, seq in moments:
        store = KuzuStore(copy / "graph", ENGINE)
        reached = store.positions()["g"].applied_seq
        assert reached >= seq
        reader = store.writer_reader()
        expected = range(1, reached + 1)
        assert sorted(row.uuid for row in reader.scan_entities()) == sorted(
            f"n{n}-{i}" for n in expected for i in (0, 1)
        )
        assert reader.bound_edges() == {f"e{n}" for n in expected}
        assert {(row.episode_uuid, row.entity_uuid) for row in reader.scan_mentions()} == {
            (f"p{n}", f"n{n}-0") for n in expected
        }
        store.close()
