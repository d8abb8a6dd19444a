"""From one flat log to one directory per group: every line arrives whole, and no crash loses or doubles any."""

import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lcg.migrations import flat_log
from lcg.migrations.flat_log import split_flat_log
from lcg.migrations.line_groups import LineGroups
from lcg.wal.census import Census
from lcg.wal.identity import read_identity
from lcg.wal.log import Log
from lcg.wal.marks import Mark
from tests.migrations.crashing import crashes
from tests.wal.samples import line as our_line


def line(seq: int, cypher: str = "", **params: Any) -> bytes:
    value = {"seq": seq, "ts": "2026-04-01T10:00:00.000000+00:00", "db": "", "cypher": cypher, "params": params}
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


ONE = [
    line(0, "CREATE (n:Entity {...})", uuid="n1", group_id="a"),
    line(1, "CREATE (n:Entity {...})", uuid="n2", group_id="b b"),
    line(2, "MATCH (e:Entity {uuid: $uuid}) SET e.summary = $summary", uuid="n2", summary="s"),
    line(3, "MATCH (e:Entity {uuid: 'n1'}) SET e.summary = 's'"),
    line(4, "MATCH (n) RETURN n"),
]
TWO = [
    line(5, "MATCH (src ...) CREATE ...", src="n2", rn="unknown", dst="n2"),
    b"no line at all\n",
    line(6, "MATCH (n) WHERE n.group_id IN $gids DETACH DELETE n", gids=["a", "b b"]),
    line(7, "CREATE (n:Entity {uuid: 'n9', group_id: 'c'})"),
    b'{"seq":8,"ts":"torn',
]
EXPECTED = {
    "a": [ONE[0], ONE[3], TWO[2]],
    "b%20b": [ONE[1], ONE[2], TWO[0], TWO[1], TWO[2]],
    "c": [TWO[3], TWO[4]],
    "liminis": [ONE[4]],
}


def write(root: Path, one: list[bytes] = ONE, two: list[bytes] = TWO) -> None:
    root.mkdir(exist_ok=True)
    # The second file comes first by name; the numbers decide.
    (root / "z.jsonl").write_bytes(b"".join(one))
    (root / "a.jsonl").write_bytes(b"".join(two))
    (root / ".wal-bounds.json").write_text("{}")


def lines_of(directory: Path) -> list[bytes]:
    census = Census(directory)
    census.refresh()
    return [piece for file in census.files for piece in file.path.read_bytes().splitlines(keepends=True)]


def groups_in(root: Path) -> dict[str, list[bytes]]:
    return {path.name: lines_of(path) for path in sorted(root.iterdir()) if path.is_dir()}


def test_every_line_goes_to_the_group_that_it_names_or_whose_rows_it_names(tmp_path: Path) -> None:
    write(tmp_path)
    split_flat_log(tmp_path)
    assert groups_in(tmp_path) == EXPECTED
    assert [path for path in tmp_path.iterdir() if path.is_file()] == []
    assert Log(tmp_path).groups() == ["a", "b b", "c", "liminis"]
    generations = {read_identity(tmp_path / group).generation for group in EXPECTED}
    assert len(generations) == 4
    assert None not in generations
    split_flat_log(tmp_path)
    assert groups_in(tmp_path) == EXPECTED


def test_a_log_of_one_group_keeps_its_identity_and_its_marks(tmp_path: Path) -> None:
    write(tmp_path, [line(0, group_id="a", uuid="n1")], [line(1, uuid="n1")])
    (tmp_path / ".wal-generation.json").write_text('{"generation":"g1"}')
    Log(tmp_path).create_mark("donor", Mark("m", 1, "g1", 0))
    (tmp_path / "donor" / ".checkpoints").rename(tmp_path / ".checkpoints")
    (tmp_path / "donor").rmdir()
    split_flat_log(tmp_path)
    assert read_identity(tmp_path / "a").generation == "g1"
    assert Log(tmp_path).marks("a") == [Mark("m", 1, "g1", 0)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


def test_lines_of_our_own_name_their_group_too(tmp_path: Path) -> None:
    write(tmp_path, [our_line(1, "x") + b"\n"], [our_line(2, "y") + b"\n"])
    split_flat_log(tmp_path)
    assert sorted(groups_in(tmp_path)) == ["x", "y"]


@pytest.mark.parametrize("group_id", ["", "  ", "a\nb", "x" * 201])
def test_a_group_that_cannot_be_one_counts_as_the_default(tmp_path: Path, group_id: str) -> None:
    write(tmp_path, [line(0, group_id=group_id)], [])
    split_flat_log(tmp_path)
    assert sorted(groups_in(tmp_path)) == ["liminis"]


def test_no_group_can_lead_out_of_the_root(tmp_path: Path) -> None:
    root = tmp_path / "wal"
    write(root, [line(0, group_id="../../evil"), line(1, group_id="..")], [])
    split_flat_log(root)
    assert sorted(groups_in(root)) == ["%2E%2E", "%2E%2E%2F%2E%2E%2Fevil"]
    assert [path.name for path in tmp_path.iterdir()] == ["wal"]


def test_after_a_crash_anywhere_the_next_start_completes_it(tmp_path: Path) -> None:
    root = tmp_path / "wal"

    def prepare() -> None:
        shutil.rmtree(root, ignore_errors=True)
        write(root)
        Log(root).create_mark("a", Mark("kept", None, None, 0))

    for _ in crashes(lambda: split_flat_log(root), prepare):
        split_flat_log(root)
        assert groups_in(root) == EXPECTED
        assert [mark.name for mark in Log(root).marks("a")] == ["kept"]
        assert read_identity(root / "a").status == "known"
        assert [path.name for path in root.iterdir() if path.name not in EXPECTED] == []


def test_beside_a_log_of_its_own_a_group_gets_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path)
    (tmp_path / "b%20b").mkdir()
    (tmp_path / "b%20b" / "own.jsonl").write_bytes(line(0, group_id="b b"))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with caplog.at_level(logging.ERROR):
        split_flat_log(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert "they are left alone" in caplog.text


def test_a_file_that_grew_meanwhile_is_not_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path)
    identify = flat_log._identify

    def and_meanwhile(*args: Any, **more: Any) -> None:
        identify(*args, **more)
        (tmp_path / "z.jsonl").write_bytes(b"".join(ONE) + line(99))

    monkeypatch.setattr(flat_log, "_identify", and_meanwhile)
    split_flat_log(tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["z.jsonl"]


def test_a_copy_that_differs_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path)

    class Rotten(flat_log._Written):
        def finish(self) -> None:
            super().finish()
            path = next(iter(self._files.values())).path
            path.write_bytes(path.read_bytes().swapcase())
            super().finish()

    with monkeypatch.context() as patch:
        patch.setattr(flat_log, "_Written", Rotten)
        with pytest.raises(OSError, match="differs"):
            split_flat_log(tmp_path)
    assert lines_of(tmp_path) == [*ONE, *TWO]
    split_flat_log(tmp_path)
    assert groups_in(tmp_path) == EXPECTED


def test_a_line_longer_than_any_that_can_be_read_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flat_log, "MAX_LINE_BYTES", 1_000)
    long = b"x" * 5_000 + b"\n"
    write(tmp_path, [line(0, group_id="a"), long, line(1, group_id="b")], [])
    split_flat_log(tmp_path)
    assert groups_in(tmp_path) == {"a": [line(0, group_id="a"), long], "b": [line(1, group_id="b")]}


def test_more_groups_than_files_may_be_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flat_log, "_MAX_OPEN", 3)
    lines = [line(seq, group_id=f"g{seq % 10}") for seq in range(100)]
    write(tmp_path, lines, [])
    split_flat_log(tmp_path)
    assert groups_in(tmp_path) == {f"g{number}": lines[number::10] for number in range(10)}


def test_an_empty_root_stays_as_it_is(tmp_path: Path) -> None:
    split_flat_log(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()
    (tmp_path / "a").mkdir()
    split_flat_log(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


_json = st.recursive(
    st.none() | st.integers() | st.text(max_size=5), lambda c: st.lists(c) | st.dictionaries(st.text(), c)
)


@given(st.dictionaries(st.sampled_from(["group", "params", "cypher", "seq"]), _json))
@settings(deadline=None)
def test_whatever_a_line_holds_it_gets_groups_or_none(content: dict[str, Any]) -> None:
    groups = LineGroups().of(json.dumps(content).encode())
    assert groups is None or all(isinstance(group, str) for group in groups)
