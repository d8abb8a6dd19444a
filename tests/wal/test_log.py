import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lcg.graph.positions import pending
from lcg.model.names import decode_group
from lcg.model.operations import EntityDelete, EntityPut, Record
from lcg.store.protocol import Position
from lcg.wal import codec
from lcg.wal import log as log_module
from lcg.wal.directory import group_directory
from lcg.wal.errors import AppendFailed, GroupRefused, LogUncertain, RecordRefused, RecordTooLarge
from lcg.wal.excluded import Excluded
from lcg.wal.log import Log, Payload
from lcg.wal.stream import Stream
from tests.wal.samples import GROUP, FaultyOps, entity, line, payload, write_file


def test_records_come_back_numbered_and_are_in_the_log(tmp_path: Path) -> None:
    log = Log(tmp_path / "wal")
    first = log.append(GROUP, [payload(1)])
    more = log.append(GROUP, [payload(2), payload(3)])
    assert [record.seq for record in first + more] == [1, 2, 3]
    assert [record.operations for record in more] == [payload(2).operations, payload(3).operations]
    assert [found.record for found in log.read(GROUP)] == first + more
    assert [found.record for found in Log(tmp_path / "wal").read_after(GROUP, 2)] == more[1:]


def test_nothing_exists_before_the_first_write(tmp_path: Path) -> None:
    log = Log(tmp_path / "wal")
    stream = log.stream(GROUP)
    assert (stream.exists, stream.file_count, stream.byte_size, stream.max_seq) == (False, 0, 0, None)
    assert (stream.generation, stream.generation_status) == (None, "not_applicable")
    assert stream.excluded == Excluded(None)
    assert (log.groups(), list(log.read(GROUP)), log.append(GROUP, [])) == ([], [], [])
    assert not (tmp_path / "wal").exists()


def test_the_first_write_makes_the_directory_and_one_lasting_identity(tmp_path: Path) -> None:
    log = Log(tmp_path / "wal")
    log.append(GROUP, [payload()])
    minted = log.stream(GROUP)
    assert (minted.exists, minted.file_count, minted.max_seq, minted.generation_status) == (True, 1, 1, "known")
    log.append(GROUP, [payload()])
    again = Log(tmp_path / "wal").stream(GROUP)
    assert (again.generation, again.max_seq) == (minted.generation, 2)
    assert again.byte_size == sum(path.stat().st_size for path in (tmp_path / "wal" / GROUP).glob("*.jsonl"))
    other = Log(tmp_path / "wal")
    other.append("other", [payload(group_id="other")])
    assert other.stream("other").generation != minted.generation


def test_a_log_without_identity_gets_one_with_the_first_write(tmp_path: Path) -> None:
    write_file(tmp_path / GROUP, "published.jsonl", [1, 2])
    log = Log(tmp_path)
    assert (log.stream(GROUP).generation, log.stream(GROUP).generation_status) == (None, "unknown")
    log.append(GROUP, [payload()])
    assert log.stream(GROUP).generation_status == "known"
    assert log.stream(GROUP).max_seq == 3


def test_a_publishers_identity_is_kept_and_a_changed_one_is_noticed(tmp_path: Path) -> None:
    write_file(tmp_path / GROUP, "published.jsonl", [1])
    identity = tmp_path / GROUP / ".wal-generation.json"
    identity.write_text('{ "generation": "build 7", "by": "publisher" }')
    log = Log(tmp_path)
    log.append(GROUP, [payload()])
    assert log.stream(GROUP).generation == "build 7"
    identity.write_text('{"generation": "build 8"}')
    assert log.stream(GROUP).generation == "build 8"
    identity.unlink()
    assert log.stream(GROUP).generation_status == "unknown"


def test_a_damaged_identity_without_lines_is_unknown_until_the_first_write(tmp_path: Path) -> None:
    (tmp_path / GROUP).mkdir()
    (tmp_path / GROUP / ".wal-generation.json").write_text("{")
    log = Log(tmp_path)
    assert log.stream(GROUP).generation_status == "unknown"
    log.append(GROUP, [payload()])
    assert log.stream(GROUP).generation_status == "known"


def test_a_caller_that_has_not_seen_every_line_is_refused(tmp_path: Path) -> None:
    def admit(stream: Stream) -> None:
        if (stream.max_seq or 0) != seen:
            raise LookupError(stream.max_seq)

    log, seen = Log(tmp_path), 0
    log.append(GROUP, [payload()], admit=admit)
    write_file(tmp_path / GROUP, "foreign.jsonl", [2])
    seen = 1
    with pytest.raises(LookupError, match="2"):
        log.append(GROUP, [payload()], admit=admit)
    seen = 2
    assert [record.seq for record in log.append(GROUP, [payload()], admit=admit)] == [3]


def test_one_record_that_cannot_be_written_stops_the_whole_append_and_is_named(tmp_path: Path) -> None:
    log = Log(tmp_path / "wal")
    foreign = Payload("test", (EntityPut(entity(1, "other")),))
    for bad in (foreign, Payload("test", (EntityDelete(""),)), payload(name="\ud800")):
        with pytest.raises(RecordRefused) as caught:
            log.append(GROUP, [payload(1), bad])
        assert caught.value.index == 1
        with pytest.raises(RecordRefused):
            log.check(GROUP, bad)
    assert not (tmp_path / "wal").exists()


def test_a_record_above_64_mib_is_refused_before_anything_happens(tmp_path: Path) -> None:
    log = Log(tmp_path / "wal")
    huge = payload(summary="x" * codec.MAX_LINE_BYTES)
    with pytest.raises(RecordTooLarge) as caught:
        log.append(GROUP, [payload(), huge])
    assert caught.value.index == 1
    assert caught.value.size > caught.value.limit == 64 * 1024 * 1024
    with pytest.raises(RecordTooLarge):
        log.check(GROUP, huge)
    log.check(GROUP, payload())
    assert not (tmp_path / "wal").exists()


def test_the_check_refuses_what_would_be_too_long_at_a_later_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Log(tmp_path)
    [first] = log.append(GROUP, [payload()])
    last = Record(GROUP, codec.MAX_SEQ, first.written_at, first.origin, first.operations)
    for shorter in (1, 18):
        monkeypatch.setattr(codec, "MAX_LINE_BYTES", len(codec.encode(last)) - shorter)
        with pytest.raises(RecordTooLarge):
            log.check(GROUP, payload())


@pytest.mark.parametrize(
    "group_id",
    [
        "月面",
        "🚀",
        "a/b",
        "../../etc",
        "..",
        ".",
        ".hidden",
        "a b",
        "100%",
        "a%2Fb",
        "C:\\x",
        "ß",
        "-",
        "x" * 200,
        "月" * 22,
    ],
)
def test_any_group_id_has_its_own_directory_inside_the_root(tmp_path: Path, group_id: str) -> None:
    root = tmp_path / "wal"
    log = Log(root)
    log.append(group_id, [payload(group_id=group_id)])
    assert log.groups() == [group_id]
    [directory] = root.iterdir()
    assert decode_group(directory.name) == group_id
    assert list(tmp_path.iterdir()) == [root]
    assert Log(root).stream(group_id).max_seq == 1


@given(st.text(min_size=1, max_size=30))
def test_a_group_directory_is_always_a_direct_child_of_the_root(group_id: str) -> None:
    root = Path("/root/of/logs")
    try:
        directory = group_directory(root, group_id)
    except GroupRefused:
        return
    assert directory.parent == root
    assert directory.resolve().parent == root
    assert len(directory.name) <= 200
    assert decode_group(directory.name) == group_id


@pytest.mark.parametrize("group_id", ["", "  ", "a\0b", "a\nb", "x" * 201, "月" * 23, "\ud800"])
def test_a_group_id_that_cannot_have_a_directory_is_refused(tmp_path: Path, group_id: str) -> None:
    log = Log(tmp_path / "wal")
    with pytest.raises(GroupRefused):
        log.append(group_id, [payload(group_id=group_id)])
    with pytest.raises(GroupRefused):
        log.stream(group_id)
    assert not (tmp_path / "wal").exists()


@pytest.mark.parametrize(("first", "second"), [("Apollo", "apollo"), ("STRASSE", "straße"), ("Éclair", "éclair")])
def test_of_two_ids_that_differ_by_case_only_the_second_is_refused(tmp_path: Path, first: str, second: str) -> None:
    log = Log(tmp_path)
    log.append(first, [payload(group_id=first)])
    for writer in (log, Log(tmp_path)):
        with pytest.raises(GroupRefused) as caught:
            writer.append(second, [payload(group_id=second)])
        assert caught.value.collides_with == first
    assert log.groups() == [first]
    log.append(first, [payload(group_id=first)])


def test_entries_of_the_root_that_are_no_group_are_passed_over(tmp_path: Path) -> None:
    for name in ("good", "%E6%9C%88", "%e6%9c%88", "a b", ".marks", "%41", "%FF", "%2"):
        (tmp_path / name).mkdir()
    (tmp_path / "file").touch()
    assert Log(tmp_path).groups() == ["good", "月"]


def test_pending_lines_are_those_neither_applied_nor_left_out(tmp_path: Path) -> None:
    log = Log(tmp_path)

    def waiting(applied: int) -> int:
        stream = log.stream(GROUP)
        return pending(stream, Position(GROUP, applied, stream.generation))

    assert waiting(0) == 0
    log.append(GROUP, [payload(n) for n in range(1, 11)])
    assert [waiting(applied) for applied in (0, 4, 10, 11)] == [10, 6, 0, 0]
    nothing = log.stream(GROUP).excluded
    log.save_excluded(GROUP, nothing.leaving_out(3, 5).skipping_purge(9, 9))
    assert [waiting(applied) for applied in (0, 4, 8, 9)] == [6, 4, 1, 1]
    log.save_excluded(GROUP, nothing.leaving_out(5, 10))
    assert [waiting(applied) for applied in (0, 4)] == [4, 0]
    write_file(tmp_path / GROUP, "foreign.jsonl", [20, 21])
    assert waiting(4) == 2, "the gap between 10 and 20 holds no line"
    write_file(tmp_path / GROUP, "again.jsonl", [21, 21, 30])
    assert [waiting(applied) for applied in (4, 20, 29, 30)] == [5, 4, 1, 0]


def test_what_is_left_out_counts_for_its_generation_only(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(GROUP, [payload(n) for n in (1, 2, 3)])
    log.save_excluded(GROUP, log.stream(GROUP).excluded.leaving_out(2, 3))
    assert Log(tmp_path).stream(GROUP).excluded.everything == ((2, 3),)
    (tmp_path / GROUP / ".wal-generation.json").write_text('{"generation":"another"}')
    assert log.stream(GROUP).excluded == Excluded("another")


def test_a_damaged_list_of_what_is_left_out_is_reported_not_ignored(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(GROUP, [payload()])
    (tmp_path / GROUP / ".wal-excluded.json").write_text("{")
    assert ".wal-excluded.json" in (log.stream(GROUP).excluded_error or "")
    log.save_excluded(GROUP, log.stream(GROUP).excluded)
    assert log.stream(GROUP).excluded_error is None


def test_many_threads_get_numbers_without_gap_and_their_lines_are_whole(tmp_path: Path) -> None:
    log = Log(tmp_path, max_events=50)
    groups = ["a", "b"]
    given: dict[str, list[int]] = {group_id: [] for group_id in groups}

    def work(number: int) -> None:
        group_id = groups[number % 2]
        for turn in range(20):
            records = log.append(group_id, [payload(turn, group_id)] * (1 + turn % 3))
            given[group_id].extend(record.seq for record in records)
            log.stream(group_id)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for group_id in groups:
        assert sorted(given[group_id]) == list(range(1, len(given[group_id]) + 1))
        found = list(Log(tmp_path).read(group_id))
        assert [line.seq for line in found] == sorted(given[group_id])
        assert all(line.record for line in found)


def test_threads_that_create_colliding_groups_at_once_get_one_of_them(tmp_path: Path) -> None:
    log = Log(tmp_path)
    refused: list[str] = []

    def work(group_id: str) -> None:
        try:
            log.append(group_id, [payload(group_id=group_id)])
        except GroupRefused:
            refused.append(group_id)

    names = ["apollo", "Apollo", "aPollo", "APOLLO"]
    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 3
    assert len(log.groups()) == 1


def test_few_files_are_open_however_many_groups_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "_MAX_OPEN_FILES", 3)
    log = Log(tmp_path)
    for _ in range(2):
        for number in range(8):
            log.append(f"g{number}", [payload(group_id=f"g{number}")])
    fds = [path for path in Path("/proc/self/fd").iterdir() if str(tmp_path) in str(path.resolve())]
    assert len(fds) == 3
    assert [log.stream(f"g{n}").file_count for n in range(8)] == [1] * 8
    log.close()
    assert not [path for path in Path("/proc/self/fd").iterdir() if str(tmp_path) in str(path.resolve())]


def test_a_disk_that_refuses_changes_nothing_and_says_so(tmp_path: Path) -> None:
    ops = FaultyOps()
    log = Log(tmp_path / "wal", ops=ops)
    ops.fail_fsyncs = 1
    with pytest.raises(AppendFailed):
        log.append(GROUP, [payload()])
    log.append(GROUP, [payload()])
    ops.fail_writes = 1
    with pytest.raises(AppendFailed):
        log.append(GROUP, [payload()])
    assert log.stream(GROUP).max_seq == 1
    assert log.uncertain_groups == []
    ops.torn_after, ops.fail_truncates = 3, 1
    for _ in range(2):
        with pytest.raises(LogUncertain):
            log.append(GROUP, [payload()])
    assert log.uncertain_groups == [GROUP]
    assert [found.seq for found in log.read(GROUP) if found.record] == [1]


def test_a_log_that_cannot_be_read_takes_no_lines(tmp_path: Path) -> None:
    (tmp_path / GROUP).write_text("a file where the directory should be")
    with pytest.raises(AppendFailed):
        Log(tmp_path).append(GROUP, [payload()])


def test_a_cut_torn_end_is_told(tmp_path: Path) -> None:
    path = write_file(tmp_path / GROUP, "old.jsonl", [1])
    with path.open("ab") as file:
        file.write(line(2)[:9])
    log = Log(tmp_path)
    assert log.cut_tails == []
    assert [record.seq for record in log.append(GROUP, [payload()])] == [2]
    assert [(cut.file, cut.length) for cut in log.cut_tails] == [(path, 9)]


def test_a_directory_that_was_removed_is_made_again_as_a_new_stream(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.append(GROUP, [payload()])
    before = log.stream(GROUP).generation
    for path in (tmp_path / GROUP).iterdir():
        path.unlink()
    (tmp_path / GROUP).rmdir()
    assert log.stream(GROUP).max_seq is None
    assert [record.seq for record in log.append(GROUP, [payload()])] == [1]
    assert log.stream(GROUP).generation not in (None, before)
