"""What is said of a directory that belongs to somebody else, and of a disk without room."""

import errno
import os
import tempfile
from pathlib import Path

import pytest

from lcg.server.places import PlaceRefused, check_places
from lcg.settings import Settings


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".lcg").mkdir()
    return tmp_path


def refuse(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refused(dir: Path) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)


def test_the_owner_of_a_directory_is_named_when_it_is_somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, errno.EACCES)
    me = os.geteuid()
    with pytest.raises(PlaceRefused, match=r"\.lcg cannot be written in \(Permission denied\)") as caught:
        check_places(Settings(), writes=True)
    assert "belongs to" not in str(caught.value)
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    with pytest.raises(PlaceRefused, match=f"It belongs to user {me}, and this process runs as user {me + 1}"):
        check_places(Settings(), writes=True)


def test_who_only_reads_and_a_full_disk_are_no_reason_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse(monkeypatch, errno.EACCES)
    check_places(Settings(), writes=False)
    refuse(monkeypatch, errno.ENOSPC)
    check_places(Settings(), writes=True)


def test_a_store_in_the_place_of_its_directory_is_left_to_the_migration(workspace: Path) -> None:
    (workspace / ".lcg" / "db").write_bytes(b"an old store")
    check_places(Settings(), writes=True)
