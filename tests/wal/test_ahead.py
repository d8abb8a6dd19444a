import io
import marshal
import os
import select
import signal
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.wal import ahead, helper, pieces
from lcg.wal.ahead import PiecesAhead
from lcg.wal.census import Census, LogFile
from lcg.wal.pieces import pieces_of, read_piece
from lcg.wal.reader import LogLine, read_log
from tests.wal.samples import GROUP, line, write_file


def files_of(directory: Path) -> list[LogFile]:
    census = Census(directory)
    census.refresh()
    return census.files


def plainly(directory: Path) -> list[LogLine]:
    return list(read_log(files_of(directory), GROUP, plainly=True))


@pytest.fixture
def helped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every log read with a helper, in pieces of two lines or so."""
    monkeypatch.setattr(ahead, "WORTH_BYTES", 0)
    monkeypatch.setattr(ahead, "_processors", lambda: 2)
    monkeypatch.setattr(pieces, "PIECE_BYTES", 400)


@pytest.fixture
def long_log(tmp_path: Path) -> Path:
    write_file(tmp_path, "publisher.jsonl", [seq for seq in range(1, 400) if seq % 3])
    with write_file(tmp_path, "ours.jsonl", list(range(3, 400, 3))).open("ab") as file:
        file.write(b'\n \nno line\n{"seq":7,"v":1}\n{"seq":8,"cypher":"RETURN 1"}\n{"seq":9,"to')
    return tmp_path


@pytest.fixture
def expected(long_log: Path) -> list[LogLine]:
    return plainly(long_log)


def pieces_in(directory: Path) -> list[pieces.Piece]:
    return [piece for file in files_of(directory) for piece in pieces_of(file.path, file.size)]


@pytest.fixture
def reading(helped: None, long_log: Path) -> Iterator[PiecesAhead]:
    """Pieces of the long log whose helper is there already."""
    found = PiecesAhead(pieces_in(long_log), GROUP)
    assert found._helper is not None
    select.select([found._helper._answers], [], [])
    yield found
    found.close()


CONTENTS = [line(1), line(200), b"no line", b'{"seq":5}', b"", b"  ", line(3)[:-9], b'{"seq":8,"cypher":"RETURN 1"}']


@settings(deadline=None)
@given(st.lists(st.sampled_from(CONTENTS), max_size=9), st.sampled_from([b"", *CONTENTS]), st.integers(1, 700))
def test_a_file_holds_the_same_in_pieces_of_any_size(
    tmp_path_factory: pytest.TempPathFactory, contents: list[bytes], last: bytes, size: int
) -> None:
    path = tmp_path_factory.mktemp("log") / "a.jsonl"
    path.write_bytes(b"".join(content + b"\n" for content in contents) + last)
    whole = path.stat().st_size
    expected, before = [], 0
    for start in range(0, whole, size):
        lines, found = read_piece(pieces.Piece(str(path), start, min(start + size, whole), whole), GROUP)
        expected += [(before + number, *rest) for number, *rest in found]
        before += lines
    assert read_piece(pieces.Piece(str(path), 0, whole, whole), GROUP) == (before, expected)


def test_with_a_helper_a_log_holds_the_same(helped: None, long_log: Path, expected: list[LogLine]) -> None:
    assert plainly(long_log) == expected
    assert len(expected) == 399 + 4


def test_a_helper_reads_a_part_of_the_pieces(reading: PiecesAhead, long_log: Path) -> None:
    all_pieces = pieces_in(long_log)
    reading._keep_busy()
    assert list(reading._asked) == [0, 1, 2]
    assert [reading.take(at) for at in range(len(all_pieces))] == [read_piece(one, GROUP) for one in all_pieces]
    assert not reading._asked


def test_what_a_helper_was_asked_for_is_read_without_it_when_it_ends(reading: PiecesAhead, long_log: Path) -> None:
    all_pieces = pieces_in(long_log)
    assert reading.take(0) == read_piece(all_pieces[0], GROUP)
    assert reading._helper is not None
    os.kill(reading._helper._process.pid, signal.SIGKILL)
    reading._helper._process.wait()
    rest = range(1, len(all_pieces))
    assert [reading.take(at) for at in rest] == [read_piece(all_pieces[at], GROUP) for at in rest]
    assert reading._helper is None


def test_a_log_is_read_though_no_helper_can_be_started(
    helped: None, long_log: Path, expected: list[LogLine], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", str(long_log / "nothing"))
    assert plainly(long_log) == expected


def test_a_file_that_is_gone_is_told_to_who_reads(helped: None, long_log: Path) -> None:
    lines = read_log(files_of(long_log), GROUP, plainly=True)
    (long_log / "ours.jsonl").unlink()
    with pytest.raises(FileNotFoundError):
        list(lines)


def test_a_helper_ends_with_the_reading_that_it_was_for(
    helped: None, long_log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hired: list[helper.Helper] = []

    class Known(helper.Helper):
        def __init__(self, group_id: str) -> None:
            super().__init__(group_id)
            hired.append(self)

    monkeypatch.setattr(ahead, "Helper", Known)
    lines = read_log(files_of(long_log), GROUP, plainly=True)
    next(lines)
    assert [one._process.poll() for one in hired] == [None]
    lines.close()
    assert [one._process.poll() for one in hired] == [-signal.SIGKILL]


@pytest.mark.parametrize(("length", "processors"), [(1 << 40, 1), (1_000, 8)], ids=["one processor", "short log"])
def test_nobody_is_started_where_that_saves_no_time(
    length: int, processors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "_processors", lambda: processors)
    assert PiecesAhead([pieces.Piece("a.jsonl", 0, length, length)], GROUP)._helper is None


def test_answers_come_in_the_order_of_the_questions(tmp_path: Path) -> None:
    path = write_file(tmp_path, "a.jsonl", [1, 2, 3])
    asked = [pieces.Piece(str(path), start, 500, 500) for start in (200, 0)]
    questions = io.BytesIO()
    for content in (marshal.dumps(GROUP), *(marshal.dumps(tuple(piece)) for piece in asked)):
        questions.write(struct.pack("!Q", len(content)) + content)
    questions.seek(0)
    answers = io.BytesIO()
    helper.serve(questions, answers)
    answers.seek(0)
    assert helper._get(answers) == b""
    assert [helper.unpacked(helper._get(answers)) for _ in asked] == [read_piece(piece, GROUP) for piece in asked]
