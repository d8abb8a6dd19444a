"""`lcg export`: what is written, where, and what is refused."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Workspace
from tests.commands.program import lcg


def rows_of(text: str) -> list[dict[str, Any]]:
    """Return the lines of the format `jsonl` after its header."""
    return [json.loads(line) for line in text.splitlines()[1:]]


def test_stdout_gets_a_header_and_every_row_of_every_group(workspace: Workspace) -> None:
    done = lcg(workspace.root, "export", "-")
    assert (done.returncode, done.stderr) == (0, "")
    header = json.loads(done.stdout.splitlines()[0])
    rows = rows_of(done.stdout)
    assert header["format"] == "lcg-graph" and header["version"] == 1 and header["groups"] == ["a", "liminis"]
    assert header["rows"] == {kind: sum(row["type"] == kind for row in rows) for kind in header["rows"]}
    assert {row["name"] for row in rows if row["type"] == "entity"} >= {"one", "two", "three", "Ada", "Bob"}


def test_a_group_that_is_asked_for_is_all_that_is_written(workspace: Workspace) -> None:
    rows = rows_of(lcg(workspace.root, "export", "--group", "a", "-").stdout)
    assert {row["group"] for row in rows} == {"a"}
    assert [row["name"] for row in rows if row["type"] == "edge"] == ["KNOWS"]
    several = lcg(workspace.root, "export", "--group", "a", "--group", "none", "-")
    assert rows_of(several.stdout) == rows
    assert several.stderr == "note: the group none holds nothing.\n"


def test_an_unknown_group_is_no_other_group(workspace: Workspace) -> None:
    done = lcg(workspace.root, "export", "--group", "none", "-")
    assert (done.returncode, rows_of(done.stdout)) == (0, [])


def test_the_same_rows_are_the_same_bytes(workspace: Workspace) -> None:
    assert lcg(workspace.root, "export", "-").stdout == lcg(workspace.root, "export", "-").stdout


def test_nothing_is_left_beside_the_graph(workspace: Workspace) -> None:
    assert lcg(workspace.root, "export", "graph.jsonl").stdout.endswith(" in graph.jsonl.\n")
    assert sorted(path.name for path in (workspace.root / ".lcg").iterdir()) == ["db", "lock", "search", "wal"]
    assert [path.name for path in workspace.root.iterdir() if path.name != ".lcg"] == ["graph.jsonl"]


def test_a_file_is_replaced_only_by_force(workspace: Workspace) -> None:
    target = workspace.root / "graph.jsonl"
    target.write_text("mine")
    done = lcg(workspace.root, "export", "graph.jsonl")
    assert done.returncode == 1 and "--force" in done.stderr and target.read_text() == "mine"
    assert lcg(workspace.root, "export", "--force", "graph.jsonl").returncode == 0
    assert target.read_text() == lcg(workspace.root, "export", "-").stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_told_of(workspace: Workspace) -> None:
    folder = workspace.root / "closed"
    folder.mkdir(mode=0o500)
    done = lcg(workspace.root, "export", "closed/graph.jsonl")
    assert done.returncode == 1 and "closed" in done.stderr


@pytest.mark.parametrize("place", ["missing/graph.jsonl", ".", "/dev/null"])
def test_a_place_that_can_take_no_file_is_refused(workspace: Workspace, place: str) -> None:
    done = lcg(workspace.root, "export", "--force", place)
    assert done.returncode == 1 and done.stderr.startswith("lcg export: ")


def test_what_a_killed_export_left_is_removed_by_the_next(workspace: Workspace) -> None:
    left: Path = workspace.root / ".lcg" / "exchange-4194305-x"  # no process can have this number
    left.mkdir()
    assert lcg(workspace.root, "export", "-").returncode == 0
    assert not left.exists()
