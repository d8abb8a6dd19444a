"""The log of a service that nobody watches stays small, and its end can be shown."""

import os
import stat
from pathlib import Path

import pytest

from lcg.server import service_log
from lcg.server.service_log import GENERATIONS, last_lines, open_service_log, renew_if_due


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_log, "MOST_BYTES", 100)


def write(path: Path, text: str) -> None:
    descriptor = open_service_log(path)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def test_it_is_appended_to_and_is_for_this_user_only(tmp_path: Path) -> None:
    path = tmp_path / "new" / "log"
    write(path, "one\n")
    write(path, "two\n")
    assert path.read_text() == "one\ntwo\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_full_one_becomes_the_newest_of_a_few_generations(tmp_path: Path) -> None:
    path = tmp_path / "log"
    for number in range(GENERATIONS + 3):
        write(path, f"{number}".ljust(100))
    write(path, "last")
    found = {entry.name: entry.read_text().strip() for entry in tmp_path.iterdir()}
    assert found == {"log": "last", "log.1": "5", "log.2": "4", "log.3": "3"}


def test_a_writer_goes_on_in_a_new_file_when_its_own_is_full_or_gone(tmp_path: Path) -> None:
    path = tmp_path / "log"
    descriptor = open_service_log(path)
    inode = os.fstat(descriptor).st_ino
    os.write(descriptor, b"short")
    renew_if_due(path, (descriptor,))
    assert os.fstat(descriptor).st_ino == inode
    os.write(descriptor, b"x" * 100)
    renew_if_due(path, (descriptor,))
    os.write(descriptor, b"new")
    assert path.read_text() == "new"
    assert path.with_name("log.1").read_text() == "short" + "x" * 100
    path.unlink()
    renew_if_due(path, (descriptor,))
    os.write(descriptor, b"once more")
    assert path.read_text() == "once more"
    os.close(descriptor)


def test_the_last_lines_are_few_short_and_of_this_start(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("of the last start\n")
    since = path.stat().st_size
    assert last_lines(path, since) == ""
    with path.open("a") as file:
        file.write('{"type":"ipc_call"}\n\n' + "".join(f"line {number}\n" for number in range(9)) + "y" * 1000)
    shown = last_lines(path, since).splitlines()
    assert shown == ["line 5", "line 6", "line 7", "line 8", "y" * 400]
    assert last_lines(tmp_path / "none", 0) == ""
