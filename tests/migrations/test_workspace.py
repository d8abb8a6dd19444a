"""From `.graphiti` to `.lcg`: everything arrives, nothing is overwritten, and no crash loses anything."""

import errno
import os
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest

from lcg.migrations import moving
from lcg.migrations.workspace import TwoWorkspaces, Workspace, migrate_workspace
from tests.migrations.crashing import crashes

OLD = {
    "db": "the store",
    "db.wal": "its log",
    "wal/a/1.jsonl": "a1",
    "wal/a/.wal-generation.json": "{}",
    "wal/2.jsonl": "flat",
    "ontology.yaml": "mode: open",
    "ontology/a.yaml": "mode: strict",
    "ontology-hash.json": "{}",
    "notes/mine.txt": "mine",
    "extra": "more",
}
NEW = {
    "db/liminis.db": "the store",
    "db/liminis.db.wal": "its log",
    "wal/a/1.jsonl": "a1",
    "wal/a/.wal-generation.json": "{}",
    "wal/2.jsonl": "flat",
    "ontology.yaml": "mode: open",
    "ontology/a.yaml": "mode: strict",
    "ontology-hash.json": "{}",
    "_unrecognized/notes/mine.txt": "mine",
    "_unrecognized/extra": "more",
}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def files(root: Path) -> dict[str, str]:
    paths = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    home = tmp_path / ".lcg"
    return Workspace(home, home / "db" / "liminis.db", home / "wal")


def prepare(workspace: Workspace) -> None:
    for path in workspace.home.parent.iterdir():
        shutil.rmtree(path)
    write(workspace.old, OLD)
    write(workspace.home, {"lock": "42", "db/liminis.db.lock": ""})
    workspace.logs.mkdir()


LOCKS = {"lock": "42", "db/liminis.db.lock": ""}


def test_everything_goes_to_its_place_and_the_old_directory_goes(workspace: Workspace) -> None:
    prepare(workspace)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(workspace.old / "service.sock"))
        migrate_workspace(workspace, keep_backup=False)
    assert files(workspace.home) == NEW | LOCKS
    assert not workspace.old.exists()
    assert not workspace.is_due
    migrate_workspace(workspace, keep_backup=False)
    assert files(workspace.home) == NEW | LOCKS


def test_a_backup_is_whole_and_never_replaces_another(workspace: Workspace) -> None:
    for backup in (".graphiti.bak", ".graphiti.bak-2"):
        shutil.rmtree(workspace.home, ignore_errors=True)
        write(workspace.old, OLD)
        migrate_workspace(workspace, keep_backup=True)
        assert files(workspace.home) == NEW
        assert files(workspace.home.parent / backup) == OLD
        assert not workspace.is_due


@pytest.mark.parametrize("keep_backup", [False, True])
@pytest.mark.parametrize("across", [False, True], ids=["one file system", "two"])
def test_after_a_crash_anywhere_the_next_start_completes_it(
    workspace: Workspace, keep_backup: bool, across: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if across:
        separate_file_systems(monkeypatch)

    def migrate() -> None:
        migrate_workspace(workspace, keep_backup=keep_backup)

    for _ in crashes(migrate, lambda: prepare(workspace)):
        migrate()
        assert files(workspace.home) == NEW | LOCKS
        assert files(workspace.home.parent / ".graphiti.bak") == (OLD if keep_backup else {})
        assert not workspace.old.exists()


def separate_file_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    rename = os.rename

    def across(source: Any, target: Any, **more: Any) -> None:
        if ".graphiti/" in str(source):
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        rename(source, target, **more)

    monkeypatch.setattr(os, "rename", across)


def test_the_source_stays_when_its_copy_differs(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare(workspace)
    separate_file_systems(monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copy2", lambda source, target: target.write_text("damaged"))
        with pytest.raises(OSError, match="differs"):
            migrate_workspace(workspace, keep_backup=False)
    assert files(workspace.old) == OLD
    assert workspace.is_due
    migrate_workspace(workspace, keep_backup=False)
    assert files(workspace.home) == NEW | LOCKS


def test_what_is_in_the_way_stays_and_the_other_is_kept_aside(workspace: Workspace) -> None:
    write(workspace.old, {"ontology.yaml": "old", "wal/a/1.jsonl": "a1", "extra": "old"})
    write(
        workspace.home, {"ontology.yaml": "new", "_unrecognized/extra": "older", "_unrecognized/ontology.yaml": "old"}
    )
    migrate_workspace(workspace, keep_backup=False)
    assert files(workspace.home) == {
        "ontology.yaml": "new",
        "wal/a/1.jsonl": "a1",
        "_unrecognized/ontology.yaml": "old",
        "_unrecognized/extra": "older",
        "_unrecognized/extra.1": "old",
    }


@pytest.mark.parametrize("ours", ["db/liminis.db", "wal/a/1.jsonl"])
@pytest.mark.parametrize("theirs", ["db", "wal/a/2.jsonl"])
def test_of_two_workspaces_in_one_nothing_is_moved(workspace: Workspace, ours: str, theirs: str) -> None:
    write(workspace.old, {theirs: "theirs"})
    write(workspace.home, {ours: "ours"})
    with pytest.raises(TwoWorkspaces, match="both hold data"):
        migrate_workspace(workspace, keep_backup=False)
    assert (files(workspace.old), files(workspace.home)) == ({theirs: "theirs"}, {ours: "ours"})
    assert workspace.is_due


def test_a_workspace_that_is_used_where_it_is_is_left_there(tmp_path: Path) -> None:
    write(tmp_path / ".graphiti", OLD)
    workspace = Workspace(tmp_path / ".lcg", tmp_path / ".lcg" / "db" / "liminis.db", tmp_path / ".graphiti" / "wal")
    migrate_workspace(workspace, keep_backup=False)
    assert files(tmp_path / ".graphiti") == OLD
    assert not workspace.is_due


def test_without_an_old_workspace_nothing_happens(workspace: Workspace) -> None:
    migrate_workspace(workspace, keep_backup=False)
    assert not workspace.home.exists()


def test_a_store_where_its_directory_belongs_gets_its_place(workspace: Workspace) -> None:
    def prepare() -> None:
        shutil.rmtree(workspace.home, ignore_errors=True)
        write(workspace.home, {"db": "the store", "db.wal": "its log"})

    def migrate() -> None:
        migrate_workspace(workspace, keep_backup=False)

    for _ in crashes(migrate, prepare):
        migrate()
        assert files(workspace.home) == {"db/liminis.db": "the store", "db/liminis.db.wal": "its log"}


def test_links_and_trees_are_compared_by_what_they_hold(tmp_path: Path) -> None:
    write(tmp_path, {"a/x": "1", "a/y/z": "2"})
    (tmp_path / "a" / "link").symlink_to("x")
    moving.copy(tmp_path / "a", tmp_path / "b")
    assert moving.same(tmp_path / "a", tmp_path / "b")
    (tmp_path / "b" / "y" / "z").write_text("3", encoding="utf-8")
    assert not moving.same(tmp_path / "a", tmp_path / "b")
    assert not moving.same(tmp_path / "a", tmp_path / "a" / "x")
    (tmp_path / "b" / "y" / "z").unlink()
    assert not moving.same(tmp_path / "a", tmp_path / "b")
