from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.wal import codec
from lcg.wal.census import Census
from lcg.wal.excluded import normalise
from lcg.wal.numbers import count_within
from lcg.wal.operations import plain_operation
from lcg.wal.reader import LogLine, read_after, read_log
from tests.wal.samples import GROUP, line, record, write_file


def census(directory: Path) -> Census:
    found = Census(directory)
    found.refresh()
    return found


def read(directory: Path) -> list[LogLine]:
    return list(read_log(census(directory).files, GROUP))


def after(directory: Path, seq: int) -> list[LogLine]:
    return list(read_after(census(directory).files, GROUP, seq))


def seqs(lines: list[LogLine]) -> list[int | None]:
    return [found.seq for found in lines]


def test_a_line_comes_with_its_place_and_its_record(tmp_path: Path) -> None:
    path = write_file(tmp_path, "a.jsonl", [1, 2])
    assert read(tmp_path) == [LogLine(path, 1, 1, record(1)), LogLine(path, 2, 2, record(2))]


def test_lines_that_are_read_plainly_differ_in_their_records_only(tmp_path: Path) -> None:
    path = write_file(tmp_path, "a.jsonl", [1])
    with path.open("ab") as file:
        file.write(b'no line\n{"seq":3,"v":1}\n{"seq":4,"cypher":"RETURN 1"}\n' + line(5) + b'\n{"seq":6,"to')
    usual, plainly = read(tmp_path), list(read_log(census(tmp_path).files, GROUP, plainly=True))
    assert [replace(found, plain=None) for found in plainly] == [replace(found, record=None) for found in usual]
    for found, same in zip(plainly, usual, strict=True):
        assert (found.plain is None) == (same.record is None)
        if found.plain is not None and same.record is not None:
            assert found.plain.operations == list(map(plain_operation, same.record.operations))


def test_no_directory_no_files_and_empty_files_have_no_lines(tmp_path: Path) -> None:
    assert read(tmp_path / "none") == []
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "blank.jsonl").write_bytes(b"\n  \r\n\n")
    assert read(tmp_path) == []
    assert census(tmp_path).max_seq is None


def test_files_are_ordered_by_their_first_number_not_by_name(tmp_path: Path) -> None:
    write_file(tmp_path, "a.jsonl", [5, 6])
    write_file(tmp_path, "b.jsonl", [1, 2])
    write_file(tmp_path, "c.jsonl", [3, 4])
    assert seqs(read(tmp_path)) == [1, 2, 3, 4, 5, 6]


def test_files_whose_numbers_overlap_are_merged(tmp_path: Path) -> None:
    write_file(tmp_path, "publisher.jsonl", [1, 2, 5, 8])
    write_file(tmp_path, "ours.jsonl", [3, 4, 6, 7])
    assert seqs(read(tmp_path)) == [1, 2, 3, 4, 5, 6, 7, 8]


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(1, 40), max_size=8).map(sorted), max_size=5), st.integers(0, 41))
def test_sorted_files_read_in_one_sorted_sequence(
    tmp_path_factory: pytest.TempPathFactory, files: list[list[int]], start: int
) -> None:
    directory = tmp_path_factory.mktemp("log")
    for index, numbers in enumerate(files):
        write_file(directory, f"{index}.jsonl", numbers)
    expected = sorted(seq for numbers in files for seq in numbers)
    assert seqs(read(directory)) == expected
    assert seqs(after(directory, start)) == [seq for seq in expected if seq > start]


def test_of_a_number_that_files_share_the_earlier_file_comes_first(tmp_path: Path) -> None:
    write_file(tmp_path, "z.jsonl", [1, 2, 3])
    write_file(tmp_path, "a.jsonl", [2, 3])
    found = read(tmp_path)
    assert [(f.seq, f.file.name) for f in found] == [
        (1, "z.jsonl"), (2, "z.jsonl"), (2, "a.jsonl"), (3, "z.jsonl"), (3, "a.jsonl"),
    ]  # fmt: skip


@pytest.mark.parametrize("numbers", [[1, 2, 2, 3], [1, 5, 9], [4, 9, 7, 8, 10]], ids=["duplicate", "gap", "regression"])
def test_duplicates_gaps_and_regressions_in_a_file_come_as_they_stand(tmp_path: Path, numbers: list[int]) -> None:
    write_file(tmp_path, "a.jsonl", numbers)
    assert seqs(read(tmp_path)) == numbers
    assert census(tmp_path).max_seq == max(numbers)


def test_a_line_of_the_reference_implementation_comes_untranslated(tmp_path: Path) -> None:
    content = b'{"seq":0,"ts":"2026-03-02T08:00:00+00:00","db":"","cypher":"CREATE (n)","params":{}}'
    path = tmp_path / "a.jsonl"
    path.write_bytes(content + b"\n" + line(1) + b"\n")
    assert read(tmp_path) == [
        LogLine(path, 1, 0, reference=orjson.loads(content)),
        LogLine(path, 2, 1, record(1)),
    ]


def test_bad_lines_are_errors_in_their_place_and_hide_no_good_one(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    bad = [
        b"garbage",
        line(3)[:-9],
        line(4).replace(b"entity.put", b"entity.new"),
        line(5, "other"),
        b'{"seq":6,"x":"\xff"}',
        b"[" * 5000 + b"]" * 5000,
        b'{"seq":7,"ts":"2026-03-02T08:00:00Z","v":2}',
    ]
    path.write_bytes(b"".join(content + b"\n" for content in [line(1), *bad, line(8)]))
    found = read(tmp_path)
    assert seqs(found) == [1, None, 3, 4, 5, 6, None, 7, 8]
    assert [bool(f.record) for f in found] == [True] + [False] * 7 + [True]
    assert all(f.error for f in found[1:-1])
    assert not any(f.torn for f in found)
    assert [f.number for f in found] == list(range(1, 10))


def test_windows_line_ends_and_blank_lines_are_no_errors(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(line(1) + b"\r\n\r\n\n" + line(2) + b"\r\n")
    found = read(tmp_path)
    assert [(f.seq, f.number, f.error) for f in found] == [(1, 1, None), (2, 4, None)]


def test_a_last_line_without_line_feed_counts_when_it_is_whole(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(line(1) + b"\n" + line(2))
    assert [f.record for f in read(tmp_path)] == [record(1), record(2)]
    assert census(tmp_path).max_seq == 2


def test_a_last_line_that_is_cut_anywhere_is_torn_and_no_error(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    last = line(3)
    for length in range(1, len(last)):
        path.write_bytes(line(1) + b"\n" + line(2) + b"\n" + last[:length])
        found = read(tmp_path)
        assert seqs(found) == [1, 2, None]
        assert found[2] == LogLine(path, 3, None, torn=True)
        assert census(tmp_path).max_seq == 2


def test_a_file_with_nothing_but_a_torn_line_comes_last(tmp_path: Path) -> None:
    write_file(tmp_path, "z.jsonl", [1, 2])
    (tmp_path / "a.jsonl").write_bytes(line(3)[:20])
    found = read(tmp_path)
    assert [(f.seq, f.torn) for f in found] == [(1, False), (2, False), (None, True)]


def test_a_damaged_last_line_with_a_line_feed_is_an_error_and_keeps_its_number(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(line(1) + b"\n" + line(2)[:-30] + b"\n")
    found = read(tmp_path)
    assert (found[1].seq, found[1].torn) == (2, False)
    assert "not JSON" in (found[1].error or "")
    assert census(tmp_path).max_seq == 2


def test_reading_after_a_number_keeps_what_stands_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n".join([line(1), b"bad one", line(2), b"bad two", line(3), b"bad three"]) + b"\n")
    write_file(tmp_path, "b.jsonl", [4])
    assert [f.number for f in after(tmp_path, 0)] == [1, 2, 3, 4, 5, 6, 1]
    assert [f.number for f in after(tmp_path, 1)] == [2, 3, 4, 5, 6, 1]
    assert [f.number for f in after(tmp_path, 2)] == [4, 5, 6, 1]
    assert [f.number for f in after(tmp_path, 3)] == [6, 1]
    assert [f.number for f in after(tmp_path, 4)] == []


def test_reading_after_the_last_number_still_tells_of_what_has_no_number(tmp_path: Path) -> None:
    with write_file(tmp_path, "a.jsonl", [1, 2]).open("ab") as file:
        file.write(line(3)[:40])
    assert [f.torn for f in after(tmp_path, 2)] == [True]
    (tmp_path / "b.jsonl").write_bytes(b"no log at all\n")
    assert [(f.file.name, f.torn) for f in after(tmp_path, 9)] == [("a.jsonl", True), ("b.jsonl", False)]


def test_a_line_above_the_limit_is_an_error_and_the_next_line_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = len(line(2))
    monkeypatch.setattr(codec, "MAX_LINE_BYTES", limit)
    long = line(3) + b" " * (limit + 1 - len(line(3)))
    assert len(line(2)) == limit
    assert len(long) == limit + 1
    (tmp_path / "a.jsonl").write_bytes(line(2) + b"\n" + long + b"\n" + long + long * 9 + b"\n" + line(4) + b"\n")
    found = read(tmp_path)
    assert [(f.seq, bool(f.error), f.number) for f in found] == [
        (2, False, 1), (None, True, 2), (None, True, 3), (4, False, 4),
    ]  # fmt: skip
    (tmp_path / "a.jsonl").write_bytes(line(2) + b"\n" + long)
    assert [(f.seq, f.torn) for f in read(tmp_path)] == [(2, False), (None, True)]


def test_the_real_limit_is_64_mib(tmp_path: Path) -> None:
    filler = b" " * (64 * 1024 * 1024 - len(line(1)))
    (tmp_path / "a.jsonl").write_bytes(line(1) + filler + b"\n" + line(1) + filler + b" \n" + line(2) + b"\n")
    found = read(tmp_path)
    assert [(f.seq, f.error) for f in found] == [(1, None), (None, "longer than 67108864 bytes"), (2, None)]


def test_only_log_files_are_read(tmp_path: Path) -> None:
    write_file(tmp_path, "a.jsonl", [1])
    write_file(tmp_path, "._a.jsonl", [2])
    write_file(tmp_path, "a.jsonl.bak", [3])
    write_file(tmp_path, "a.torn-10", [4])
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "dangling.jsonl").symlink_to(tmp_path / "nowhere")
    assert seqs(read(tmp_path)) == [1]


def test_a_reader_sees_the_log_as_it_was_when_it_began(tmp_path: Path) -> None:
    path = write_file(tmp_path, "a.jsonl", [1])
    lines = read_log(census(tmp_path).files, GROUP)
    with path.open("ab") as file:
        file.write(line(2) + b"\n")
    assert seqs(list(lines)) == [1]


@settings(deadline=None)
@given(
    st.lists(st.integers(1, 30), max_size=12),
    st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30)), max_size=3).map(normalise),
)
def test_lines_in_ranges_are_counted(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[int], ranges: list[tuple[int, int]]
) -> None:
    directory = tmp_path_factory.mktemp("log")
    write_file(directory, "a.jsonl", numbers[::2])
    write_file(directory, "b.jsonl", numbers[1::2])
    expected = sum(any(a <= seq <= b for a, b in ranges) for seq in numbers)
    assert sum(count_within(runs, ranges) for runs in census(directory).numbers) == expected


def test_a_census_counts_each_line_once_however_the_file_grows(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    content = line(1) + b"\n\n" + line(2) + b"\n" + b"bad\n" + line(3) + b"\n"
    found = Census(tmp_path)
    for length in range(len(content) + 1):
        path.write_bytes(content[:length])
        found.refresh()
    assert (found.files[0].lines, found.max_seq) == (4, 3)
    path.write_bytes(content[:-1])
    grown = census(tmp_path)
    assert grown.files[0].lines == 4
    path.write_bytes(content)
    grown.refresh()
    assert grown.files[0].lines == 4


def test_a_census_notices_growth_replacement_and_removal(tmp_path: Path) -> None:
    path = write_file(tmp_path, "a.jsonl", [1, 2])
    found = census(tmp_path)
    assert not found.refresh()
    with path.open("ab") as file:
        file.write(line(3) + b"\n" + line(4)[:9])
    assert found.refresh()
    assert (found.max_seq, found.files[0].torn) == (3, True)
    with path.open("ab") as file:
        file.write(line(4)[9:] + b"\n")
    assert found.refresh()
    assert (found.max_seq, found.files[0].torn) == (4, False)
    other = write_file(tmp_path / "elsewhere", "a.jsonl", [7, 8, 9, 10, 11])
    other.replace(path)
    assert found.refresh()
    assert (found.files[0].first_seq, found.max_seq, found.file_count) == (7, 11, 1)
    path.unlink()
    assert found.refresh()
    assert (found.max_seq, found.file_count, found.byte_size) == (None, 0, 0)
