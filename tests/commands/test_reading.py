"""Sub-commands that read the graph: each as a process beside a service, and each without one."""

import os
import pty
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.__main__ import run
from lcg.commands.ask import compose, tokens_of
from lcg.model.times import parse_time
from lcg.server.lock import Ownership
from lcg.settings import Settings
from tests.commands.conftest import Workspace
from tests.commands.program import answer, lcg
from tests.processes import daemon, environment

READING = {
    "status": [],
    "search": ["one"],
    "ask": ["who", "knows", "two"],
    "show": ["one"],
    "groups": [],
    "marks": [],
}
ESCAPE = "\x1b"


@pytest.fixture(scope="module")
def served(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A workspace that a service owns while the tests run."""
    root = tmp_path_factory.mktemp("served") / "w"
    shutil.copytree(made, root)
    with daemon(root):
        yield root


def test_status_says_what_the_graph_holds(served: Path) -> None:
    done = lcg(served, "status")
    assert str(served) in done.stdout.split("workspace", 1)[1].splitlines()[0]
    assert (done.returncode, done.stderr) == (0, "")
    assert "state      ready" in done.stdout
    assert "groups     a, liminis" in done.stdout
    assert list(answer(served, "status", "--group", "a")["wal_groups"]) == ["a"]


def test_search_finds_entities_facts_and_passages(served: Path) -> None:
    done = lcg(served, "search", "Ada wrote")
    assert done.returncode == 0
    assert [line for line in done.stdout.splitlines() if line and not line.startswith(" ")] == [
        "Entities",
        "Facts",
        "Passages",
    ]
    found = answer(served, "search", "one", "--group", "a", "--only", "entities", "--limit", "1")
    (entity,) = found.pop("entities")
    assert found == {"query": "one", "groups": ["a"], "facts": [], "passages": [], "warnings": []}
    assert entity.pop("uuid")
    assert entity.pop("score") > 0
    expected = {"name": "one", "group_id": "a", "labels": ["Entity"], "summary": "the first", "sources": []}
    assert entity == expected


def test_ask_gives_markdown_within_its_budget(served: Path) -> None:
    done = lcg(served, "ask", "who wrote to Bob", "--budget", "150")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# What is known about: who wrote to Bob\n\n## Entities\n\n- ")
    assert "> Ada wrote to Bob." in done.stdout
    asked = answer(served, "ask", "who wrote to Bob", "--budget", "150")
    assert asked["text"] + "\n" == done.stdout
    assert asked["tokens"] == tokens_of(asked["text"]) <= 150
    assert asked["passages"][0]["text"] == "Ada wrote to Bob."


def test_show_tells_an_entity_by_name_whatever_its_letter_case_and_by_uuid(served: Path) -> None:
    done = lcg(served, "show", "ONE")
    assert (done.returncode, done.stderr) == (0, "")
    assert "the first" in done.stdout
    assert "Neighbours\n  two: the second" in done.stdout
    (by_name,) = answer(served, "show", "ONE")["entities"]
    (by_uuid,) = answer(served, "show", by_name["uuid"])["entities"]
    assert by_uuid == by_name
    assert [fact["predicate"] for fact in by_name["facts"]] == ["KNOWS"]


def test_show_names_what_is_near_when_nothing_is_called_so(served: Path) -> None:
    done = lcg(served, "show", "ona", "--group", "a")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("lcg show: no entity is called 'ona'. Near are: ")
    assert len(done.stderr.splitlines()) == 1


def test_groups_says_what_is_in_each(served: Path) -> None:
    first, _ = answer(served, "groups")["groups"]
    assert first == {
        "group_id": "a",
        "entities": 3,
        "facts": 1,
        "episodes": 0,
        "max_seq": 4,
        "applied_seq": 4,
        "pending": 0,
        "state": "hydrated",
    }
    done = lcg(served, "groups", "--group", "a")
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["group", "entities", "facts", "episodes", "log", "pending"],
        ["a", "3", "1", "0", "4", "0"],
    ]


def test_marks_says_where_each_is(served: Path) -> None:
    (mark,) = answer(served, "marks")["marks"]
    assert mark.pop("created_at")
    assert mark == {"group_id": "a", "name": "early", "seq": 2, "max_seq": 4, "reachable": True}
    assert "early" in lcg(served, "marks").stdout


def test_without_a_service_the_answers_are_the_same(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    alone = _answers(capsys)
    with daemon(workspace.root):
        assert _answers(capsys) == alone


def _answers(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    answers = {}
    for name, arguments in READING.items():
        assert run([name, *arguments, "--json"]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        answers[name] = orjson.loads(captured.out)
    for changing in ("pid", "extractor"):
        del answers["status"][changing]
    del answers["ask"]["at"]
    return answers


@pytest.mark.parametrize("name", READING)
def test_where_no_workspace_is_none_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([name, *READING[name]]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"lcg {name}: there is no workspace here" in captured.err
    assert "begin one here: `lcg ingest .`" in captured.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", READING)
def test_help_has_an_example_and_the_exit_statuses(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"Example:\n    lcg {name}" in text
    assert "Exit status: 0" in text


@pytest.mark.parametrize("name", READING)
def test_a_wrong_option_is_told_in_one_line(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name, *READING[name], "--grup", "a"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "--grup" in line
    assert f"`lcg {name} --help`" in line


def test_another_sub_command_is_waited_for_and_then_named(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lcg.commands.graph._PATIENCE_S", 0.1)
    ownership = Ownership.acquire(Settings(), "command")
    try:
        assert run(["groups"]) == 1
    finally:
        ownership.release()
    assert "which ends by itself. Wait for that." in capsys.readouterr().err
    assert run(["groups"]) == 0


def test_a_parameter_that_the_service_refuses_is_told_in_one_line(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", "one", "--at", "yesterday"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("lcg search: ")
    assert "valid_at" in line


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_are_for_terminals_that_want_them(served: Path, no_color: str, coloured: bool) -> None:
    ours, theirs = pty.openpty()
    env = environment({"NO_COLOR": no_color, "TERM": "xterm-256color"})
    command = [sys.executable, "-m", "lcg", "search", "one", "--only", "entities"]
    with subprocess.Popen(command, cwd=served, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        written = b""
        while part := _read(ours):
            written += part
        assert process.wait(60) == 0
    os.close(ours)
    assert b"the first" in written
    assert (ESCAPE.encode() in written) is coloured


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other side is gone
        return b""


def test_what_steers_a_terminal_is_not_passed_on(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    workspace.ask("assert_entity", name="evil", summary=f"red {ESCAPE}[31m and \u202eback", group_id="a")
    assert run(["show", "evil"]) == 0
    text = capsys.readouterr().out
    assert ESCAPE not in text
    assert "\u202e" not in text
    assert "red \N{REPLACEMENT CHARACTER}[31m" in text


@pytest.mark.parametrize("text", ["no JSON", "[1]", "", "null", "[" * 100_000], ids=lambda text: text[:8])
def test_show_tells_an_entity_whose_attributes_a_query_has_made_no_object(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    query = "MATCH (n:Entity {name: 'one'}) SET n.attributes = $text"
    workspace.ask("query_cypher", query=query, parameters={"text": text})
    assert run(["show", "one"]) == 0
    assert "attributes:" in capsys.readouterr().out


def test_a_store_that_is_not_open_is_told_with_what_to_do(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(".lcg/wal")
    Path(".lcg/db/liminis.db").write_bytes(b"nonsense")
    assert run(["search", "one"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("lcg search: the store is not open: ")
    assert last.endswith("`lcg doctor` says what to do.")
    assert run(["status"]) == 1
    assert "state      not usable" in capsys.readouterr().out


def test_an_encoding_that_lacks_characters_is_no_failure(served: Path) -> None:
    ask = ["search", "nobody \u00e9\u4e2d", "--only", "entities"]
    plain = lcg(served, *ask, env={"PYTHONIOENCODING": "ascii"})
    assert (plain.returncode, plain.stdout.isascii()) == (0, True)
    told = lcg(served, *ask, "--json", env={"PYTHONIOENCODING": "ascii"})
    assert orjson.loads(told.stdout)["query"] == "nobody \u00e9\u4e2d"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a disk that is always full is needed")
def test_an_answer_that_cannot_be_written_is_a_failure_in_one_line(served: Path) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "lcg", "groups"],
            cwd=served,
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "No space left" in done.stderr


def test_what_was_stored_in_this_second_holds_now(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    moment = parse_time("2027-05-05 10:00:00") + 900_000
    time = "2027-05-05T10:00:00.800Z"
    chunk = {"chunk_text": "Ines Pardo maintains Orders.", "chunk_id": "c", "source_file": "o.md"}
    workspace.ask("process_chunk", **chunk, reference_time=time)
    monkeypatch.setattr("lcg.commands.ask.now", lambda: moment)
    assert run(["ask", "who maintains Orders", "--json"]) == 0
    facts = [fact["fact"] for fact in orjson.loads(capsys.readouterr().out)["facts"]]
    assert "Ines Pardo maintains Orders." in facts


TEXTS = st.text(st.characters(codec="utf-8"), max_size=300)
SHAPES = {
    "entities": st.fixed_dictionaries({"name": TEXTS, "labels": st.just(["Entity", "Person"]), "summary": TEXTS}),
    "facts": st.fixed_dictionaries(
        {"fact": TEXTS, "valid_at": st.none() | st.just("2026-01-01 00:00:00"), "invalid_at": st.none()}
    ),
    "passages": st.fixed_dictionaries(
        {"name": st.just("n"), "source": TEXTS, "created_at": st.just("2026-01-01 00:00:00"), "text": TEXTS}
    ),
}


@given(TEXTS, st.integers(100, 3000), st.fixed_dictionaries({kind: st.lists(one) for kind, one in SHAPES.items()}))
def test_no_question_and_nothing_found_breaks_a_budget(
    question: str, budget: int, found: dict[str, list[dict[str, Any]]]
) -> None:
    answered = compose(question, found, budget)
    assert tokens_of(answered.text) <= budget
    for kind, used in answered.used.items():
        rest = iter(found[kind])
        assert all(any(shape is other for other in rest) for shape in used), "order is kept, nothing is made up"


def test_passages_are_cut_to_what_is_left_of_a_budget() -> None:
    shape = {"source": "a.md", "name": "a", "created_at": "2026-01-01 00:00:00", "text": "word " * 2000}
    found = {"entities": [], "facts": [], "passages": [shape, shape]}
    for budget in (100, 101, 500, 2000):
        answered = compose("q", found, budget)
        assert tokens_of(answered.text) <= budget
        assert answered.text.endswith(" …")
    both = compose("q", found, 100_000)
    assert len(both.used["passages"]) == 2
    assert both.text.count("From a.md") == 2


def test_a_word_that_looks_like_an_option_is_told_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["search", "kill", "-9"]) == 2
    assert "goes behind `--`: `lcg search -- …`" in capsys.readouterr().err
