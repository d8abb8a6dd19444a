"""`lcg mcp-config` prints what a client has to be told, or puts it into the client's file."""

import json
import os
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lcg.__main__ import run
from lcg.client_files import saving
from lcg.client_files.clients import CLIENTS
from lcg.client_files.merging import Unmergeable
from lcg.server.command_line import parse_command_line


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory; the current directory is a project in it."""
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def servers(client: str, text: str) -> dict[str, Any]:
    value = tomllib.loads(text) if CLIENTS[client].syntax == "toml" else json.loads(text)
    found: dict[str, Any] = value[CLIENTS[client].key]
    return found


FILES = {
    "claude-code": ("project/.mcp.json", ".claude.json"),
    "claude-desktop": (".config/Claude/claude_desktop_config.json", ".config/Claude/claude_desktop_config.json"),
    "cursor": ("project/.cursor/mcp.json", ".cursor/mcp.json"),
    "vscode": ("project/.vscode/mcp.json", ".config/Code/User/mcp.json"),
    "codex": ("project/.codex/config.toml", ".codex/config.toml"),
}


def test_every_client_is_tried_here() -> None:
    assert FILES.keys() == CLIENTS.keys()


@pytest.mark.parametrize("client", FILES)
def test_what_is_printed_starts_the_program_on_the_workspace(
    client: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mcp-config", client, "--user"]) == 0
    output, errors = capsys.readouterr()
    entry = servers(client, output)["lcg"]
    options = parse_command_line(entry["args"])
    assert (options.action, options.connect, options.scopes) == ("mcp_stdio", "auto", "read,write")
    assert entry["args"][-2:] == ["--workspace", str(home / "project")]
    assert os.access(entry["command"], os.X_OK)
    assert str(home / FILES[client][1]) in errors
    assert not (home / FILES[client][1]).exists()


@pytest.mark.parametrize("client", FILES)
def test_the_file_of_the_project_or_of_the_user_is_written(client: str, home: Path) -> None:
    for flags, file in zip(([], ["--user"]), FILES[client], strict=True):
        assert run(["mcp-config", client, "--write", "--name", "memory", *flags]) == 0
        workspace = servers(client, (home / file).read_text())["memory"]["args"][-1]
        shared = CLIENTS[client].folder if not flags else None
        assert workspace == (shared or str(home / "project"))


def test_a_project_that_codex_has_to_trust_is_pointed_out(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mcp-config", "codex", "--write"]) == 0
    assert "trusted" in capsys.readouterr().err
    assert run(["mcp-config", "codex", "--write", "--user"]) == 0
    assert "trusted" not in capsys.readouterr().err


@pytest.mark.parametrize(("flags", "which"), [([], 0), (["--user"], 1)])
@pytest.mark.parametrize("client", FILES)
def test_the_path_of_the_file_can_be_asked_for(
    client: str, flags: list[str], which: int, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mcp-config", client, "--print-path", *flags]) == 0
    assert capsys.readouterr().out == f"{home / FILES[client][which]}\n"


def test_the_old_file_is_kept_its_mode_and_the_link_to_it_too(home: Path) -> None:
    real = home / "dotfiles.json"
    real.write_text('{"mcpServers": {"docs": {"command": "docs"}}, "theme": "dark"}')
    real.chmod(0o662)  # what no usual mask lets a new file have
    (home / ".claude.json").symlink_to(real)
    before = real.read_bytes()
    assert run(["mcp-config", "claude-code", "--user", "--write"]) == 0
    assert (home / ".claude.json").is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o662
    value = json.loads(real.read_text())
    assert (value["theme"], value["mcpServers"]["docs"]) == ("dark", {"command": "docs"})
    backup = home / "dotfiles.json.bak"
    assert (backup.read_bytes(), stat.S_IMODE(backup.stat().st_mode)) == (before, 0o662)
    assert run(["mcp-config", "claude-code", "--user", "--write", "--scope", "read"]) == 0
    assert backup.read_bytes() == before
    assert json.loads((home / "dotfiles.json.bak2").read_text()) == value


def test_a_second_time_changes_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        assert run(["mcp-config", "cursor", "--write"]) == 0
    assert "has it already" in capsys.readouterr().err
    assert [path.name for path in (home / "project/.cursor").iterdir()] == ["mcp.json"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{\n"a" 1}', ":2: it is no JSON"),
        ('{"mcpServers": {\n"lcg": {"command": "x"}}}', ":2: the server `lcg`"),
        (b"{\n\xff}", ":2: it is no UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_line_and_stays(
    text: str | bytes, words: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / "project/.mcp.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = file.read_bytes()
    assert run(["mcp-config", "claude-code", "--write"]) == 1
    assert f"{file}{words}" in capsys.readouterr().err
    assert [path.name for path in file.parent.iterdir()] == [".mcp.json"]
    assert file.read_bytes() == before


def test_a_change_by_somebody_else_at_the_same_moment_is_not_overwritten(home: Path) -> None:
    file = home / "a.json"
    file.write_bytes(b"theirs")
    with pytest.raises(Unmergeable, match="try again"):
        saving.save(file, b"what was read", b"new")
    assert file.read_bytes() == b"theirs"
    assert {path.name for path in home.iterdir()} == {"project", "a.json"}


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_disk_that_refuses_leaves_everything_as_it_was(
    call: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / "project/.mcp.json"
    file.write_text("{}")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, refuse)
    assert run(["mcp-config", "claude-code", "--write"]) == 1
    assert "No space left on device. The file was left as it is" in capsys.readouterr().err
    assert file.read_text() == "{}"
    assert [path.name for path in file.parent.iterdir()] == [".mcp.json"]


def test_a_directory_in_the_place_of_the_file_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "project/.mcp.json").mkdir()
    assert run(["mcp-config", "claude-code", "--write"]) == 1
    assert "Is a directory" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "CLIENT"),
        (["emacs"], "invalid choice: 'emacs'"),
        (["cursor", "--scope", "wirte"], "wirte"),
        (["cursor", "--name", "a b"], "--name: 'a b'"),
        (["cursor", "--workspace", "nowhere"], "nowhere is no directory"),
        (["cursor", "--workspace", "~nobody-of-this-name/x"], "is no directory"),
    ],
)
def test_wrong_arguments_are_refused_and_nothing_is_written(
    arguments: list[str], words: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mcp-config", *arguments, "--write"]) == 2
    assert words in capsys.readouterr().err
    assert list((home / "project").iterdir()) == []
