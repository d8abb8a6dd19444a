"""A note of what files held, which is read once."""

from pathlib import Path

import pytest

from lcg.server.sums import Sums


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = [tmp_path / name for name in ("a", "b", "gone")]
    for file in made:
        file.write_bytes(b"content of " + file.name.encode())
    return made


def test_changes_since_the_note_are_told_once_and_the_note_is_gone(tmp_path: Path, files: list[Path]) -> None:
    note = tmp_path / "note"
    Sums(note, files).write()
    files[1].write_bytes(b"kontent of b")
    files[2].unlink()
    sums = Sums(note, files)
    sums.take()
    assert not note.exists()
    assert [sums.changed(file) for file in files] == [False, True, True]
    assert [sums.changed(file) for file in files] == [None, None, None]


@pytest.mark.parametrize("content", [None, b"", b"[1, 2]", b"{"])
def test_without_a_note_that_can_be_read_nothing_is_known(
    tmp_path: Path, files: list[Path], content: bytes | None
) -> None:
    note = tmp_path / "note"
    if content is not None:
        note.write_bytes(content)
    sums = Sums(note, files)
    sums.take()
    assert [sums.changed(file) for file in files] == [None, None, None]
    assert not note.exists()


def test_a_note_that_cannot_be_written_is_no_error(tmp_path: Path, files: list[Path]) -> None:
    Sums(tmp_path / "no" / "note", files).write()
