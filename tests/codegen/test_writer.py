"""Writing and comparing, on the sample project, through the command line."""

from pathlib import Path

import pytest

from codegen.__main__ import main
from codegen.outputs import OUTPUTS
from tests.codegen.sample_project import make_project

PARAMS = "src/lcg/generated/params.py"


@pytest.fixture
def root(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    make_project(tmp_path)
    assert run(tmp_path, "gen") == 0
    capsys.readouterr()
    return tmp_path


def run(root: Path, command: str) -> int:
    return main(["--root", str(root), command])


def test_a_second_run_writes_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}
    assert run(root, "gen") == 0
    assert "up to date" in capsys.readouterr().out
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()} == before


def test_only_what_changed_is_written(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / PARAMS).write_text("spoiled", encoding="utf-8")
    assert run(root, "gen") == 0
    assert capsys.readouterr().out == f"updated {PARAMS}\n"


def test_orphans_are_removed_but_caches_stay(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    orphan = root / "docs/reference/generated/gone.md"
    orphan.write_text("once", encoding="utf-8")
    cache = root / "src/lcg/generated/__pycache__/params.pyc"
    cache.parent.mkdir()
    cache.write_bytes(b"")
    assert run(root, "check") == 1
    assert "orphan: docs/reference/generated/gone.md" in capsys.readouterr().out
    assert run(root, "gen") == 0
    assert not orphan.exists()
    assert cache.exists()


def test_check_agrees_with_what_gen_wrote(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(root, "check") == 0
    assert "up to date" in capsys.readouterr().out


def test_check_shows_a_hand_edit_as_a_difference(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = root / PARAMS
    path.write_text(path.read_text(encoding="utf-8").replace('"fast"', '"slow"'), encoding="utf-8")
    assert run(root, "check") == 1
    shown = capsys.readouterr()
    assert f"--- {PARAMS} (on disk)" in shown.out
    assert '-        mode=decode.optional_choice(tool, raw, "mode", "slow"' in shown.out
    assert "make gen" in shown.err
    assert "slow" in path.read_text(encoding="utf-8")


def test_check_names_missing_files_and_changed_line_ends(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / PARAMS).unlink()
    errors = root / "src/lcg/generated/errors.py"
    errors.write_bytes(errors.read_bytes().replace(b"\n", b"\r\n"))
    assert run(root, "check") == 1
    shown = capsys.readouterr().out
    assert f"missing: {PARAMS}" in shown
    assert "line ends differ: src/lcg/generated/errors.py" in shown


def test_a_faulty_spec_writes_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_project(root, ("default: fast", "default: quick"), ("kind: not_found", "kind: not_there"))
    before = (root / PARAMS).read_bytes()
    assert run(root, "gen") == 1
    shown = capsys.readouterr().err
    assert "[param-default]" in shown
    assert "[error-kind]" in shown
    assert "2 faults" in shown
    assert (root / PARAMS).read_bytes() == before


def test_the_table_of_outputs_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list-outputs"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == len(OUTPUTS)
    assert any(line.startswith("params.py.j2") and line.endswith(PARAMS) for line in shown)
