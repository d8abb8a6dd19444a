"""Imports and exports that are killed, or run out of disk: nothing is half done, and doing it again completes it."""

import json
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from tests.commands.program import lcg
from tests.faults.test_disk import small_disk
from tests.processes import PATIENCE_S, REAL, daemon, environment

pytestmark = pytest.mark.e2e

GROUP = "moved"
ONE_RECORD = 5_000
"""So many rows of a group go into its log at once."""


def write_file(path: Path, rows: int) -> str:
    """Write an export of a chain of entities, and return its text."""
    entities = [
        {
            "type": "entity",
            "group": GROUP,
            "uuid": f"u{number:06}",
            "name": f"Thing {number}",
            "labels": ["Entity"],
            "created_at": "2026-01-01T00:00:00Z",
        }
        for number in range(rows)
    ]
    counts = {"entity": rows, "edge": 0, "episode": 0, "mention": 0}
    header = {"format": "lcg-graph", "version": 1, "groups": [GROUP], "rows": counts}
    text = "".join(orjson.dumps(line).decode() + "\n" for line in (header, *entities))
    path.write_text(text, encoding="utf-8")
    return text


def exported(workspace: Path) -> str:
    return lcg(workspace, "export", "-").stdout


def there(workspace: Path) -> int:
    """Return how many entities a workspace has."""
    groups = json.loads(lcg(workspace, "groups", "--json").stdout)["groups"]
    return sum(group["entities"] for group in groups)


def begin(workspace: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*REAL, "import", "graph.jsonl"],
        cwd=workspace,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def log_bytes(workspace: Path) -> int:
    return sum(path.stat().st_size for path in (workspace / ".lcg" / "wal" / GROUP).glob("*.jsonl"))


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


@pytest.mark.parametrize("moment", ["staged", "log begun", "in the middle"])
def test_a_killed_import_left_whole_records_and_the_same_command_completes_it(tmp_path: Path, moment: str) -> None:
    text = write_file(tmp_path / "graph.jsonl", 2 * ONE_RECORD + 10)
    with begin(tmp_path) as running:
        if moment == "staged":
            wait_for(lambda: any((tmp_path / ".lcg").glob("exchange-*/staged.db")))
        else:
            wait_for(lambda: log_bytes(tmp_path) > (0 if moment == "log begun" else 600_000))
        running.kill()
        running.communicate()
    if (tmp_path / ".lcg" / "wal").is_dir():
        assert there(tmp_path) in (0, ONE_RECORD, 2 * ONE_RECORD, 2 * ONE_RECORD + 10)
    done = lcg(tmp_path, "import", "graph.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["rows"]["entity"]
    assert rows["created"] + rows["unchanged"] == 2 * ONE_RECORD + 10
    assert exported(tmp_path) == text
    assert not list((tmp_path / ".lcg").glob("exchange-*"))


def test_rows_that_fit_into_a_record_come_all_or_not_at_all(tmp_path: Path) -> None:
    text = write_file(tmp_path / "graph.jsonl", ONE_RECORD)
    with begin(tmp_path) as running:
        wait_for(lambda: log_bytes(tmp_path) > 0)
        running.kill()
        running.communicate()
    assert there(tmp_path) in (0, ONE_RECORD)
    assert lcg(tmp_path, "import", "graph.jsonl").returncode == 0
    assert exported(tmp_path) == text


def test_an_import_that_is_ended_leaves_whole_records_and_says_how_to_go_on(tmp_path: Path) -> None:
    """Where it stops is up to the machine; `tests/exchange` holds it to stop at the next record."""
    text = write_file(tmp_path / "graph.jsonl", 2 * ONE_RECORD + 10)
    with begin(tmp_path) as running:
        wait_for(lambda: log_bytes(tmp_path) > 0)
        running.terminate()
        _, errors = running.communicate(timeout=PATIENCE_S)
    ended = (running.returncode, b"Run it again to go on" in errors)
    assert ended in ((130, True), (0, False)), errors  # the latter where it was done before the signal came
    assert there(tmp_path) in (ONE_RECORD, 2 * ONE_RECORD, 2 * ONE_RECORD + 10)
    assert lcg(tmp_path, "import", "graph.jsonl").returncode == 0
    assert exported(tmp_path) == text


def test_a_service_that_is_killed_under_an_import_costs_nothing_but_another_try(tmp_path: Path) -> None:
    text = write_file(tmp_path / "graph.jsonl", 2 * ONE_RECORD)
    with daemon(tmp_path) as service, begin(tmp_path) as running:
        wait_for(lambda: log_bytes(tmp_path) > 0)
        service.kill()
        _, errors = running.communicate(timeout=PATIENCE_S)
        ended = (running.returncode, b"Run it again" in errors)
        assert ended in ((1, True), (0, False)), errors  # the latter where it was done before the service went
    assert there(tmp_path) in (0, ONE_RECORD, 2 * ONE_RECORD)
    assert lcg(tmp_path, "import", "graph.jsonl").returncode == 0
    assert exported(tmp_path) == text


def test_an_import_that_fills_the_logs_disk_says_how_far_it_came_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    text = write_file(tmp_path / "graph.jsonl", 2 * ONE_RECORD)
    with small_disk(tmp_path / ".lcg" / "wal", "800k") as resize:
        done = lcg(tmp_path, "import", "graph.jsonl")
        assert done.returncode == 1 and f"Groups that took rows: {GROUP}. Run it again" in done.stderr, done.stderr
        assert there(tmp_path) == ONE_RECORD
        resize("20m")
        assert lcg(tmp_path, "import", "graph.jsonl").returncode == 0
        assert exported(tmp_path) == text


def test_an_import_without_room_for_the_first_record_changes_nothing(tmp_path: Path) -> None:
    write_file(tmp_path / "graph.jsonl", ONE_RECORD)
    with small_disk(tmp_path / ".lcg" / "wal", "100k"):
        done = lcg(tmp_path, "import", "graph.jsonl")
        assert done.returncode == 1 and done.stderr.endswith("Nothing was imported.\n"), done.stderr
        assert there(tmp_path) == 0


def test_an_import_that_cannot_be_staged_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    write_file(tmp_path / "graph.jsonl", 2 * ONE_RECORD)
    with small_disk(tmp_path / ".lcg", "500k"):
        done = lcg(tmp_path, "import", "graph.jsonl")
        assert done.returncode == 1 and "Make room on the disk" in done.stderr, done.stderr
        assert list((tmp_path / ".lcg").iterdir()) == []


def test_an_export_to_a_full_disk_keeps_the_file_that_was_there(tmp_path: Path) -> None:
    write_file(tmp_path / "graph.jsonl", ONE_RECORD)
    assert lcg(tmp_path, "import", "graph.jsonl").returncode == 0
    with small_disk(tmp_path / "stick", "64k"):
        (tmp_path / "stick" / "graph.jsonl").write_text("before")
        for form in ("jsonl", "graphml"):
            done = lcg(tmp_path, "export", "--force", "--format", form, "stick/graph.jsonl")
            assert done.returncode == 1 and done.stderr.startswith("lcg export: "), done.stderr
        assert [path.name for path in (tmp_path / "stick").iterdir()] == ["graph.jsonl"]
        assert (tmp_path / "stick" / "graph.jsonl").read_text() == "before"


def test_a_killed_export_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    write_file(tmp_path / "graph.jsonl", ONE_RECORD)
    assert lcg(tmp_path, "import", "graph.jsonl").returncode == 0
    target = tmp_path / "out.jsonl"
    running = subprocess.Popen(
        [*REAL, "export", target.name], cwd=tmp_path, env=environment(), stdout=subprocess.DEVNULL
    )
    wait_for(lambda: any((tmp_path / ".lcg").glob("exchange-*/rows.db")))
    running.kill()
    running.wait()
    assert not target.exists() or target.read_text() == exported(tmp_path)
    assert lcg(tmp_path, "export", "--force", target.name).returncode == 0
    assert target.read_text() == exported(tmp_path)
    assert not list((tmp_path / ".lcg").glob("exchange-*"))
    shutil.rmtree(tmp_path / ".lcg" / "db")
    assert target.read_text() == exported(tmp_path)
