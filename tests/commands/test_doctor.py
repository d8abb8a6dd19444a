"""`lcg doctor` finds what is planted, says what to do, and changes nothing."""

import json
import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

from lcg.__main__ import run
from lcg.commands.checks.views import of_status
from lcg.server.lock import Ownership
from lcg.settings import Settings
from tests.commands.conftest import Workspace
from tests.commands.program import lcg
from tests.processes import daemon

AREAS = ["environment", "workspace", "lock", "socket", "store", "log", "indexes", "embedder", "extractor", "clients"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without any client's file, so that those of whoever runs the tests do not count."""
    place = tmp_path / "home"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return place


def findings(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> list[dict[str, Any]]:
    assert run(["doctor", "--json", *arguments]) == status
    told = orjson.loads(capsys.readouterr().out)
    assert told["ok"] is (status == 0)
    assert all(bool(finding["remedy"]) is (finding["level"] != "ok") for finding in told["findings"])
    return list(told["findings"])


def problem(found: list[dict[str, Any]]) -> dict[str, Any]:
    (one,) = [finding for finding in found if finding["level"] == "problem"]
    return one


def test_a_sound_workspace_has_no_problem_and_every_area_is_looked_at(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(path.name for path in workspace.root.rglob("*") if not path.name.endswith("lock"))
    found = findings(capsys)
    assert sorted({finding["area"] for finding in found}) == sorted(AREAS)
    assert [finding["area"] for finding in found if finding["level"] == "note"] == ["extractor", "clients"]
    after = sorted(path.name for path in workspace.root.rglob("*") if not path.name.endswith("lock"))
    assert after == before


def test_beside_a_service_its_state_is_told(workspace: Workspace, home: Path) -> None:
    with daemon(workspace.root) as service:
        done = lcg(workspace.root, "doctor", env={"HOME": str(home)})
        assert (done.returncode, done.stderr) == (0, "")
        assert f"Process {service.process.pid} has the workspace." in done.stdout
        assert "ok      store       It is open: 5 entities" in done.stdout
        assert "ok      extractor   The built-in rules." in done.stdout
        assert done.stdout.endswith(" ok.\n")


def test_where_no_workspace_is_that_is_said_and_none_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "empty"
    place.mkdir()
    monkeypatch.chdir(place)
    (workspace,) = [finding for finding in findings(capsys) if finding["area"] == "workspace"]
    assert workspace["what"] == f"{place} is no workspace."
    assert not list(place.iterdir())


def test_a_misspelt_variable_is_found_with_what_was_meant(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LCG_SOCKET_PAHT", "x")
    (found,) = [finding for finding in findings(capsys) if "LCG_SOCKET_PAHT" in finding["what"]]
    assert found["remedy"].startswith("Did you mean LCG_SOCKET_PATH?")


def test_a_variable_that_cannot_be_right_is_the_problem(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LCG_IDLE_EXIT_SECS", "soon")
    assert "LCG_IDLE_EXIT_SECS" in problem(findings(capsys, status=1))["remedy"]


def test_a_file_in_the_place_of_a_directory_is_found(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(".lcg/search")
    Path(".lcg/search").write_text("x", encoding="utf-8")
    areas = {finding["area"] for finding in findings(capsys, status=1) if finding["level"] == "problem"}
    assert "workspace" in areas


def test_a_damaged_line_of_the_log_is_found(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    (file,) = Path(".lcg/wal/a").glob("*.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:2], b'{"seq":3,"broken\n', *lines[3:]]))
    problems = [finding for finding in findings(capsys, status=1) if finding["level"] == "problem"]
    assert any(finding["what"].startswith(f"{file}, line 3 cannot be read") for finding in problems)


def test_a_store_that_is_no_store_is_found(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    Path(".lcg/db/liminis.db").write_bytes(b"nonsense" * 1000)
    areas = {finding["area"] for finding in findings(capsys, status=1) if finding["level"] == "problem"}
    assert "store" in areas


def test_lost_indexes_are_found(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    Path(".lcg/search/text.db").unlink()
    problems = {finding["area"] for finding in findings(capsys, status=1) if finding["level"] == "problem"}
    assert problems == {"indexes"}


def test_a_large_store_is_looked_at_on_demand_only(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lcg.commands.checks.views.MOST_BYTES", 10)
    notes = [finding for finding in findings(capsys) if "--deep" in finding["remedy"]]
    assert [finding["area"] for finding in notes] == ["log", "store"]
    assert not [finding for finding in findings(capsys, "--deep") if "--deep" in finding["remedy"]]


def test_an_owner_that_cannot_be_attached_to_is_named(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    ownership = Ownership.acquire(Settings(), "verify")
    try:
        found = findings(capsys)
    finally:
        ownership.release()
    assert {finding["area"] for finding in found if finding["level"] == "note"} >= {"socket", "store"}


def test_a_socket_path_that_is_too_long_is_found(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LCG_SOCKET_PATH", "x" * 200)
    assert problem(findings(capsys, status=1))["area"] == "socket"


def test_an_embedder_that_does_not_answer_is_found(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LCG_EMBEDDING_URL", "http://127.0.0.1:9/v1/embeddings")
    assert problem(findings(capsys, status=1))["area"] == "embedder"


def test_a_client_that_starts_what_is_not_there_is_found(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mcp-config", "claude-code", "--write"]) == 0
    capsys.readouterr()
    clients = [finding for finding in findings(capsys) if finding["area"] == "clients"]
    assert [finding["level"] for finding in clients] == ["ok"]
    path = Path(".mcp.json")
    value = json.loads(path.read_text(encoding="utf-8"))
    value["mcpServers"]["lcg"]["command"] = "/gone/bin/lcg"
    path.write_text(json.dumps(value), encoding="utf-8")
    found = problem(findings(capsys, status=1))
    assert "/gone/bin/lcg" in found["what"]
    assert "lcg mcp-config claude-code --write" in found["remedy"]


def test_a_client_file_that_nobody_can_read_is_found(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    Path(".mcp.json").write_text("{", encoding="utf-8")
    assert "it is no JSON" in problem(findings(capsys, status=1))["what"]


def test_a_service_whose_store_is_closed_says_how_to_mend_it() -> None:
    status = {
        "degraded": True,
        "reason": "corrupt",
        "recovery_available": ["wal_rebuild"],
        "queryable": False,
        "writes_refused": None,
        "wal_groups": {"a": {"pending": 3}},
    }
    found = list(of_status(status))
    assert [(finding.area, finding.level) for finding in found] == [("store", "problem"), ("log", "note")]
    assert "wal_rebuild" in found[0].remedy


def test_help_has_an_example_and_the_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--help"]) == 0
    text = capsys.readouterr().out
    assert "Example:\n    lcg doctor" in text
    assert "Exit status: 0" in text
