"""`lcg restore` takes a group back to a mark or a line, and nothing happens that was not shown and agreed to."""

import io
from pathlib import Path

import pytest

from lcg.__main__ import run
from lcg.server.lock import Ownership
from lcg.settings import Settings
from tests.commands.conftest import Workspace
from tests.processes import daemon

EVERYTHING = ["one", "three", "two"]


def test_a_group_goes_back_to_a_mark_and_stays_there(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["restore", "--mark", "early", "--group", "a", "--yes"]) == 0
    captured = capsys.readouterr()
    assert "lines 3 to 4" in captured.err
    assert "1 knowledge_assert_relationship" in captured.err
    assert '"type"' not in captured.err  # telemetry is for who watches a service
    assert "through line 2" in captured.out
    assert workspace.names() == ["one", "two"]
    assert workspace.ask("status")["wal_groups"]["a"]["excluded"] == [[3, 4]]
    assert run(["verify"]) == 0
    assert run(["restore", "--seq", "4", "--group", "a", "--yes"]) == 0
    assert "Nothing of the log is left out." in capsys.readouterr().err
    assert workspace.names() == EVERYTHING


def test_a_service_that_runs_does_it(workspace: Workspace) -> None:
    with daemon(workspace.root) as service, service.client() as client:
        assert run(["restore", "--seq", "1", "--group", "a", "--yes"]) == 0
        nodes = client.result("knowledge_list_entities", group_ids=["a"])["nodes"]
        assert [node["name"] for node in nodes] == ["one"]
        assert service.end() == 0


def test_files_of_extraction_do_not_stand_in_the_way_and_none_is_made(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LCG_REPLAY_LLM", "none.jsonl")
    assert run(["restore", "--mark", "early", "--group", "a", "--yes"]) == 0
    assert run(["verify"]) == 0
    monkeypatch.delenv("LCG_REPLAY_LLM")
    monkeypatch.setenv("LCG_RECORD_LLM", "tape.jsonl")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-some-key")
    assert run(["restore", "--seq", "4", "--group", "a", "--yes"]) == 0
    assert not list(workspace.root.glob("tape*"))


@pytest.mark.parametrize("answer", ["\n", "no\n", ""])
def test_nothing_happens_unless_somebody_agrees(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    asked = io.StringIO(answer)
    monkeypatch.setattr(asked, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", asked)
    assert run(["restore", "--mark", "early", "--group", "a"]) == 1
    assert "Go on?" in capsys.readouterr().err
    assert workspace.names() == EVERYTHING


def test_somebody_who_agrees_is_heard(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = io.StringIO("y\n")
    monkeypatch.setattr(asked, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", asked)
    assert run(["restore", "--mark", "early", "--group", "a"]) == 0
    assert workspace.names() == ["one", "two"]


REFUSALS = {
    "--mark nobody --group a --yes": (1, "It has: early"),
    "--mark early --yes": (1, "group 'liminis' has no mark"),
    "--seq 9 --group a --yes": (1, "ends at line 4"),
    "--seq -1 --group a --yes": (1, "ends at line 4"),
    "--seq 1 --group nobody --yes": (1, "Groups with one: a, liminis"),
    "--seq 1 --group a": (2, "--yes"),
    "--seq 1 --mark early": (2, "not allowed with"),
    "--seq one": (2, "invalid int value"),
    "--group a": (2, "--mark"),
}


@pytest.mark.parametrize(("arguments", "expected"), REFUSALS.items())
def test_what_cannot_be_is_refused(
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: str,
    expected: tuple[int, str],
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    status, said = expected
    assert run(["restore", *arguments.split()]) == status
    assert said in capsys.readouterr().err
    assert workspace.names() == EVERYTHING


def test_a_mark_of_another_log_is_not_gone_back_to(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    Path(".lcg/wal/a/.wal-generation.json").write_text('{"generation": "another"}')
    assert run(["restore", "--mark", "early", "--group", "a", "--yes"]) == 1
    assert "cannot be reached" in capsys.readouterr().err
    assert run(["restore", "--seq", "2", "--group", "a", "--yes"]) == 0
    assert workspace.names() == ["one", "two"]


def test_a_workspace_that_serves_one_client_is_refused(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    ownership = Ownership.acquire(Settings(), "mcp-stdio")
    assert run(["restore", "--seq", "1", "--group", "a", "--yes"]) == 1
    ownership.release()
    assert "is owned by process" in capsys.readouterr().err
