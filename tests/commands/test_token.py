"""`lcg token`, as it is typed."""

from pathlib import Path

import pytest

from lcg.__main__ import run
from lcg.server.http_tokens import TokenFile, read_tokens


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "tokens"
    monkeypatch.setenv("LCG_HTTP_TOKENS", str(path))
    return path


def test_a_new_token_is_all_that_goes_to_stdout(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["token", "add", "laptop", "--scope", "read,write"]) == 0
    out, err = capsys.readouterr()
    assert str(file) in err
    token = TokenFile(file).find(out.strip())
    assert token is not None
    assert (token.name, token.scopes) == ("laptop", ("read", "write"))


def test_tokens_are_listed_without_digests_and_removed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["token", "add", "laptop", "--scope", "read"])
    run(["token", "add", "desk", "--scope", "all"])
    capsys.readouterr()
    assert run(["token", "list"]) == 0
    assert capsys.readouterr().out == "laptop\tread\ndesk\tread,write,cypher,admin\n"
    assert run(["token", "remove", "laptop"]) == 0
    assert [token.name for token in read_tokens(file)] == ["desk"]


def test_another_file_can_be_named(file: Path, tmp_path: Path) -> None:
    assert run(["token", "add", "laptop", "--scope", "read", "--file", str(tmp_path / "other")]) == 0
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["token"], "action"),
        (["token", "add", "laptop"], "--scope"),
        (["token", "add", "--scope", "read"], "NAME"),
        (["token", "add", "laptop", "--scope", "reed"], "'reed'"),
        (["token", "remove"], "NAME"),
    ],
)
def test_a_usage_error_is_explained(
    arguments: list[str], said: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err
    assert not file.exists()


def test_a_file_has_to_be_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("LCG_HTTP_TOKENS", raising=False)
    assert run(["token", "list"]) == 2
    assert "LCG_HTTP_TOKENS" in capsys.readouterr().err


def test_a_file_that_cannot_be_used_is_named(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["token", "list"]) == 1
    assert str(file) in capsys.readouterr().err
