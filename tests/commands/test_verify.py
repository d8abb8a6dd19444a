"""`lcg verify` finds every kind of difference that is planted, and changes nothing."""

import hashlib
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest

from lcg.__main__ import run
from lcg.commands import COMMANDS
from lcg.generated import config
from lcg.graph.state import FAILED_RECORDS
from lcg.server.lock import Ownership
from lcg.settings import Settings
from lcg.store.kuzu.store import KuzuStore
from tests.commands.conftest import Workspace
from tests.store.engine_name import ENGINE, OTHER_ENGINE, begin_file_of

STORE = Path(".lcg/db/liminis.db")
TEXT = Path(".lcg/search/text.db")
VECTORS = Path(".lcg/search/vectors.db")


@pytest.fixture
def no_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the process that tries the store first, where the store is known to be sound."""
    monkeypatch.setattr("lcg.commands.verify.is_sound", lambda path, engine: True)


def report_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    status = run(["verify", "--json", *arguments])
    return status, orjson.loads(capsys.readouterr().out)


def differences(report: dict[str, Any], group_id: str) -> set[tuple[str, str]]:
    (group,) = [group for group in report["groups"] if group["group_id"] == group_id]
    return {(difference["where"], difference["what"]) for difference in group["differences"]}


def contents(root: Path) -> dict[str, str]:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.name.endswith("lock"))
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_sound_workspace_is_well_and_left_as_it_is(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(workspace.root)
    status, report = report_of(capsys)
    assert (status, report["ok"], report["differences"]) == (0, True, [])
    assert [group["group_id"] for group in report["groups"]] == ["a", "liminis"]
    for group in report["groups"]:
        assert group["rows"] > 0
        assert group["digest_recorded"] == group["digest_rows"] == group["digest_log"]
        assert (group["differences"], group["notes"], group["pending"]) == ([], [], 0)
    assert contents(workspace.root) == before


def test_the_table_is_for_people(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--group", "a"]) == 0
    said = capsys.readouterr().out
    assert "All is well." in said
    assert " a " in said
    assert "liminis" not in said
    with closing(sqlite3.connect(TEXT)) as db, db:
        db.execute("DELETE FROM entry WHERE kind = 'edge'")
    assert run(["verify"]) == 1
    assert "a: full text: 1 missing (edge " in capsys.readouterr().out


TEXT_CHANGES = {
    "DELETE FROM entry WHERE kind = 'entity' AND name_key = 'two'": {("full text", "missing")},
    "INSERT INTO entry (kind, uuid, gid) SELECT 'edge', 'nobody', id FROM groups WHERE group_id = 'a'": {
        ("full text", "extra")
    },
    "UPDATE entity_text SET body = 'else' WHERE head = 'two'": {("full text", "stale")},
    "DELETE FROM entity_text WHERE head = 'two'": {("full text", "stale")},
    "UPDATE entry SET name_key = 'tow' WHERE name_key = 'two'": {("name index", "stale")},
    "UPDATE groups SET position = 2 WHERE group_id = 'a'": {
        ("full text", "it is at line 2, the store at line 4; the next start levels it")
    },
}


@pytest.mark.usefixtures("no_probe")
@pytest.mark.parametrize(("change", "found"), TEXT_CHANGES.items(), ids=[key[:30] for key in TEXT_CHANGES])
def test_full_text_is_held_against_the_rows(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], change: str, found: set[tuple[str, str]]
) -> None:
    with closing(sqlite3.connect(TEXT)) as db, db:
        db.execute(change)
    status, report = report_of(capsys)
    assert (status, differences(report, "a"), differences(report, "liminis")) == (1, found, set())


def test_a_text_that_belongs_to_no_entry_is_found(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(TEXT)) as db, db:
        db.execute("INSERT INTO edge_text (rowid, gid, head, body) VALUES (9999, 'g1', 'a', 'b')")
    status, report = report_of(capsys)
    assert (status, report["differences"][0]["what"]) == (1, "texts without an entry")


VECTOR_CHANGES = {
    "DELETE FROM owner WHERE kind = 'edge_fact' AND gid = (SELECT id FROM groups WHERE group_id = 'a')": {
        ("vectors", "missing")
    },
    "INSERT INTO owner SELECT 'edge_fact', 'nobody', id, x'00', NULL FROM groups WHERE group_id = 'a'": {
        ("vectors", "extra")
    },
    "UPDATE owner SET hash = x'00' WHERE kind = 'edge_fact' AND gid = (SELECT id FROM groups WHERE group_id = 'a')": {
        ("vectors", "stale")
    },
    "UPDATE groups SET position = NULL WHERE group_id = 'a'": {
        ("vectors", "it is at nothing, the store at line 4; the next start levels it")
    },
}


@pytest.mark.usefixtures("no_probe")
@pytest.mark.parametrize(("change", "found"), VECTOR_CHANGES.items(), ids=[key[:30] for key in VECTOR_CHANGES])
def test_vectors_are_held_against_the_rows(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], change: str, found: set[tuple[str, str]]
) -> None:
    with closing(sqlite3.connect(VECTORS)) as db, db:
        db.execute(change)
    status, report = report_of(capsys)
    assert (status, differences(report, "a"), differences(report, "liminis")) == (1, found, set())


def test_texts_without_a_vector_are_told_of(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(VECTORS)) as db, db:
        db.execute("DELETE FROM vector")
    status, report = report_of(capsys)
    assert status == 0
    assert all("have no vector" in group["notes"][0] for group in report["groups"])


def change_store(query: str) -> None:
    store = KuzuStore(STORE, ENGINE)
    store._writer.command(query)
    store.close()


ROW_CHANGES = {
    "MATCH (e:Entity {name: 'one'}) SET e.attributes = '{\"x\":1}'": {
        ("rows", "stale"),
        ("digest", "the recorded one is not that of the rows"),
    },
    "MATCH (e:Entity {name: 'three'}) DETACH DELETE e": {
        ("rows", "missing"),
        ("digest", "the recorded one is not that of the rows"),
        ("full text", "extra"),
        ("vectors", "extra"),
    },
}


@pytest.mark.usefixtures("no_probe")
@pytest.mark.parametrize(("query", "found"), ROW_CHANGES.items(), ids=["changed", "deleted"])
def test_rows_are_held_against_the_log(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], query: str, found: set[tuple[str, str]]
) -> None:
    change_store(query)
    status, report = report_of(capsys)
    assert (status, differences(report, "a"), differences(report, "liminis")) == (1, found, set())
    group = report["groups"][0]
    assert group["digest_recorded"] == group["digest_log"] != group["digest_rows"]


def log_file() -> Path:
    (path,) = Path(".lcg/wal/a").glob("*.jsonl")
    return path


def drop_last_line() -> None:
    log_file().write_bytes(b"".join(log_file().read_bytes().splitlines(keepends=True)[:-1]))


def change_identity() -> None:
    Path(".lcg/wal/a/.wal-generation.json").write_text('{"generation": "another"}')


def spoil_excluded() -> None:
    Path(".lcg/wal/a/.wal-excluded.json").write_text("nonsense")


LOG_CHANGES: list[tuple[Callable[[], None], str]] = [
    (drop_last_line, "it ends before line 4, which was applied"),
    (change_identity, "it is another one than the store has recorded"),
    (spoil_excluded, "ranges"),
]


@pytest.mark.usefixtures("no_probe")
@pytest.mark.parametrize(("harm", "said"), LOG_CHANGES)
def test_a_log_that_is_not_the_one_that_was_applied_is_found(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], harm: Callable[[], None], said: str
) -> None:
    harm()
    status, report = report_of(capsys)
    assert status == 1
    assert any(where == "log" and said in what for where, what in differences(report, "a"))


def test_lines_that_are_not_applied_and_records_that_cannot_be_are_told_of(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    with log_file().open("ab") as file:
        file.write(b'{"v":1,"seq":5,"group":"a","at":1,"by":"test","ops":[]}\n')
    store = KuzuStore(STORE, ENGINE)
    store.set_meta(FAILED_RECORDS, '[{"group_id":"a","seq":3,"error":"x"}]')
    store.close()
    status, report = report_of(capsys, "--group", "a")
    assert (status, report["groups"][0]["pending"]) == (0, 1)
    assert report["groups"][0]["notes"] == [
        "1 lines of the log could not be applied (failed_records)",
        "1 lines of the log are not applied",
    ]


def test_what_cypher_changed_differs_from_the_log(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    workspace.ask("query_cypher", query="MATCH (e:Entity {name: 'one'}) SET e.summary = 'other'")
    status, report = report_of(capsys)
    assert (status, report["unlogged_mutations"]) == (1, 1)
    assert differences(report, "a") == {("rows", "stale")}


def test_what_was_left_out_on_purpose_is_no_difference(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace.ask("rebuild_from_wal", group_id="a", to_seq=2, force_clear=True)
    status, report = report_of(capsys)
    assert (status, report["groups"][0]["rows"]) == (0, 2)


RUINS: list[tuple[Path, Callable[[Path], object], str]] = [
    (STORE, Path.unlink, "missing"),
    (STORE, lambda path: path.write_bytes(b"x" * 5000), "cannot be read"),
    (STORE, lambda path: begin_file_of(path, OTHER_ENGINE, 49), f"was made by {OTHER_ENGINE}, format 49"),
    (TEXT, lambda path: path.write_bytes(b"x" * 5000), "cannot be read"),
]


@pytest.mark.parametrize(("path", "harm", "said"), RUINS)
def test_a_file_that_is_gone_or_ruined_is_found(
    workspace: Workspace,
    capsys: pytest.CaptureFixture[str],
    path: Path,
    harm: Callable[[Path], object],
    said: str,
) -> None:
    harm(path)
    status, report = report_of(capsys)
    assert status == 1
    assert said in report["differences"][0]["what"]


def test_it_refuses_a_workspace_that_has_an_owner(workspace: Workspace, capsys: pytest.CaptureFixture[str]) -> None:

    ownership = Ownership.acquire(Settings(), "service")
    assert run(["verify"]) == 1
    ownership.release()
    assert f"process {os.getpid()}" in capsys.readouterr().err


def test_wrong_arguments_and_places_are_usage_errors(
    workspace: Workspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["verify", "--jsn"]) == 2
    assert run(["verify", "--group", "nobody"]) == 2
    assert "there are: a, liminis" in capsys.readouterr().err
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    assert run(["verify"]) == 2
    assert "no workspace here" in capsys.readouterr().err
    assert list(empty.iterdir()) == []
    assert run(["verify", "--help"]) == 0
    assert "--json" in capsys.readouterr().out


def test_the_help_names_every_sub_command() -> None:
    told = {line.split()[1] for line in config.USAGE.replace("usage:", "").splitlines() if "--" not in line.split()[1]}
    assert told - {"[--extractor"} == set(COMMANDS)
    assert tuple(COMMANDS) == config.COMMANDS
    assert all(f"\n  {name} " in config.HELP for name in COMMANDS)
