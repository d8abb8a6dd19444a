"""The clock goes back between starts, by days: order comes from numbers; nothing is lost and nothing comes twice."""

import os
import shutil
from pathlib import Path

import pytest

from tests.faults.ledger import Ledger, some_writes
from tests.faults.picture import take_picture
from tests.processes import ROOT, daemon

pytestmark = pytest.mark.e2e

SHIFT = """
import datetime, os, time

shift = float(os.environ["CLOCK_SHIFT_S"])
now, now_ns, moment = time.time, time.time_ns, datetime.datetime


class Shifted(moment):
    @classmethod
    def now(cls, tz=None):
        return moment.now(tz) + datetime.timedelta(seconds=shift)


time.time = lambda: now() + shift
time.time_ns = lambda: now_ns() + int(shift * 1e9)
datetime.datetime = Shifted
"""
DAY_S = 86_400.0


def test_a_clock_that_goes_back_between_kills_loses_nothing(tmp_path: Path) -> None:
    shifting, workspace = tmp_path / "shifting", tmp_path / "workspace"
    shifting.mkdir()
    workspace.mkdir()
    (shifting / "sitecustomize.py").write_text(SHIFT)
    path = os.pathsep.join(map(str, (shifting, ROOT, ROOT / "src")))
    ledger = Ledger()
    stamps = []
    for turn, days in enumerate((0, -10, -400, -1)):
        env = {"PYTHONPATH": path, "CLOCK_SHIFT_S": str(days * DAY_S), "LCG_WAL_MAX_EVENTS_PER_FILE": "3"}
        with daemon(workspace, env=env) as service, service.client() as client:
            some_writes(ledger, client, "abcd"[turn])
            live = take_picture(client)
            ledger.check(live)
            stamps.append(client.rows("MATCH (e:Entity) RETURN min(e.created_at), max(e.created_at)")[0])
            service.kill()
    assert stamps[1][0] < stamps[0][0], "the clock did go back"
    for lost in ((), ("db",), ("db", "search")):
        for part in lost:
            shutil.rmtree(workspace / ".lcg" / part)
        with daemon(workspace) as service, service.client() as client:
            assert take_picture(client) == live
            ledger.found.clear()
            ledger.check_search(client)
            assert service.end() == 0
