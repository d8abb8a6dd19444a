"""Kills while the engine copies the links of a large write in bulk: afterwards the write is there, and whole."""

import random
import shutil
import time
from pathlib import Path

import pytest

from tests.faults.ledger import CHUNK, MARK
from tests.faults.picture import Picture, take_picture
from tests.processes import daemon

pytestmark = pytest.mark.e2e

WORDS = 60
KILLS = 5


def large_text(turn: int) -> str:
    """Return a text with some hundred names; all of them begin alike."""
    words = [f"{MARK}{'abcde'[turn]}{'abcdefghij'[n // 10]}{'abcdefghij'[n % 10]}" for n in range(WORDS)]
    return "\n\n".join(CHUNK.format(word) for word in words)


def whole(picture: Picture, turn: int) -> bool:
    """Say whether a turn's text is there; check that all of it is, or nothing."""
    mark = f"{MARK}{'abcde'[turn]}"
    entities = {uuid for uuid, row in picture.entities.items() if row[1].startswith(mark)}
    mentioned = {entity for _, entity in picture.mentions} & entities
    edges = [row for row in picture.edges.values() if entities & set(row[2:4])]
    episodes = [row for row in picture.episodes.values() if row[1] == f"chunk {turn}"]
    assert mentioned == entities
    assert bool(episodes) == bool(entities) == bool(edges)
    if episodes:
        assert len(entities) + 2 * len(edges) > 400, "too few links to be copied in bulk"
    return bool(episodes)


def test_a_large_write_is_whole_after_a_kill_once_the_log_has_it(tmp_path: Path) -> None:
    chance = random.Random(7)
    for turn in range(KILLS):
        with daemon(tmp_path) as service:
            client = service.client()
            parameters = {"chunk_text": large_text(turn), "chunk_id": f"chunk {turn}", "source_file": "large.md"}
            size = log_size(tmp_path)
            client.send("knowledge_process_chunk", parameters)
            deadline = time.monotonic() + 20
            # The line is in the log: from here on the write has happened, and the store takes it over.
            while log_size(tmp_path) == size and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(chance.uniform(0.0, 0.6))
            service.kill()
            client.__exit__()
        with daemon(tmp_path) as service:
            with service.client() as client:
                live = take_picture(client)
            assert service.end() == 0
        assert [whole(live, earlier) for earlier in range(turn + 1)] == [True] * (turn + 1)
    shutil.rmtree(tmp_path / ".lcg" / "db")
    with daemon(tmp_path) as service, service.client() as client:
        assert take_picture(client) == live


def log_size(workspace: Path) -> int:
    return sum(path.stat().st_size for path in (workspace / ".lcg" / "wal").glob("*/*.jsonl"))
