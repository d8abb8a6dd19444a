"""A disk that takes no more: writes are refused whole, reads go on, and nothing acknowledged is lost."""

import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.faults.ledger import EntityWish, Ledger, some_writes
from tests.faults.picture import Picture, take_picture
from tests.processes import Client, Daemon, Refused, daemon

pytestmark = pytest.mark.e2e

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process can be set on Linux only")
BIG = "x" * 20_000


def refused_writes(client: Client, group_id: str) -> None:
    """Try writes of every kind, and check that each is refused for the disk."""
    chunk = {"chunk_text": "Ghost Town lies in Nowhere.", "chunk_id": "ghost", "source_file": "ghost.md"}
    calls = {
        "knowledge_assert_entity": {"name": "Ghost", "summary": BIG},
        "knowledge_process_chunk": {**chunk, "chunk_text": f"{chunk['chunk_text']} {BIG}"},
    }
    for method, params in calls.items():
        with pytest.raises(Refused) as refused:
            client.result(method, group_id=group_id, **params)
        assert (refused.value.code, refused.value.kind) == (-32000, "io"), refused.value
        assert refused.value.data["group_id"] == group_id
        assert "nothing was changed" in refused.value.message


def check_reads(client: Client, ledger: Ledger, expected: Picture) -> None:
    """Check that everything is there as it was, nothing of the refused writes among it, and is found."""
    picture = take_picture(client)
    assert picture == expected
    ledger.found.clear()
    ledger.check_search(client)
    nodes = client.result("knowledge_find_entities", query="Ghost", num_results=100)["nodes"]
    assert not [node for node in nodes if "Ghost" in node["name"]]


def after_the_trouble(service: Daemon, client: Client, ledger: Ledger, workspace: Path) -> None:
    """Check that writes go on without a restart, and that the log alone has all of it after a kill."""
    some_writes(ledger, client, "after")
    ledger.fulfil(client, EntityWish("liminis", "Ghost"))
    live = take_picture(client)
    ledger.check(live)
    service.kill()
    shutil.rmtree(workspace / ".lcg" / "db")
    with daemon(workspace) as service, service.client() as client:
        assert take_picture(client) == live


def log_bytes(workspace: Path) -> int:
    return max(path.stat().st_size for path in (workspace / ".lcg" / "wal" / "liminis").glob("*.jsonl"))


@LINUX
def test_a_write_that_the_log_cannot_take_leaves_no_trace(tmp_path: Path) -> None:
    ledger = Ledger()
    with daemon(tmp_path) as service, service.client() as client:
        some_writes(ledger, client, "before")
        before = take_picture(client)
        limit = resource.RLIMIT_FSIZE
        _, hard = resource.prlimit(service.process.pid, limit)
        # Room for not a byte more, and for a part of a line.
        for room in (0, 700):
            resource.prlimit(service.process.pid, limit, (log_bytes(tmp_path) + room, hard))
            refused_writes(client, "liminis")
            check_reads(client, ledger, before)
            assert client.result("knowledge_status")["writes_refused"] is None
        resource.prlimit(service.process.pid, limit, (hard, hard))
        check_reads(client, ledger, before)
        after_the_trouble(service, client, ledger, tmp_path)


def _runs(*command: str) -> bool:
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


@contextmanager
def small_disk(directory: Path, size: str) -> Iterator[Callable[[str], None]]:
    """Mount a small memory disk at a directory; what it yields resizes it."""
    directory.mkdir(parents=True)
    if os.geteuid() != 0 or sys.platform != "linux":
        pytest.skip("only root can mount a small disk")
    if not _runs("mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(directory)):
        pytest.skip("mounting is not possible here")

    def resize(size: str) -> None:
        subprocess.run(["mount", "-o", f"remount,size={size}", directory], check=True)

    try:
        yield resize
    finally:
        subprocess.run(["umount", "--lazy", directory], check=True)


def test_writes_go_on_when_the_logs_disk_has_room_again(tmp_path: Path) -> None:
    ledger = Ledger()
    with (
        small_disk(tmp_path / ".lcg" / "wal", "64k") as resize,
        daemon(tmp_path) as service,
        service.client() as client,
    ):
        some_writes(ledger, client, "before")
        number = 0
        with pytest.raises(Refused) as refused:
            for number in range(100):
                client.result("knowledge_assert_entity", name=f"filler {number}", summary=BIG)
        assert refused.value.kind == "io"
        assert number > 0
        for filler in range(number):
            wish = EntityWish("liminis", f"filler {filler}")
            assert client.rows("MATCH (e:Entity {name: $name}) RETURN 1", name=wish.name) == [[1]]
        before = take_picture(client)
        refused_writes(client, "liminis")
        refused_writes(client, "a group without a directory yet")
        assert take_picture(client) == before
        resize("10m")
        ledger.sent.update(EntityWish("liminis", f"filler {filler}") for filler in range(number))
        after_the_trouble(service, client, ledger, tmp_path)


def test_on_a_disk_for_everything_writes_end_before_reads_do(tmp_path: Path) -> None:
    ledger = Ledger()
    workspace = tmp_path / "disk"
    with small_disk(workspace, "60m") as resize, daemon(workspace) as service, service.client() as client:
        some_writes(ledger, client, "before")
        number = 0
        with pytest.raises(Refused) as refused:
            for number in range(2_000):
                client.result("knowledge_assert_entity", name=f"filler {number}", summary=BIG)
        assert refused.value.kind == "io"
        assert number > 0
        ledger.sent.update(EntityWish("liminis", f"filler {filler}") for filler in range(number))
        ledger.check(take_picture(client))
        resize("200m")
        after_the_trouble(service, client, ledger, workspace)


def test_a_disk_that_others_filled_up_costs_nothing_and_needs_no_restart(tmp_path: Path) -> None:
    ledger = Ledger()
    workspace = tmp_path / "disk"
    with small_disk(workspace, "80m"), daemon(workspace) as service, service.client() as client:
        some_writes(ledger, client, "before")
        before = take_picture(client)
        ballast = workspace / "ballast"
        with ballast.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(b"x" * 4096):
                pass
        refused_writes(client, "liminis")
        # Longer than the service waits with its checkpoint, which finds no room.
        time.sleep(1.5)
        refused_writes(client, "liminis")
        check_reads(client, ledger, before)
        ballast.unlink()
        after_the_trouble(service, client, ledger, workspace)


def test_a_file_in_the_place_of_a_groups_directory_is_an_io_error_of_that_group_only(tmp_path: Path) -> None:
    ledger = Ledger()
    with daemon(tmp_path) as service, service.client() as client:
        some_writes(ledger, client, "before")
        obstacle = tmp_path / ".lcg" / "wal" / "blocked"
        obstacle.write_text("in the way")
        before = take_picture(client)
        refused_writes(client, "blocked")
        check_reads(client, ledger, before)
        ledger.fulfil(client, EntityWish("liminis", "unhindered"))
        obstacle.unlink()
        ledger.fulfil(client, EntityWish("blocked", "at last"))
        after_the_trouble(service, client, ledger, tmp_path)


@contextmanager
def unchangeable(path: Path) -> Iterator[None]:
    """Take away the right to change a directory, from root too."""
    if os.geteuid() != 0:
        mode = path.stat().st_mode
        path.chmod(0o555)
        try:
            yield
        finally:
            path.chmod(mode)
        return
    if shutil.which("chattr") is None or not _runs("chattr", "+i", str(path)):
        pytest.skip("this file system cannot make a directory unchangeable for root")
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", path], check=True)


def test_a_log_directory_without_the_right_to_write_refuses_writes_until_it_is_back(tmp_path: Path) -> None:
    ledger = Ledger()
    with daemon(tmp_path) as service:
        with service.client() as client:
            some_writes(ledger, client, "before")
            before = take_picture(client)
        assert service.end() == 0
    path = tmp_path / ".lcg" / "wal"
    with daemon(tmp_path, env={"LCG_WAL_MAX_EVENTS_PER_FILE": "5"}) as service, service.client() as client:
        with unchangeable(path), unchangeable(path / "liminis"):
            refused_writes(client, "liminis")
            refused_writes(client, "a group without a directory yet")
            check_reads(client, ledger, before)
        after_the_trouble(service, client, ledger, tmp_path)


@pytest.mark.parametrize("part", ["db", "search"])
def test_views_without_the_right_to_write_cost_nothing_that_was_acknowledged(tmp_path: Path, part: str) -> None:
    ledger = Ledger()
    with daemon(tmp_path) as service, service.client() as client:
        some_writes(ledger, client, "before")
        # The checkpoint that follows when clients rest; after it the engine begins a new file of its own.
        time.sleep(1.5)
        with unchangeable(tmp_path / ".lcg" / part):
            try:
                ledger.fulfil(client, EntityWish("liminis", "meanwhile"))
            except Refused as refused:
                assert (refused.code, refused.data["reason"]) == (-32001, "apply_failed")
            health = client.result("health_check")
        if health["state"] == "degraded":
            assert client.result("knowledge_recover_full")["success"]
        some_writes(ledger, client, "after")
        live = take_picture(client)
        ledger.check(live)
        service.kill()
    with daemon(tmp_path) as service, service.client() as client:
        assert take_picture(client) == live
        assert live.named("meanwhile"), "it was in the log before the store failed"
