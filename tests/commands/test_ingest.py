"""`lcg ingest` brings the graph to where the documents are, beside whoever reads it."""

import json
import os
import pty
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import orjson
import pytest

from lcg.__main__ import run
from lcg.commands.graph import open_graph
from lcg.commands.serving import shared
from lcg.documents import reading
from lcg.settings import Settings
from tests.commands.program import answer, lcg
from tests.processes import PATIENCE_S, REAL, daemon, environment

TEAM = "# Team\n\nPriya Nair maintains Billing.\n"
PLAN = "# Plan\n\nOmar Haddad leads Search.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with documents, in which nothing has been ingested; the tests run in it."""
    monkeypatch.chdir(tmp_path)
    for name in ("LCG_EXTRACTOR", "ANTHROPIC_API_KEY", "LCG_EXTRACTION_URL"):
        monkeypatch.delenv(name, raising=False)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "team.md").write_text(TEAM, encoding="utf-8")
    (notes / "plan.txt").write_text(PLAN, encoding="utf-8")
    (notes / "page.html").write_text("<h1>Mail</h1><p>Lena Ortiz runs the Mailer.</p>", encoding="utf-8")
    (notes / "data.json").write_text(json.dumps([{"name": "Ada Byron", "role": "author"}]), encoding="utf-8")
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    assert run(["ingest", *arguments, "--json"]) == status
    told: dict[str, Any] = orjson.loads(capsys.readouterr().out)
    return told


def states(told: dict[str, Any]) -> dict[str, str]:
    return {file["source"]: file["state"] for file in told["files"]}


def test_a_folder_goes_in_and_can_be_asked(folder: Path) -> None:
    done = lcg(folder, "ingest", "notes")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("4 files: 4 new.\n4 chunks stored, read by: builtin: ")
    assert "Lena Ortiz runs the Mailer." in lcg(folder, "ask", "who runs the Mailer").stdout
    assert answer(folder, "show", "Ada Byron")["entities"][0]["sources"] == ["notes/data.json:part-1"]


def test_what_has_not_changed_is_skipped_and_what_has_is_sent(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(capsys, "notes")["stored"] == 4
    told = report(capsys, "notes")
    assert (told["stored"], set(states(told).values())) == (0, {"unchanged"})
    (folder / "notes/team.md").write_text(TEAM.replace("Billing", "Orders"), encoding="utf-8")
    told = report(capsys, "notes")
    assert (told["stored"], states(told)["notes/team.md"]) == (1, "changed")
    assert report(capsys, "notes")["stored"] == 0
    assert report(capsys, "notes", "--again")["unchanged"] == 4


def test_sync_removes_files_and_parts_that_are_gone_and_nothing_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "other.md").write_text("Tomas Reyes writes Docs.", encoding="utf-8")
    (folder / "notes/team.md").write_text(f"{TEAM}\n{'word ' * 200}\n\n# Old\n\nGone soon.\n", encoding="utf-8")
    report(capsys, "notes", "other.md")
    (folder / "notes/team.md").write_text(f"{TEAM}\n{'word ' * 200}\n", encoding="utf-8")
    (folder / "notes/plan.txt").unlink()
    (folder / "other.md").unlink()
    told = report(capsys, "notes")
    assert (told["removed"], states(told)["notes/plan.txt"]) == (0, "gone")
    told = report(capsys, "notes", "--sync", "--dry-run")
    assert told["removed"] == 0
    assert report(capsys, "notes", "--sync")["removed"] == 2
    assert run(["search", "Omar Haddad", "--json"]) == 0
    sources = [passage["source"] for passage in orjson.loads(capsys.readouterr().out)["passages"]]
    assert "notes/plan.txt:plan" not in sources
    assert run(["search", "Tomas Reyes writes Docs", "--json"]) == 0
    sources = [passage["source"] for passage in orjson.loads(capsys.readouterr().out)["passages"]]
    assert "other.md:top" in sources
    assert set(states(report(capsys, "notes", "--sync")).values()) == {"unchanged"}


def test_sync_of_a_folder_that_became_empty_has_to_be_meant(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(capsys, "notes")
    for path in (folder / "notes").iterdir():
        path.unlink()
    assert run(["ingest", "notes", "--sync"]) == 1
    assert "--allow-empty" in capsys.readouterr().err
    assert report(capsys, "notes", "--sync", "--allow-empty")["removed"] == 4


def test_a_dry_run_changes_nothing_and_makes_no_workspace(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ingest", "notes", "--dry-run"]) == 0
    text = capsys.readouterr().out
    assert "  new       notes/team.md (1 chunk to store)" in text
    assert text.endswith("4 chunks would be stored. Nothing was changed.\n")
    assert not (folder / ".lcg").exists()


def test_a_file_that_cannot_be_read_is_told_and_the_rest_goes_in(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "notes/bad.md").write_bytes(b"caf\xe9")
    told = report(capsys, "notes", status=1)
    assert (told["stored"], states(told)["notes/bad.md"]) == (4, "unreadable")
    assert run(["ingest", "notes"]) == 1
    assert "lcg ingest: notes/bad.md: byte 3 is no UTF-8;" in capsys.readouterr().err


def test_half_a_character_in_json_keeps_nothing_from_going_in(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "notes/half.json").write_bytes(b'{"who": "Nadia Petrov", "smile": "\\ud83d", "key\\udc00": 1}')
    told = report(capsys, "notes")
    assert (told["stored"], states(told)["notes/half.json"]) == (5, "new")
    assert states(report(capsys, "notes"))["notes/half.json"] == "unchanged"


def test_a_chunk_that_is_refused_is_told_and_the_rest_goes_in(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "notes/a.json").write_bytes(b'"\\ud83d"')
    # As another kind of file may yet lead to a text that the graph does not take.
    monkeypatch.setattr(reading, "text_of", lambda value: json.dumps(value, ensure_ascii=False))
    told = report(capsys, "notes", status=1)
    (failed,) = [file for file in told["files"] if file["error"]]
    assert (told["stored"], failed["source"]) == (4, "notes/a.json")
    assert "lone surrogates" in failed["error"]


@pytest.mark.parametrize("name", ["Cafe\u0301 Überblick.md", "\u00a0blank.md"], ids=["decomposed", "blank first"])
def test_names_that_the_graph_writes_otherwise_are_known_again(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (folder / name).write_text(
        f"# Re\u0301sume\u0301\n\n{TEAM}\n{'word ' * 200}\n\n# Old\n\nGone soon.\n", encoding="utf-8"
    )
    told = report(capsys, ".")
    assert told["stored"] > 4
    assert set(states(report(capsys, ".", "--sync")).values()) == {"unchanged"}
    (folder / name).write_text(f"# Re\u0301sume\u0301\n\n{TEAM}\n{'word ' * 200}\n", encoding="utf-8")
    assert report(capsys, ".", "--sync")["removed"] == 1
    assert set(states(report(capsys, ".", "--sync")).values()) == {"unchanged"}
    (folder / name).unlink()
    assert report(capsys, ".", "--sync")["removed"] > 0


def test_a_service_that_runs_does_it_into_the_group_that_was_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with daemon(folder) as service, service.client() as client:
        assert report(capsys, "notes/team.md", "--group", "team")["group_id"] == "team"
        names = [node["name"] for node in client.result("knowledge_list_entities", group_ids=["team"])["nodes"]]
        assert "Priya Nair" in names
        assert client.result("knowledge_list_entities", group_ids=["liminis"])["nodes"] == []


def test_others_can_attach_while_the_workspace_is_taken(folder: Path) -> None:
    with open_graph(Settings(extractor="builtin", telemetry=False), shared, makes=True) as graph:
        graph.knowledge_assert_entity("Ada", group_id="a")
        groups = answer(folder, "groups")["groups"]
        assert [(group["group_id"], group["entities"]) for group in groups] == [("a", 1)]
    assert not (folder / ".lcg/service.sock").exists()


def test_an_interrupt_keeps_what_is_stored_and_the_next_run_goes_on(folder: Path) -> None:
    for number in range(150):
        (folder / f"notes/n{number}.md").write_text(f"Person Number{number} maintains Part {number}.", encoding="utf-8")
    with subprocess.Popen(
        [*REAL, "ingest", "notes"], cwd=folder, env=environment(), stderr=subprocess.PIPE, text=True
    ) as process:
        deadline = time.monotonic() + PATIENCE_S
        while not list((folder / ".lcg").glob("wal/liminis/*.jsonl")):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 130
        assert process.stderr is not None
        told = process.stderr.read()
    assert "of 154 chunks are stored; run it again to go on.\nlcg ingest: interrupted.\n" in told
    left = sum(file["to_store"] for file in answer(folder, "ingest", "notes", "--dry-run")["files"])
    assert 0 < left < 154


def test_progress_is_told_now_and_then_where_no_terminal_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lcg.commands.progress._EVERY_S", 0)
    assert run(["ingest", "notes"]) == 0
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    assert len(lines) == 4
    assert lines[3].startswith("4 of 4 chunks, ")
    assert lines[3].endswith("/s, 0 s left")
    assert "chunks, " not in captured.out


def test_a_terminal_shows_a_bar_with_rate_and_time_left_and_stdout_only_the_answer(folder: Path) -> None:
    ours, theirs = pty.openpty()
    env = environment({"TERM": "xterm-256color", "COLUMNS": "120"})
    command = [*REAL, "ingest", "notes"]
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while part := _read(ours):
            shown += part
        assert process.stdout is not None
        told = process.stdout.read().decode()
        assert process.wait(PATIENCE_S) == 0
    os.close(ours)
    assert re.search(rb"4/4.*chunks.*/s", shown)
    assert b"left" in shown
    assert told.startswith("4 files: 4 new.\n4 chunks stored")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other side is gone
        return b""


def test_help_has_an_example_and_the_exit_statuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ingest", "--help"]) == 0
    text = capsys.readouterr().out
    assert "Example:\n    lcg ingest notes README.md" in text
    assert "Exit status: 0" in text
