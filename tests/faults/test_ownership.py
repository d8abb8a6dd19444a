"""One process owns a workspace; a second one says whose it is, and a dead owner is no owner."""

import subprocess
import sys
from pathlib import Path

import pytest

from lcg.store.files import StoreFiles
from tests.processes import PATIENCE_S, REAL, daemon, serving
from tests.store.engine_name import ENGINE

pytestmark = pytest.mark.e2e

OF_THE_ENGINE = {path.name for path in StoreFiles(Path("liminis.db")).engine_files}
"""Files that come and go while it folds its own log into the store."""


def test_a_second_process_of_either_kind_fails_at_once_and_names_the_owner(tmp_path: Path) -> None:
    with daemon(tmp_path) as owner, owner.client() as client:
        for arguments in ((), ("--mcp-stdio",)):
            with serving(tmp_path, *arguments, command=REAL) as second:
                assert second.status() == 1
                assert f"process {owner.process.pid} " in second.errors
                assert "lcg --mcp-stdio --connect .lcg/service.sock" in second.errors
                assert second.rest() == []
        assert client.result("knowledge_assert_entity", name="Ada")["created"]
        assert owner.end() == 0


@pytest.mark.parametrize(
    ("variable", "place", "what"),
    [
        ("LCG_DB_PATH", ".lcg/db/liminis.db", "store"),
        ("LCG_WAL_DIR", ".lcg/wal", "log root"),
        ("LCG_DB_PATH", "link/.lcg/db/liminis.db", "store"),
    ],
)
def test_the_store_and_the_logs_of_a_running_process_are_taken_by_nobody_else(
    tmp_path: Path, variable: str, place: str, what: str
) -> None:
    ours, others = tmp_path / "ours", tmp_path / "others"
    ours.mkdir()
    others.mkdir()
    (ours / "link").symlink_to(ours)
    with daemon(ours) as owner, owner.client() as client:
        client.result("knowledge_assert_entity", name="Ada")
        # The owner may fold its engine's log into the store meanwhile.
        before = {path.name for path in (ours / ".lcg" / "db").iterdir()} - OF_THE_ENGINE
        for arguments in ((), ("--mcp-stdio",)):
            with serving(others, *arguments, command=REAL, env={variable: str(ours / place)}) as second:
                assert second.status() == 1
                assert f"the {what} {ours / place} is in use" in second.errors
                assert variable in second.errors
                assert second.rest() == []
        assert {path.name for path in (ours / ".lcg" / "db").iterdir()} - OF_THE_ENGINE == before
        assert client.result("knowledge_assert_entity", name="Grace")["created"]
        assert owner.end() == 0
    with daemon(ours) as service, service.client() as client:
        assert sorted(client.rows("MATCH (e:Entity) RETURN e.name")) == [["Ada"], ["Grace"]]


def test_a_store_that_another_program_has_open_is_not_taken_for_a_ruined_one(tmp_path: Path) -> None:
    with daemon(tmp_path) as service, service.client() as client:
        client.result("knowledge_assert_entity", name="Ada")
        assert service.end() == 0
    store = tmp_path / ".lcg" / "db" / "liminis.db"
    hold = f"import {ENGINE}, sys; database = {ENGINE}.Database({str(store)!r}); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "\n"
        with daemon(tmp_path, state="degraded") as service, service.client() as client:
            service.says("is open in another program")
            assert client.result("health_check")["reason"] == "store_unreadable"
        other.communicate("")
    assert [path.name for path in store.parent.iterdir() if "corrupt" in path.name] == []
    with daemon(tmp_path) as service, service.client() as client:
        assert client.rows("MATCH (e:Entity) RETURN e.name") == [["Ada"]]


def test_beside_a_standalone_process_nobody_else_starts(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio", command=REAL) as owner:
        owner.initialize()
        for arguments in ((), ("--mcp-stdio",)):
            with serving(tmp_path, *arguments, command=REAL) as second:
                assert second.status() == 1
                assert f"process {owner.process.pid} " in second.errors
                assert "--connect" in second.errors
        owner.tool(1, "knowledge_assert_entity", {"name": "Ada"})
        assert owner.line()["result"]["isError"] is False


def test_after_kill_9_of_either_kind_the_next_one_starts(tmp_path: Path) -> None:
    with daemon(tmp_path) as service:
        with service.client() as client:
            client.result("knowledge_assert_entity", name="Ada")
        service.kill()
    with serving(tmp_path, "--mcp-stdio", command=REAL) as standalone:
        standalone.initialize()
        standalone.tool(1, "knowledge_assert_entity", {"name": "Ada"})
        assert standalone.line()["result"]["structuredContent"]["created"] is False
        standalone.tool(2, "knowledge_assert_entity", {"name": "Grace"})
        assert standalone.line()["result"]["structuredContent"]["created"] is True
        standalone.process.kill()
        standalone.process.wait(PATIENCE_S)
    with daemon(tmp_path) as service, service.client() as client:
        assert sorted(client.rows("MATCH (e:Entity) RETURN e.name")) == [["Ada"], ["Grace"]]
