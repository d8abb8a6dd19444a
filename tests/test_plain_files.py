"""Files that people put in place: whatever they are, reading them ends and takes little."""

import errno
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from lcg.ontology.reading import read_file
from lcg.plain_files import open_plain, read_plain
from lcg.providers.llm.cassette import CassetteError, read_cassette
from lcg.providers.llm.prices import PricesError, read_prices
from lcg.services.corrections_file import CorrectionsUnreadable, read_corrections
from lcg.wal.excluded import load_excluded
from lcg.wal.identity import FILE_NAME, read_identity

Made = Callable[[Path], None]


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


ODDITIES = pytest.mark.parametrize("make", [pipe, endless, folder])


def ends(ask: Callable[[], object]) -> object:
    """Return what a call gives or raises; fail when it does not come back."""
    outcome: list[object] = []

    def run() -> None:
        try:
            outcome.append(ask())
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(20)
    assert outcome, "it still waits"
    return outcome[0]


@ODDITIES
def test_what_is_no_regular_file_is_refused_and_not_waited_for(tmp_path: Path, make: Made) -> None:
    path = tmp_path / "file"
    make(path)
    for read in (lambda: read_plain(path), lambda: open_plain(path)):
        error = ends(read)
        assert isinstance(error, OSError)
        assert error.errno in (errno.EINVAL, errno.EISDIR)


def test_a_link_to_a_file_is_read_and_one_byte_too_many_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_plain(tmp_path / "link", 5) == b"12345"
    with pytest.raises(OSError, match="more than 4 bytes"):
        read_plain(tmp_path / "link", 4)


@ODDITIES
def test_an_ontology_that_is_no_file_is_an_issue(tmp_path: Path, make: Made) -> None:
    path = tmp_path / "ontology.yaml"
    make(path)
    assert ends(lambda: read_file(path).issues == []) is False
    assert "cannot be read: it is" in read_file(path).issues[0]


@ODDITIES
def test_corrections_that_are_no_file_say_so(tmp_path: Path, make: Made) -> None:
    path = tmp_path / "corrections.yaml"
    make(path)
    error = ends(lambda: read_corrections(path))
    assert isinstance(error, CorrectionsUnreadable)
    assert "cannot be read: it is" in str(error)


def test_a_huge_file_of_people_is_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "huge.yaml"
    path.write_bytes(b"#" * 5_000_000)
    assert "more than 4,194,304 bytes" in read_file(path).issues[0]
    with pytest.raises(CorrectionsUnreadable, match="more than 4,194,304 bytes"):
        read_corrections(path)


def test_corrections_in_another_encoding_say_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "corrections.yaml"
    path.write_bytes("corrections: []".encode("utf-16"))
    with pytest.raises(CorrectionsUnreadable, match="Save it as UTF-8"):
        read_corrections(path)


@ODDITIES
def test_what_a_start_reads_does_not_hold_it_up(tmp_path: Path, make: Made) -> None:
    path = tmp_path / "file"
    make(path)
    assert isinstance(ends(lambda: read_cassette(path)), CassetteError)
    assert isinstance(ends(lambda: read_prices(path)), PricesError)
    (tmp_path / FILE_NAME).symlink_to(path)
    (tmp_path / ".wal-excluded.json").symlink_to(path)
    assert isinstance(ends(lambda: read_identity(tmp_path)), OSError)
    assert isinstance(ends(lambda: load_excluded(tmp_path, "g")), OSError)
