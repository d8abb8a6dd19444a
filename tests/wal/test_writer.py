import errno
import logging
import os
import re
import shutil
from pathlib import Path

import pytest

from lcg.wal.errors import AppendFailed, LogUncertain
from lcg.wal.reader import LogLine, read_log
from lcg.wal.writer import GroupLog
from tests.wal.samples import GROUP, FaultyOps, line, write_file


def lines(first: int, last: int) -> list[bytes]:
    return [line(seq) for seq in range(first, last + 1)]


def append(log: GroupLog, count: int = 1) -> None:
    first = log.refresh() + 1
    log.append(lines(first, first + count - 1))


def files(directory: Path) -> list[Path]:
    return sorted(directory.glob("*.jsonl"))


def on_disk(directory: Path) -> bytes:
    return b"".join(path.read_bytes() for path in files(directory))


def expected(last: int) -> bytes:
    return b"".join(content + b"\n" for content in lines(1, last))


def found(directory: Path) -> list[LogLine]:
    log = GroupLog(directory)
    log.refresh()
    return list(read_log(log.census.files, GROUP))


def test_an_append_of_several_lines_is_one_write_and_one_fsync(tmp_path: Path) -> None:
    ops = FaultyOps()
    log = GroupLog(tmp_path, ops=ops)
    append(log)
    ops.calls.clear()
    append(log, 64)
    assert ops.calls == ["write", "fsync"]
    assert on_disk(tmp_path) == expected(65)
    assert log.max_seq == 65


def test_the_entry_of_a_new_file_is_durable_before_its_first_line(tmp_path: Path) -> None:
    ops = FaultyOps()
    append(GroupLog(tmp_path, ops=ops))
    assert ops.calls == ["fsync", "write", "fsync"]


def test_a_file_is_named_by_time_place_and_number(tmp_path: Path) -> None:
    log = GroupLog(tmp_path, max_events=1)
    for _ in range(3):
        append(log)
    names = [re.fullmatch(r"\d{8}_\d{6}_([0-9a-f]{6})_(\d{4})\.jsonl", path.name) for path in files(tmp_path)]
    assert [match and match[2] for match in names] == ["0000", "0001", "0002"]
    assert len({match and match[1] for match in names}) == 1


def test_a_file_is_left_before_it_would_hold_too_many_lines(tmp_path: Path) -> None:
    log = GroupLog(tmp_path, max_events=3)
    for count in (2, 1, 1, 3, 5, 1):
        append(log, count)
    assert [path.read_bytes().count(b"\n") for path in files(tmp_path)] == [3, 1, 3, 5, 1]
    assert on_disk(tmp_path) == expected(13)


def test_a_file_is_left_before_it_would_be_too_long(tmp_path: Path) -> None:
    length = len(line(1)) + 1
    log = GroupLog(tmp_path, max_bytes=3 * length)
    for count in (2, 1, 1, 4, 1):
        append(log, count)
    assert [path.stat().st_size // length for path in files(tmp_path)] == [3, 1, 4, 1]


def test_a_reopened_log_goes_on_in_its_last_file_until_that_is_full(tmp_path: Path) -> None:
    append(GroupLog(tmp_path, max_events=4), 3)
    for _ in range(3):
        again = GroupLog(tmp_path, max_events=4)
        assert again.refresh() == again.max_seq
        append(again)
    assert [path.read_bytes().count(b"\n") for path in files(tmp_path)] == [4, 2]
    assert on_disk(tmp_path) == expected(6)


def test_a_copied_log_is_continued_in_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    append(GroupLog(tmp_path / "a"), 3)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    append(GroupLog(tmp_path / "b"))
    assert sorted(path.read_bytes().count(b"\n") for path in files(tmp_path / "b")) == [1, 3]


def test_what_an_earlier_run_left_is_synced_before_it_counts(tmp_path: Path) -> None:
    append(GroupLog(tmp_path))
    ops = FaultyOps()
    log = GroupLog(tmp_path, ops=ops)
    log.refresh()
    assert ops.calls == ["fsync", "fsync"]
    log.refresh()
    assert ops.calls == ["fsync", "fsync"]


def test_a_file_that_cannot_be_synced_at_the_start_is_still_read(tmp_path: Path) -> None:
    append(GroupLog(tmp_path))
    ops = FaultyOps()
    ops.fail_fsyncs = 1
    assert GroupLog(tmp_path, ops=ops).refresh() == 1


def test_a_released_log_goes_on_in_the_same_file(tmp_path: Path) -> None:
    log = GroupLog(tmp_path)
    append(log)
    log.release()
    log.release()
    append(log)
    assert len(files(tmp_path)) == 1
    assert on_disk(tmp_path) == expected(2)


def test_lines_that_do_not_continue_the_log_are_refused(tmp_path: Path) -> None:
    log = GroupLog(tmp_path)
    append(log)
    for wrong in ([line(1)], [line(2), line(4)], [line(4), line(3)], [b"x"], [b'{"seq":2,\n}']):
        with pytest.raises(ValueError, match="of the log was to be written"):
            log.append(wrong)
    log.append([])
    assert on_disk(tmp_path) == expected(1)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("kind", ["fail_writes", "fail_fsyncs"])
def test_a_failed_append_leaves_the_log_as_it_was_and_the_next_one_works(tmp_path: Path, kind: str, code: int) -> None:
    ops = FaultyOps()
    ops.code = code
    log = GroupLog(tmp_path, ops=ops)
    append(log, 2)
    setattr(ops, kind, 1)
    with pytest.raises(AppendFailed) as caught:
        append(log, 3)
    cause = caught.value.__cause__
    assert isinstance(cause, OSError)
    assert cause.errno == code
    assert on_disk(tmp_path) == expected(2)
    append(log)
    assert on_disk(tmp_path) == expected(3)
    assert len(files(tmp_path)) == 1


def test_a_write_that_stops_at_any_byte_leaves_nothing_behind(tmp_path: Path) -> None:
    ops = FaultyOps()
    log = GroupLog(tmp_path, ops=ops)
    append(log)
    for length in range(2 * len(line(1)) + 2):
        ops.torn_after = length
        with pytest.raises(AppendFailed):
            append(log, 2)
        assert on_disk(tmp_path) == expected(1)
    append(log)
    assert on_disk(tmp_path) == expected(2)


def test_short_writes_that_do_not_fail_are_continued(tmp_path: Path) -> None:
    class Stutter(FaultyOps):
        def write(self, fd: int, data: bytes | memoryview) -> int:
            return os.write(fd, data[:7])

    append(GroupLog(tmp_path, ops=Stutter()), 3)
    assert on_disk(tmp_path) == expected(3)


@pytest.mark.parametrize("second", ["fail_truncates", "fail_fsyncs"])
def test_a_failure_that_cannot_be_undone_ends_all_appending(tmp_path: Path, second: str) -> None:
    ops = FaultyOps()
    log = GroupLog(tmp_path, ops=ops)
    append(log)
    ops.torn_after = 5
    setattr(ops, second, 1)
    with pytest.raises(LogUncertain):
        append(log)
    assert log.uncertain
    for _ in range(2):
        with pytest.raises(LogUncertain):
            append(log)
    again = GroupLog(tmp_path)
    append(again)
    assert [f.seq for f in found(tmp_path)] == [1, 2]


def test_a_file_that_cannot_be_made_is_a_failed_append(tmp_path: Path) -> None:
    ops = FaultyOps()
    log = GroupLog(tmp_path, ops=ops)
    ops.fail_fsyncs = 1
    with pytest.raises(AppendFailed):
        append(log)
    assert files(tmp_path) == []
    append(log)
    assert on_disk(tmp_path) == expected(1)
    with pytest.raises(AppendFailed):
        append(GroupLog(tmp_path / "missing"))


def test_a_torn_end_of_an_earlier_run_is_cut_before_the_first_append_and_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    last = line(3)
    for length in range(1, len(last)):
        directory = tmp_path / str(length)
        path = write_file(directory, "old.jsonl", [1, 2])
        good = path.stat().st_size
        with path.open("ab") as file:
            file.write(last[:length])
        log = GroupLog(directory)
        log.refresh()
        assert path.stat().st_size == good + length, "opening alone changes nothing"
        with caplog.at_level(logging.WARNING):
            append(log)
        assert path.read_bytes() == expected(2)
        [cut] = log.cut_tails
        assert (cut.file, cut.offset, cut.length) == (path, good, length)
        assert cut.kept_in.read_bytes() == last[:length]
        assert [(f.seq, f.error, f.torn) for f in found(directory)] == [(s, None, False) for s in (1, 2, 3)]
    assert "never acknowledged" in caplog.text


def test_a_run_after_a_crash_goes_on_in_the_mended_file(tmp_path: Path) -> None:
    append(GroupLog(tmp_path), 2)
    [path] = files(tmp_path)
    with path.open("ab") as file:
        file.write(line(3)[:50])
    append(GroupLog(tmp_path))
    assert files(tmp_path) == [path]
    assert on_disk(tmp_path) == expected(3)


def test_a_whole_last_line_without_line_feed_is_not_cut(tmp_path: Path) -> None:
    path = write_file(tmp_path, "old.jsonl", [1])
    with path.open("ab") as file:
        file.write(line(2))
    log = GroupLog(tmp_path)
    append(log)
    assert log.cut_tails == []
    assert [f.seq for f in found(tmp_path)] == [1, 2, 3]


def test_a_file_of_ours_whose_last_line_feed_is_missing_is_not_gone_on_in(tmp_path: Path) -> None:
    append(GroupLog(tmp_path), 2)
    [path] = files(tmp_path)
    os.truncate(path, path.stat().st_size - 1)
    append(GroupLog(tmp_path))
    assert [(f.seq, f.error) for f in found(tmp_path)] == [(1, None), (2, None), (3, None)]


def test_the_newest_file_is_the_one_with_the_highest_numbers(tmp_path: Path) -> None:
    newest = write_file(tmp_path, "a.jsonl", [3, 4])
    with newest.open("ab") as file:
        file.write(b"torn")
    os.utime(newest, (1, 1))
    write_file(tmp_path, "b.jsonl", [1, 2])
    log = GroupLog(tmp_path)
    append(log)
    assert [cut.file for cut in log.cut_tails] == [newest]


@pytest.mark.parametrize("kind", ["fail_writes", "fail_truncates"])
def test_a_torn_end_that_cannot_be_cut_hinders_nobody(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "old.jsonl"
    path.write_bytes(line(1) + b"\n" + line(2)[:30])
    ops = FaultyOps()
    setattr(ops, kind, 1)
    log = GroupLog(tmp_path, ops=ops)
    append(log)
    assert log.cut_tails == []
    assert [(f.seq, f.torn) for f in found(tmp_path)] == [(1, False), (None, True), (2, False)]


def test_lines_of_another_program_are_noticed_and_numbered_past(tmp_path: Path) -> None:
    log = GroupLog(tmp_path)
    append(log)
    publisher = write_file(tmp_path, "0.jsonl", [2, 3])
    assert log.refresh() == 3
    append(log)
    with publisher.open("ab") as file:
        file.write(line(5) + b"\n")
    append(log)
    assert [f.seq for f in found(tmp_path)] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("change", ["longer", "shorter", "replaced", "gone"])
def test_a_file_that_another_program_touched_is_left_alone(tmp_path: Path, change: str) -> None:
    log = GroupLog(tmp_path)
    append(log, 2)
    [path] = files(tmp_path)
    if change == "longer":
        path.write_bytes(path.read_bytes() + line(3) + b"\n")
    elif change == "shorter":
        os.truncate(path, len(line(1)) + 1)
    elif change == "replaced":
        write_file(tmp_path, "new", [1, 2]).replace(path)
    else:
        path.unlink()
    touched = path.read_bytes() if path.exists() else None
    last = log.refresh()
    assert last == {"longer": 3, "shorter": 1, "replaced": 2, "gone": 0}[change]
    append(log)
    assert touched is None or path.read_bytes() == touched
    assert [f.seq for f in found(tmp_path)] == list(range(1, last + 2))
