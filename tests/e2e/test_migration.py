"""An old workspace under the real program: found, moved, split, served; and left alone when nobody can tell."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lcg.model.operations import EntityPut, Record
from lcg.model.rows import Entity
from lcg.wal import codec
from tests.processes import Daemon, daemon

pytestmark = pytest.mark.e2e
NOON = 1_772_452_800_000_000


def line(seq: int, group: str, name: str) -> str:
    row = Entity(f"{group}-{name}", group, name, ("Entity",), NOON)
    return codec.encode(Record(group, seq, NOON, "test", (EntityPut(row),))).decode() + "\n"


def old_workspace(root: Path) -> None:
    logs = root / ".graphiti" / "wal"
    logs.mkdir(parents=True)
    (logs / "1.jsonl").write_text(line(1, "a", "Mira") + line(2, "b", "Tern"), encoding="utf-8")
    (logs / "2.jsonl").write_text(line(3, "a", "Gull"), encoding="utf-8")
    (root / ".graphiti" / "db").write_bytes(b"a store of another program" * 100)
    (root / ".graphiti" / "mine").write_text("mine", encoding="utf-8")


def ask(running: Daemon, method: str, **params: Any) -> dict[str, Any]:
    with running.client() as client:
        result: dict[str, Any] = client.result(method, **params)
        return result


def names(running: Daemon, group: str) -> list[str]:
    return sorted(node["name"] for node in ask(running, "knowledge_list_entities", group_ids=[group])["nodes"])


def test_an_old_workspace_is_served_from_its_first_start_on(tmp_path: Path) -> None:
    old_workspace(tmp_path)
    for _ in range(2):
        with daemon(tmp_path) as running:
            assert names(running, "a") == ["Gull", "Mira"]
            assert names(running, "b") == ["Tern"]
            ask(running, "knowledge_assert_entity", name="Gull", group_id="a")
            assert running.end() == 0
    assert not (tmp_path / ".graphiti").exists()
    assert (tmp_path / ".lcg" / "_unrecognized" / "mine").read_text(encoding="utf-8") == "mine"
    (aside,) = (path for path in (tmp_path / ".lcg" / "db").iterdir() if ".corrupt-" in path.name)
    assert aside.read_bytes().startswith(b"a store of another program")


def test_a_backup_is_kept_on_request(tmp_path: Path) -> None:
    old_workspace(tmp_path)
    shutil.copytree(tmp_path / ".graphiti", tmp_path / "expected")
    with daemon(tmp_path, env={"LCG_MIGRATION_KEEP_BACKUP": "true"}) as running:
        assert names(running, "a") == ["Gull", "Mira"]
    kept = {path.relative_to(tmp_path / ".graphiti.bak") for path in (tmp_path / ".graphiti.bak").rglob("*")}
    assert kept == {path.relative_to(tmp_path / "expected") for path in (tmp_path / "expected").rglob("*")}


def test_two_workspaces_in_one_are_told_and_nothing_is_moved(tmp_path: Path) -> None:
    with daemon(tmp_path) as running:
        ask(running, "knowledge_assert_entity", name="Vell")
        assert running.end() == 0
    old_workspace(tmp_path)
    with daemon(tmp_path, state="degraded") as running:
        assert running.wait_until("degraded")["reason"] == "migration_failed"
        assert "both hold data" in running.errors
    assert (tmp_path / ".graphiti" / "wal" / "1.jsonl").exists()
    shutil.rmtree(tmp_path / ".graphiti")
    with daemon(tmp_path) as running:
        assert names(running, "liminis") == ["Vell"]


def test_the_reference_logs_lines_keep_their_numbers(tmp_path: Path) -> None:
    logs = tmp_path / ".lcg" / "wal"
    logs.mkdir(parents=True)
    params = {
        "uuid": "n1", "name": "Mira", "group_id": "a", "labels": ["Entity"], "summary": "", "attributes": "{}",
        "created_at": "2026-05-19T00:00:00Z", "name_embedding": [1.0],
    }  # fmt: skip
    cypher = "CREATE (n:Entity {" + ", ".join(f"{key}: ${key}" for key in params) + "})"
    update = "MATCH (e:Entity {uuid: $uuid}) SET e.summary = $summary"
    lines = [
        {"seq": 0, "ts": "2026-05-19T00:00:00.000000+00:00", "db": "", "cypher": cypher, "params": params},
        {"seq": 1, "ts": "2026-05-19T00:00:00.000000+00:00", "db": "", "cypher": update,
         "params": {"uuid": "n1", "summary": "a pilot"}},
    ]  # fmt: skip
    (logs / "1.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    with daemon(tmp_path) as running:
        (node,) = ask(running, "knowledge_list_entities", group_ids=["a"])["nodes"]
        assert (node["name"], node["summary"]) == ("Mira", "a pilot")
        wal = ask(running, "knowledge_status")["wal_groups"]["a"]
        assert (wal["max_seq"], wal["pending"], wal["generation_status"]) == (1, 0, "known")
