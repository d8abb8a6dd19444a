"""Marks beside a log: made once, deleted once, kept in order, and never worse for a damaged file."""

import errno
import json
import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lcg.wal.errors import GroupRefused
from lcg.wal.log import Log
from lcg.wal.marks import Mark, MarkExists, NoSuchMark, list_marks
from tests.wal.samples import MOMENT, FaultyOps, payload

CREATED = MOMENT // 1000 * 1000


def mark(name: str, seq: int | None = 3, generation: str | None = "g1") -> Mark:
    return Mark(name, seq, generation, CREATED)


def test_marks_are_listed_by_name_and_survive_a_restart(tmp_path: Path) -> None:
    marks = [mark("b"), mark("a", None, None), mark("c_-9", 0, "g2")]
    for one in marks:
        Log(tmp_path).create_mark("liminis", one)
    assert Log(tmp_path).marks("liminis") == sorted(marks, key=lambda one: one.name)
    assert Log(tmp_path).marks("other") == []


def test_a_name_is_free_again_once_its_mark_is_deleted(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.create_mark("liminis", mark("a"))
    with pytest.raises(MarkExists):
        log.create_mark("liminis", mark("a", 4))
    log.create_mark("other", mark("a", 5))
    log.delete_mark("liminis", "a")
    assert log.marks("liminis") == []
    with pytest.raises(NoSuchMark):
        log.delete_mark("liminis", "a")
    log.create_mark("liminis", mark("a", 6))
    assert [(one.seq) for group in ("liminis", "other") for one in log.marks(group)] == [6, 5]


def test_of_many_who_take_one_name_or_delete_it_exactly_one_wins(tmp_path: Path) -> None:
    log = Log(tmp_path)

    def create(seq: int) -> bool:
        try:
            log.create_mark("liminis", mark("a", seq))
        except MarkExists:
            return False
        return True

    def delete(_: int) -> bool:
        try:
            log.delete_mark("liminis", "a")
        except NoSuchMark:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        for _ in range(5):
            won = list(pool.map(create, range(16)))
            assert won.count(True) == 1
            assert [one.seq for one in log.marks("liminis")] == [won.index(True)]
            assert list(pool.map(delete, range(16))).count(True) == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff", b'{"seq":"1","created_at_ms":1}', b'{"seq":-1,"created_at_ms":1}', b'{"seq":1}',
     b'{"seq":1,"created_at_ms":99999999999999999}', b'{"seq":1,"created_at_ms":1,"wal_generation":7}'],
)  # fmt: skip
def test_a_damaged_mark_is_passed_over_and_its_name_is_free(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    log = Log(tmp_path)
    log.create_mark("liminis", mark("a"))
    log.create_mark("liminis", mark("b"))
    (tmp_path / "liminis" / ".checkpoints" / "a" / "g1.create.json").write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert log.marks("liminis") == [mark("b")]
    assert "g1.create.json is passed over" in caplog.text
    with pytest.raises(NoSuchMark):
        log.delete_mark("liminis", "a")
    log.create_mark("liminis", mark("a", 7))
    assert [one.seq for one in log.marks("liminis")] == [7, 3]


def test_what_is_no_mark_is_not_taken_for_one(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.create_mark("liminis", mark("a"))
    folder = tmp_path / "liminis" / ".checkpoints"
    (folder / "file").write_text("x")
    (folder / "with blank").mkdir()
    (folder / "empty").mkdir()
    (folder / "a" / "g2.create.json.tmp").write_text("x")
    assert log.marks("liminis") == [mark("a")]


def test_marks_of_the_reference_implementation_are_read(tmp_path: Path) -> None:
    home = tmp_path / "liminis" / ".checkpoints" / "before-merge"
    home.mkdir(parents=True)
    for number, seq in ((1, 5), (2, None)):
        value = {"name": "another", "seq": seq, "created_at_ms": 1772438400123, "wal_generation": None}
        (home / f"g{number}.create.json").write_text(json.dumps(value))
    (home / "g1.delete.json").write_text('{"name":"before-merge","deleted_at_ms":1772438400999}')
    assert list_marks(tmp_path / "liminis") == [Mark("before-merge", None, None, 1_772_438_400_123_000)]


@pytest.mark.parametrize("fault", ["fail_writes", "fail_fsyncs"])
def test_a_disk_that_refuses_leaves_no_mark_behind(tmp_path: Path, fault: str) -> None:
    ops = FaultyOps()
    log = Log(tmp_path, ops=ops)
    log.create_mark("liminis", mark("other"))
    setattr(ops, fault, 1)
    ops.skip_fsyncs = 1  # The directory of the name is made first.
    with pytest.raises(OSError, match="No space left") as caught:
        log.create_mark("liminis", mark("a"))
    assert caught.value.errno == errno.ENOSPC
    assert log.marks("liminis") == [mark("other")]
    log.create_mark("liminis", mark("a"))
    setattr(ops, fault, 1)
    with pytest.raises(OSError, match="No space left"):
        log.delete_mark("liminis", "a")
    assert [one.name for one in log.marks("liminis")] == ["a", "other"]


def test_a_mark_may_come_before_the_first_line_and_makes_no_identity(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.create_mark("Notes", mark("a", None, None))
    with pytest.raises(GroupRefused, match="letter case"):
        log.append("notes", [payload(group_id="notes")])
    with pytest.raises(GroupRefused, match="letter case"):
        log.create_mark("notes", mark("a"))
    stream = log.stream("Notes")
    assert (stream.generation_status, stream.max_seq) == ("not_applicable", None)
    log.append("Notes", [payload(group_id="Notes")])
    assert log.stream("Notes").generation_status == "known"
