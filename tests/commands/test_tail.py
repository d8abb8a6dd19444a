"""`lcg tail` shows the log to people, whoever has the workspace, and makes nothing."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from lcg.__main__ import run
from lcg.server.lock import Ownership
from lcg.settings import Settings
from tests.commands.conftest import Workspace
from tests.commands.program import lcg
from tests.processes import REAL, environment


def test_the_last_lines_say_who_changed_what(workspace: Workspace) -> None:
    ownership = Ownership.acquire(Settings(), "verify")
    try:
        done = lcg(workspace.root, "tail", "--group", "a", "-n", "2")
    finally:
        ownership.release()
    assert (done.returncode, done.stderr) == (0, "")
    fact, entity = done.stdout.splitlines()
    assert "a 3  knowledge_assert_relationship  1 edge_put (one KNOWS two" in fact
    assert entity.endswith("a 4  knowledge_assert_entity  1 entity_put (three)")


def test_json_has_a_line_for_each_line(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tail", "--json"]) == 0
    shapes = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(shape["group_id"], shape["seq"]) for shape in shapes if shape["group_id"] == "a"] == [
        ("a", number) for number in (1, 2, 3, 4)
    ]
    assert shapes[0]["operations"][0].keys() == {"op", "uuid", "name"}
    last = [operation["op"] for operation in shapes[-1]["operations"]]
    assert last[-1] == "mention_put"
    assert [shape["written_at"] for shape in shapes] == sorted(shape["written_at"] for shape in shapes)


def test_a_damaged_line_is_shown_where_it_stands(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    (file,) = Path(".lcg/wal/a").glob("*.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)
    lines[2] = b'{"seq":3,"broken\n'
    file.write_bytes(b"".join(lines))
    assert run(["tail", "--group", "a"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 4
    assert f"{file.name}, line 3" in shown[2]


def test_following_shows_new_lines_and_ends_clean(workspace: Workspace) -> None:
    command = [*REAL, "tail", "-f", "-n", "1", "--group", "a", "--group", "new"]
    with subprocess.Popen(
        command,
        cwd=workspace.root,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert "(three)" in process.stdout.readline()
        workspace.ask("assert_entity", name="four", group_id="new")
        assert process.stdout.readline().endswith("new 1  knowledge_assert_entity  1 entity_put (four)\n")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == "lcg tail: interrupted.\n"
        assert process.stdout.read() == ""


def test_a_reader_that_has_seen_enough_is_no_failure(workspace: Workspace) -> None:
    command = [*REAL, "tail", "-f"]
    with subprocess.Popen(
        command, cwd=workspace.root, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        workspace.ask("assert_entity", name="five")
        assert process.wait(60) == 0
        assert process.stderr.read() == ""


def test_an_unknown_group_is_told_with_those_that_there_are(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tail", "--group", "nobody"]) == 1
    assert "Groups with one: a, liminis." in capsys.readouterr().err


def test_where_no_workspace_is_none_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["tail"]) == 2
    assert "no workspace here" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
