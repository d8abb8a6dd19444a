"""Other processes at the store on an engine: one that wants it too, and one that is killed over it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import StoreError
from tests.store.engine_name import ENGINE

ROOT = Path(__file__).parents[2]


def open_store(path: Path) -> KuzuStore:
    return KuzuStore(path, ENGINE)


CHILD = """
import os, sys
from lcg.store.protocol import StoreError
from tests.store.builders import *
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import StoreError
store = KuzuStore(sys.argv[1], sys.argv[2])
"""

WRITER = """
seq = store.positions()["g"].applied_seq if store.positions() else 0
while True:
    seq += 1
    rows = [entity(f"n{seq}-{i}") for i in range(5)]
    facts = [edge(f"e{seq}", f"n{seq}-0", f"n{seq}-1")]
    store.apply(batch([Change(None, r) for r in rows], [Change(None, f) for f in facts], positions=at(seq)))
    print(seq, flush=True)
    if seq % 20 == 0:
        store.checkpoint()
"""


def child(path: Path, code: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", CHILD + code, str(path), ENGINE]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run_child(path: Path, code: str) -> "subprocess.CompletedProcess[str]":
    process = child(path, code)
    out, err = process.communicate(timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def test_after_kill_9_every_acknowledged_batch_is_there_whole(tmp_path: Path) -> None:
    for round_ in range(3):
        process = child(tmp_path / "graph", WRITER)
        assert process.stdout is not None
        acknowledged = 0
        for line in process.stdout:
            acknowledged = int(line)
            if acknowledged >= 31 * (round_ + 1):
                break
        process.send_signal(signal.SIGKILL)
        # Not by `communicate`, which leaves out the lines that were already read into the buffer.
        acknowledged = max([acknowledged, *(int(line) for line in process.stdout.read().split())])
        process.communicate(timeout=60)
        store = open_store(tmp_path / "graph")
        applied = store.positions()["g"].applied_seq
        assert acknowledged <= applied <= acknowledged + 1
        reader = store.writer_reader()
        assert {row.uuid for row in reader.scan_entities()} == {
            f"n{s}-{i}" for s in range(1, applied + 1) for i in range(5)
        }
        assert {row.uuid for row in reader.scan_edges()} == {f"e{s}" for s in range(1, applied + 1)}
        assert len(reader.neighbour_edges(f"n{applied}-0", "out")) == 1
        store.close()


def test_a_store_killed_right_after_it_was_made_opens(tmp_path: Path) -> None:
    run_child(tmp_path / "graph", "os.kill(os.getpid(), 9)")
    store = open_store(tmp_path / "graph")
    assert store.positions() == {}
    store.close()


def test_a_second_process_cannot_open_the_store(tmp_path: Path) -> None:
    store = open_store(tmp_path / "graph")
    done = run_child(tmp_path / "graph", "")
    assert done.returncode != 0
    assert "StoreError" in done.stderr
    store.close()
    assert run_child(tmp_path / "graph", "store.close()").returncode == 0


def test_an_engine_log_without_its_file_is_an_error(tmp_path: Path) -> None:
    run_child(tmp_path / "graph", "store.apply(new_entities(entity('a'), positions=at(1)))\nos.kill(os.getpid(), 9)")
    (tmp_path / "graph").unlink()
    with pytest.raises(StoreError, match="missing"):
        open_store(tmp_path / "graph")
