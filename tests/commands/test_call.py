"""`lcg call` reaches every method: through the service that runs, or by opening the workspace."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from lcg.__main__ import run
from tests.commands.conftest import Workspace
from tests.commands.program import lcg
from tests.processes import daemon
from tests.server.running import running_server


class Stdin:
    """Stands for the stream, with bytes behind it."""

    def __init__(self, text: bytes) -> None:
        self.buffer = io.BytesIO(text)


def called(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """Run a call that succeeds and return its JSON, which is one line."""
    assert run(["call", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    (line,) = captured.out.splitlines()
    return json.loads(line)


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """Run a call that fails and return its error; people read the message in the line before."""
    assert run(["call", *arguments]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    *message, last = captured.err.splitlines()
    error = json.loads(last)
    assert "\n".join(message) == f"lcg call: {error['message']}"
    return error


def test_without_a_service_the_workspace_is_opened(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    made = called(capsys, "knowledge_assert_entity", '{"name": "Zoë", "group_id": "a"}')
    assert made["created"] is True
    assert workspace.names() == ["Zoë", "one", "three", "two"]


@pytest.mark.e2e
def test_a_service_that_runs_is_asked(workspace: Workspace) -> None:
    with daemon(workspace.root) as service, service.client() as client:
        done = lcg(workspace.root, "call", "knowledge_assert_entity", '{"name": "Zoë", "group_id": "a"}')
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["created"] is True
        names = [node["name"] for node in client.result("knowledge_list_entities", group_ids=["a"])["nodes"]]
        assert "Zoë" in names
        status = json.loads(lcg(workspace.root, "call", "knowledge_status").stdout)
        assert status["pid"] == service.process.pid
        assert lcg(workspace.root, "call", "knowledge_close").returncode == 0
        assert service.status() == 0


def test_a_service_elsewhere_is_reached_by_its_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with running_server(tmp_path / "s"):
        answer = called(capsys, "echo", '{"n": 1}', "--socket", "s")
    assert answer == {"method": "echo", "params": {"n": 1}}
    assert run(["call", "echo", "--socket", "s"]) == 1
    assert "no service can be reached at s" in capsys.readouterr().err
    assert not (tmp_path / ".lcg").exists()


def test_parameters_come_from_stdin_a_file_or_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "params.json").write_text('{"text": "ж"}', encoding="utf-8")
    monkeypatch.setattr("sys.stdin", Stdin('{"text": "é"}\n'.encode()))
    with running_server(tmp_path / "s"):
        socket = ("--socket", str(tmp_path / "s"))
        assert called(capsys, "echo", f"@{tmp_path}/params.json", *socket)["params"] == {"text": "ж"}
        assert called(capsys, "echo", "-", *socket)["params"] == {"text": "é"}
        assert called(capsys, "echo", *socket)["params"] == {}


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ("{", "the argument is not one JSON value"),
        ("NaN", "the argument is not one JSON value"),
        ("[1]", "have to be a JSON object, not [1]"),
        ("@none.json", "none.json cannot be read: No such file or directory"),
        ("@", "cannot be read"),
    ],
)
def test_what_is_no_object_is_refused_before_anything_is_called(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], params: str, words: str
) -> None:
    assert run(["call", "knowledge_clear_all", params]) == 2
    assert words in capsys.readouterr().err


def test_a_call_that_fails_says_why_to_people_and_to_programs(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    error = failed(capsys, "knowledge_find_entities", '{"qury": "x"}')
    assert (error["code"], error["data"]["parameter"], error["data"]["suggestion"]) == (-32602, "qury", "query")
    assert failed(capsys, "knowledge_find_entity")["code"] == -32601
    missing = {"name": "two", "group_id": "a", "entity_uuid": "no-such"}
    assert failed(capsys, "knowledge_assert_entity", json.dumps(missing))["data"]["kind"] == "not_found"


def test_where_no_service_runs_there_is_nothing_to_close(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["call", "knowledge_close"]) == 1
    assert "no service runs here" in capsys.readouterr().err


def test_a_directory_that_is_no_workspace_stays_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["call", "knowledge_status"]) == 2
    assert "there is no workspace here" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_texts_are_read_with_the_extractor_of_the_environment(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chunk = {"source_file": "a.md", "chunk_id": "1", "chunk_text": "Ada Lovelace wrote to Charles Babbage."}
    assert failed(capsys, "knowledge_process_chunk", json.dumps(chunk))["data"]["kind"] == "unconfigured"
    monkeypatch.setenv("LCG_EXTRACTOR", "builtin")
    assert called(capsys, "knowledge_process_chunk", json.dumps(chunk))["nodes_extracted"] > 0
