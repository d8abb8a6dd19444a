"""Killing a service again and again while clients write: whatever was acknowledged is there, once, afterwards."""

import math
import random
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.ledger import MARK, ChunkWish, EdgeWish, EntityWish, Ledger, Wish
from tests.faults.mixed import PREFIX, MixedGroup
from tests.faults.picture import Picture, take_picture
from tests.processes import PATIENCE_S, Client, ConnectionEnded, Daemon, daemon

WRITERS = 4
MIXED = 2
"""So many groups have a writer of their own, who does everything else as well."""
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


@dataclass
class Expected:
    """What a workspace has to hold: of the groups that several write to, and of those with one writer."""

    ledger: Ledger
    mixed: list[MixedGroup]

    @property
    def answered(self) -> int:
        """How many writes were answered."""
        return len(self.ledger.answered)

    def check(self, service: Daemon) -> Picture:
        """Check all that is known, and return what the service holds."""
        with service.client() as client:
            picture = take_picture(client)
            self.ledger.check(picture.without([group.group_id for group in self.mixed]))
            self.ledger.check_search(client)
            for group in self.mixed:
                group.check(picture, client)
        return picture


class Writers:
    """Threads that write until the service is gone, one of them with several requests under way."""

    def __init__(self, service: Daemon, expected: Expected, turn: str) -> None:
        self._service = service
        self._ledger = expected.ledger
        self._turn = turn
        self._ending = threading.Event()
        self._failures: list[BaseException] = []
        self._threads = [
            *(threading.Thread(target=self._run, args=(self._write, number)) for number in range(WRITERS)),
            *(threading.Thread(target=self._run, args=(self._mix, group)) for group in expected.mixed),
        ]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Wait until all writers have answers to what they sent, or are cut off; raise what went wrong in one."""
        self._ending.set()
        for thread in self._threads:
            thread.join()
        for failure in self._failures:
            raise failure

    def _run(self, work: Callable[[Client, Any], None], of: Any) -> None:
        try:
            with self._service.client() as client:
                work(client, of)
        except ConnectionEnded:
            pass
        except BaseException as failure:
            self._failures.append(failure)

    def _write(self, client: Client, number: int) -> None:
        # One group that all turns share, one that this turn begins, so that kills meet a group's first line too.
        group_id = "shared" if number % 2 else f"turn {self._turn}"
        source = wishes(group_id, f"{self._turn}{letters(number)}")
        if number == 0:
            self._pipeline(client, source)
        while not self._ending.is_set():
            self._ledger.fulfil(client, next(source))

    def _mix(self, client: Client, group: MixedGroup) -> None:
        while not self._ending.is_set():
            group.step(client)

    def _pipeline(self, client: Client, source: Iterator[Wish]) -> None:
        under_way: list[Wish] = []
        while not self._ending.is_set():
            while len(under_way) < PIPELINED:
                under_way.append(next(source))
                self._ledger.send(client, under_way[-1])
            self._ledger.receive(client, under_way.pop(0))
        for wish in under_way:
            self._ledger.receive(client, wish)


def kill_while_writing(service: Daemon, expected: Expected, chance: random.Random, turn: str, manner: str) -> None:
    """Kill a service under writers: while they write, or around the checkpoint that follows when they rest."""
    before = expected.answered
    writers = Writers(service, expected, turn)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while expected.answered == before and time.monotonic() < deadline:
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


@contextmanager
def timed_start(workspace: Path, starts: list[float]) -> Iterator[Daemon]:
    """Start the service, and note how long it took until it was healthy."""
    begin = time.monotonic()
    with daemon(workspace) as service:
        starts.append(time.monotonic() - begin)
        yield service


@dataclass
class Figures:
    """What came of killing a workspace's service."""

    seed: int
    kills: int = 0
    acknowledged: Counter[str] = field(default_factory=Counter)
    unanswered: int = 0
    after_kill: list[float] = field(default_factory=list)
    without_store: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {what}" for what, count in sorted(self.acknowledged.items()))
        return (
            f"seed {self.seed}: {self.kills} kills; acknowledged {counts}; {self.unanswered} sent and never answered; "
            f"started within {max(self.after_kill):.2f} s after a kill, within {max(self.without_store):.2f} s without "
            "a store"
        )


def kill_again_and_again(workspace: Path, seed: int, kills: int, seconds: float = math.inf) -> Figures:
    """Kill a workspace's service under mixed writes, and after each kill check it, lose the store and check again.

    After `seconds` no further turn begins.

    Raises:
        AssertionError: something that was acknowledged is not there, or something else is.
    """
    chance = random.Random(seed)
    mixed = [MixedGroup(f"{PREFIX}{letters(n)}", random.Random(chance.random())) for n in range(MIXED)]
    expected = Expected(Ledger(), mixed)
    figures = Figures(seed)
    end = time.monotonic() + seconds
    turn = 0
    while True:
        with timed_start(workspace, figures.after_kill) as service:
            live = expected.check(service)
            assert service.end() == 0
        shutil.rmtree(workspace / ".lcg" / "db")
        with timed_start(workspace, figures.without_store) as service:
            assert expected.check(service) == live
            if figures.kills >= kills or time.monotonic() > end:
                break
            kill_while_writing(service, expected, chance, letters(turn), "resting" if turn % 3 == 1 else "writing")
            figures.kills += 1
        if turn % 2 and figures.kills < kills:
            if turn % 4 == 1:
                shutil.rmtree(workspace / ".lcg" / "db")
            kill_while_starting(workspace, chance)
            figures.kills += 1
        turn += 1
    figures.acknowledged.update(type(wish).__name__ for wish in expected.ledger.answered)
    for group in mixed:
        figures.acknowledged.update(group.counts)
    figures.unanswered = len(expected.ledger.sent) - expected.answered
    return figures
