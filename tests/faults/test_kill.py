"""A service is killed again and again while clients write; whatever was acknowledged is there, once, afterwards."""

import os
import random
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.ledger import MARK, ChunkWish, EdgeWish, EntityWish, Ledger, Wish
from tests.faults.picture import Picture, take_picture
from tests.processes import PATIENCE_S, Client, ConnectionEnded, Daemon, daemon

pytestmark = pytest.mark.e2e

WRITERS = 4
PIPELINED = 6
"""So many requests one writer keeps under way."""


def wishes(group_id: str, mark: str) -> Iterator[Wish]:
    """Yield entities, relationships between them and chunks, without end; every name has the mark."""
    number = 0
    while True:
        names = [f"{mark}-{number}-{side}" for side in ("a", "b")]
        yield from (EntityWish(group_id, name) for name in names)
        yield EdgeWish(group_id, names[0], names[1])
        if number % 3 == 0:
            yield ChunkWish(group_id, f"{MARK}{mark}{letters(number)}")
        number += 1


def letters(number: int) -> str:
    """Spell a number in letters, since digits in a name would make it another kind of name."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


class Writers:
    """Threads that write until the service is gone, one of them with several requests under way."""

    def __init__(self, service: Daemon, ledger: Ledger, turn: str) -> None:
        self._service = service
        self._ledger = ledger
        self._turn = turn
        self._ending = threading.Event()
        self._failures: list[BaseException] = []
        self._threads = [threading.Thread(target=self._run, args=(number,)) for number in range(WRITERS)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Wait until all writers have answers to what they sent, or are cut off; raise what went wrong in one."""
        self._ending.set()
        for thread in self._threads:
            thread.join()
        for failure in self._failures:
            raise failure

    def _run(self, number: int) -> None:
        # One group that all turns share, one that this turn begins, so that kills meet a group's first line too.
        group_id = "shared" if number % 2 else f"turn {self._turn}"
        source = wishes(group_id, f"{self._turn}{letters(number)}")
        try:
            with self._service.client() as client:
                if number == 0:
                    self._pipeline(client, source)
                while not self._ending.is_set():
                    self._ledger.fulfil(client, next(source))
        except ConnectionEnded:
            pass
        except BaseException as failure:
            self._failures.append(failure)

    def _pipeline(self, client: Client, source: Iterator[Wish]) -> None:
        under_way: list[Wish] = []
        while not self._ending.is_set():
            while len(under_way) < PIPELINED:
                under_way.append(next(source))
                self._ledger.send(client, under_way[-1])
            self._ledger.receive(client, under_way.pop(0))
        for wish in under_way:
            self._ledger.receive(client, wish)


def kill_while_writing(service: Daemon, ledger: Ledger, chance: random.Random, turn: str, manner: str) -> None:
    """Kill a service under writers: while they write, or around the checkpoint that follows when they rest."""
    before = len(ledger.answered)
    writers = Writers(service, ledger, turn)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while len(ledger.answered) == before and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(chance.uniform(0.0, 0.6))
        if manner == "resting":
            writers.end()
            time.sleep(chance.uniform(0.95, 1.15))
        service.kill()
    finally:
        writers.end()


def kill_while_starting(workspace: Path, chance: random.Random) -> None:
    """Start a service and kill it before or shortly after it is ready."""
    with daemon(workspace, state=None) as service:
        time.sleep(chance.uniform(0.1, 0.6))
        service.kill()


def look(service: Daemon, ledger: Ledger) -> Picture:
    """Check all that the ledger knows, and return what the service holds."""
    with service.client() as client:
        picture = take_picture(client)
        ledger.check(picture)
        ledger.check_search(client)
    return picture


@contextmanager
def timed_start(workspace: Path, starts: list[float]) -> Iterator[Daemon]:
    """Start the service, and note how long it took until it was healthy."""
    begin = time.monotonic()
    with daemon(workspace) as service:
        starts.append(time.monotonic() - begin)
        yield service


def test_kills_at_random_moments_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    seed = int(os.environ.get("LCG_FAULT_SEED") or random.SystemRandom().randrange(1_000_000))
    kills = int(os.environ.get("LCG_FAULT_KILLS") or 6)
    sys.stdout.write(f"LCG_FAULT_SEED={seed} LCG_FAULT_KILLS={kills}\n")
    chance = random.Random(seed)
    ledger = Ledger()
    after_kill: list[float] = []
    without_store: list[float] = []
    for turn in range(kills + 1):
        with timed_start(tmp_path, after_kill) as service:
            live = look(service, ledger)
            assert service.end() == 0
        shutil.rmtree(tmp_path / ".lcg" / "db")
        with timed_start(tmp_path, without_store) as service:
            assert look(service, ledger) == live
            if turn < kills:
                kill_while_writing(service, ledger, chance, letters(turn), "resting" if turn % 3 == 1 else "writing")
        if turn % 2:
            if turn % 4 == 1:
                shutil.rmtree(tmp_path / ".lcg" / "db")
            kill_while_starting(tmp_path, chance)
    counts = {kind.__name__: ledger.acknowledged(kind) for kind in (EntityWish, EdgeWish, ChunkWish)}
    sys.stdout.write(
        f"acknowledged {counts}, sent and never answered {len(ledger.sent) - len(ledger.answered)}; started within "
        f"{max(after_kill):.2f} s after a kill, within {max(without_store):.2f} s without a store\n"
    )
    assert min(counts.values()) > 0
