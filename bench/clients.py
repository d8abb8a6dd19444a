"""Counts what several processes that write into one workspace at the same time lose, which is to be nothing.

Run `python -m bench.clients [--entities N] [--kinds attached,socket,...]`. Eight processes, which take the kinds in
turn, assert N entities each, one call after another, and note what was acknowledged. Then all entities are listed. This
is done twice, the second time with a kill -9 of the owner of the workspace when half is written; the clients that find
it gone start another one. Clients over HTTP have an owner that serves HTTP and was started for them; a killed one of
these needs somebody who starts it again, so they are left out the second time.
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
    server, address = _serve_http(workspace) if "http" in kinds else (None, "")
    clients = [_Writer(workspace, kinds[place % len(kinds)], place, entities, address) for place in range(processes)]
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
        if server is not None:
            with server:
                server.kill()
    return Counted(processes * entities, len(acknowledged), len(found), seconds, len(owners))


def _serve_http(workspace: Path) -> tuple[subprocess.Popen[str], str]:
    """Start an owner that serves HTTP too, and return it and its address."""
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "lcg", "--http", "127.0.0.1:0"],
        cwd=workspace,
        env=_environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None
    address = ""
    for line in server.stderr:
        address = address or _address_in(line)
        if address and line.startswith("listening on") and not _address_in(line):
            return server, address
    raise SystemExit("the service with HTTP did not start")


def _address_in(line: str) -> str:
    head, _, rest = line.partition("listening on http://")
    return "" if head else rest.partition("/")[0]


def _environment() -> dict[str, str]:
    paths = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths), "LCG_TELEMETRY": "0"}


class _Writer:
    """A client process and the names that it printed."""

    def __init__(self, workspace: Path, kind: str, place: int, entities: int, address: str) -> None:
        self.acknowledged: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "bench.client_kinds", kind, f"{kind} {place}", str(entities), address],
            cwd=workspace,
            env=_environment(),
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
    print(f"{PROCESSES} processes write {given.entities} entities each into one workspace\n")
    print(f"{'':30}{'acknowledged':>12}{'found':>7}{'seconds':>9}{'writes/s':>10}{'owners':>8}  kinds, in turn")
    for title, kill, used in (
        ("nothing happens", False, kinds),
        ("the owner is killed half-way", True, [kind for kind in kinds if kind != "http"]),
    ):
        if used:
            with tempfile.TemporaryDirectory() as directory:
                _show(title, measure(Path(directory), used, given.entities, kill=kill), used)


def _show(title: str, done: Counted, kinds: Sequence[str]) -> None:
    rate = done.acknowledged / done.seconds
    numbers = f"{done.acknowledged:>12}{done.found:>7}{done.seconds:>9.1f}{rate:>10.0f}{done.owners:>8}"
    print(f"{title:30}{numbers}  {', '.join(kinds)}", flush=True)


if __name__ == "__main__":
    main()
