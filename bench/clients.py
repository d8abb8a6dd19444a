"""Counts what several processes that write into one workspace at the same time lose, which is to be nothing.

Run `python -m bench.clients [--entities N] [--kinds attached,socket,...]`. Eight processes, which take the kinds in
turn, assert N entities each, one call after another, and note what was acknowledged. Then all entities are listed. This
is done twice, the second time with a kill -9 of the owner of the workspace when half is written; the clients that find
it gone start another one.
"""

import argparse
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.client_kinds import KINDS, everything_in
from lcg.server.lock import last_owner

PROCESSES: Final = 8
_END_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Counted:
    """What came of it: entities that were to be written, those acknowledged, those of them that are there; seconds."""

    asked: int
    acknowledged: int
    found: int
    seconds: float
    owners: int


def measure(workspace: Path, kinds: Sequence[str], entities: int, *, kill: bool, processes: int = PROCESSES) -> Counted:
    """Let the processes write and count what is found; with `kill` the owner is killed when half is acknowledged."""
    clients = [_Writer(workspace, kinds[place % len(kinds)], place, entities) for place in range(processes)]
    owners = set()
    try:
        for client in clients:
            client.wait_ready()
        began = time.monotonic()
        for client in clients:
            client.begin()
        if kill:
            while 2 * sum(len(client.acknowledged) for client in clients) < processes * entities:
                time.sleep(0.01)
            owners.add(_signal_owner(workspace, signal.SIGKILL))
        acknowledged = {name for client in clients for name in client.finish()}
        seconds = time.monotonic() - began
        found = everything_in(workspace) & acknowledged
    finally:
        for client in clients:
            client.end()
        owners.add(_signal_owner(workspace, signal.SIGTERM))
    return Counted(processes * entities, len(acknowledged), len(found), seconds, len(owners))


class _Writer:
    """A client process and the names that it printed."""

    def __init__(self, workspace: Path, kind: str, place: int, entities: int) -> None:
        self.acknowledged: list[str] = []
        paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "bench.client_kinds", kind, f"{kind} {place}", str(entities)],
            cwd=workspace,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "LCG_TELEMETRY": "0"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._errors: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def wait_ready(self) -> None:
        assert self._process.stdout is not None
        if self._process.stdout.readline() != "ready\n":
            raise SystemExit(f"a client did not start:\n{''.join(self._errors)}")

    def begin(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        self._reader.start()

    def finish(self) -> list[str]:
        self._reader.join()
        if self._process.wait() != 0:
            raise SystemExit(f"a client failed:\n{''.join(self._errors)}")
        return self.acknowledged

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._listener.join(_END_S)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.acknowledged.append(line.rstrip("\n"))

    def _listen(self) -> None:
        assert self._process.stderr is not None
        self._errors.extend(self._process.stderr)


def _signal_owner(workspace: Path, number: signal.Signals) -> int:
    """Send a signal to the owner, wait until it is gone, and return its process id."""
    owner = last_owner(workspace / ".lcg" / "lock")
    if owner is None:
        raise SystemExit("the workspace has no owner")
    watched = os.pidfd_open(owner.pid)
    try:
        signal.pidfd_send_signal(watched, number)
        end = time.monotonic() + _END_S
        while _runs(watched) and time.monotonic() < end:
            time.sleep(0.01)
    finally:
        os.close(watched)
    return owner.pid


def _runs(watched: int) -> bool:
    return not select.select([watched], [], [], 0)[0]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entities", type=int, default=1000, help="how many each process writes")
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"of {', '.join(KINDS)}")
    given = parser.parse_args()
    kinds = given.kinds.split(",")
    print(
        f"{PROCESSES} processes ({', '.join(kinds)} in turn) write {given.entities} entities each into one workspace\n"
    )
    print(f"{'':28}{'acknowledged':>14}{'found':>8}{'seconds':>9}{'writes/s':>10}{'owners':>8}")
    for title, kill in (("nothing happens", False), ("the owner is killed half-way", True)):
        with tempfile.TemporaryDirectory() as directory:
            done = measure(Path(directory), kinds, given.entities, kill=kill)
        rate = done.acknowledged / done.seconds
        print(
            f"{title:28}{done.acknowledged:>14}{done.found:>8}{done.seconds:>9.1f}{rate:>10.0f}{done.owners:>8}",
            flush=True,
        )


if __name__ == "__main__":
    main()
