"""Indexes of approximate search between runs: saved, loaded, made up for, and never trusted."""

import shutil
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest

from lcg.runtime.groups import ALL_GROUPS
from lcg.search import hnsw
from lcg.search.hnsw import HnswVectors
from lcg.search.hnsw_files import HnswFiles
from lcg.search.protocol import Space, Vector
from lcg.search.vectors import INDEX_FOLDER, SqliteVectorIndex
from tests.search.brute_force import NAME
from tests.search.opened_index import DIM, QUERIES, SPREAD, SWITCH_OVER, Opened, entry


def test_a_saved_index_serves_the_next_run(built: Opened) -> None:
    before = built.index_file.name, built.index_file.stat().st_mtime_ns
    built.reopen()
    built.build()
    assert (built.index_file.name, built.index_file.stat().st_mtime_ns) == before
    assert built.agrees()


def test_removed_rows_are_still_hidden_in_the_next_run(built: Opened) -> None:
    built.remove(*built.nearest(12))
    built.reopen()
    assert built.agrees()


def test_what_changed_after_an_index_was_saved_is_made_up_for(built: Opened, tmp_path: Path) -> None:
    folder, kept = built.folder / INDEX_FOLDER, tmp_path / "kept"
    shutil.copytree(folder, kept)
    built.remove(*range(20))
    built.put(*(entry(number, text=100 + number) for number in range(30, 60)), *(entry(n) for n in range(200, 220)))

    def put_back() -> None:
        shutil.rmtree(folder)
        kept.rename(folder)

    built.reopen(put_back)
    assert built.agrees()
    built.build()
    assert built.agrees()


def _flip(path: Path, at: float) -> None:
    content = bytearray(path.read_bytes())
    content[int(at * len(content))] ^= 0x10
    path.write_bytes(content)


def _edit(path: Path, **said: object) -> None:
    path.write_bytes(orjson.dumps(orjson.loads(path.read_bytes()) | said))


HARM: dict[str, Callable[[Path, Path], object]] = {
    "index gone": lambda index, _: index.unlink(),
    "description gone": lambda _, description: description.unlink(),
    "index empty": lambda index, _: index.write_bytes(b""),
    "index cut": lambda index, _: index.write_bytes(index.read_bytes()[:-100]),
    "index longer": lambda index, _: index.write_bytes(index.read_bytes() + b"\0"),
    "header flipped": lambda index, _: _flip(index, 0.001),
    "vector flipped": lambda index, _: _flip(index, 0.5),
    "end flipped": lambda index, _: _flip(index, 0.999),
    "description cut": lambda _, description: description.write_bytes(description.read_bytes()[:100]),
    "description no object": lambda _, description: description.write_bytes(b"[1]"),
    "another dimension": lambda _, description: _edit(description, dim=DIM + 1),
    "another group": lambda _, description: _edit(description, group_id="h"),
    "other parameters": lambda _, description: _edit(description, m=4),
    "a later format": lambda _, description: _edit(description, format=99),
    "digests of others": lambda _, description: _edit(description, digests="00" * 16 * 56),
    "another plan": lambda _, description: _edit(description, planned=61),
    "no number for a plan": lambda _, description: _edit(description, planned="many"),
    "a file elsewhere": lambda _, description: _edit(description, file="../vectors.db"),
    "a number for a name": lambda _, description: _edit(description, file=7),
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM.keys())
def test_a_damaged_or_foreign_index_is_noticed_and_built_again(
    built: Opened, harm: Callable[[Path, Path], object]
) -> None:
    (description,) = (built.folder / INDEX_FOLDER).glob("*.json")
    files = HnswFiles(built.folder / INDEX_FOLDER, "model", DIM)
    assert files.read((NAME, "g")) is not None

    def damage() -> None:
        harm(built.index_file, description)
        assert files.read((NAME, "g")) is None

    built.reopen(damage)
    assert built.agrees()
    built.build()
    assert built.agrees()
    assert len(built.files) == 2
    good = built.files
    built.reopen()
    built.build()
    assert built.files == good
    assert built.agrees()


def test_indexes_of_another_model_are_not_used(built: Opened) -> None:
    built.index.close()
    other = SqliteVectorIndex(built.folder / "vectors.db", "another model", DIM, switch_over=SWITCH_OVER)
    assert other.search(NAME, QUERIES[0], ALL_GROUPS, 5) == []
    other.close()
    assert built.files == set()


def test_files_that_no_group_uses_are_swept_away(built: Opened) -> None:
    folder = built.folder / INDEX_FOLDER
    used = built.files
    (folder / ("0" * 32 + ".json")).write_bytes(b"{}")
    (folder / ("0" * 32 + ".unfinished")).write_bytes(b"half")
    built.reopen()
    assert built.files == used


def test_the_index_serves_on_when_it_cannot_be_saved(opened: Opened, caplog: pytest.LogCaptureFixture) -> None:
    (opened.folder / INDEX_FOLDER).write_bytes(b"a file where the folder should be")
    opened.put(*(entry(number) for number in range(60)))
    opened.build()
    assert "was not saved" in caplog.text
    assert opened.agrees()
    opened.reopen()
    assert opened.agrees()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_is_noticed_although_the_library_does_not_say_so() -> None:
    index = HnswVectors(DIM, len(SPREAD))
    with pytest.raises(OSError, match="not written completely"):
        index.save(Path("/dev/full"))


def test_an_index_cut_short_by_a_full_disk_is_not_kept(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    save = HnswVectors.save

    def cut(self: HnswVectors, path: Path) -> None:
        save(self, path)
        path.write_bytes(path.read_bytes()[:-10])
        raise OSError("no space left on device")

    monkeypatch.setattr(HnswVectors, "save", cut)
    opened.put(*(entry(number) for number in range(60)))
    opened.build()
    assert opened.files == set()
    assert "no space left" in caplog.text
    assert opened.agrees()


def test_results_of_a_loaded_index_are_those_of_the_saved_one(tmp_path: Path) -> None:
    place = (NAME, "g")
    files = HnswFiles(tmp_path, "model", DIM)
    index = HnswVectors(DIM, len(SPREAD))
    index.reserve(len(SPREAD))
    index.add([hnsw.digest_of(row) for row in SPREAD], SPREAD, 2)
    index.look_at(10)
    files.write(place, index)
    loaded = files.read(place)
    assert loaded is not None
    loaded.look_at(10)
    for query in QUERIES:
        assert _answer(loaded, query) == _answer(index, query)


def _answer(index: HnswVectors, query: Vector) -> tuple[list[int], list[float]]:
    labels, cosines = index.nearest(query, 10)
    return labels, cosines.tolist()


def test_going_over_to_another_model_ends_what_is_built_for_the_one_of_before(opened: Opened) -> None:
    for number in range(SWITCH_OVER + 5):
        opened.put(entry(number))
    opened.index.enter(Space("another model", DIM))
    opened.index.learn({str(number): vector for number, vector in enumerate(SPREAD)})
    assert opened.index.fill([entry(number) for number in range(SWITCH_OVER + 5)]) == 0, "their texts are not known"
    opened.put(*(entry(number) for number in range(SWITCH_OVER + 5)))
    opened.build()
    assert opened.agrees()
    assert {said["model"] for said in opened.descriptions} == {"another model"}


def test_a_saved_index_that_became_too_small_is_removed_unread(built: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    built.index.close()
    monkeypatch.setattr(HnswVectors, "load", lambda *_: pytest.fail("it takes memory for nothing"))
    grown = SqliteVectorIndex(built.folder / "vectors.db", "model", DIM, switch_over=10 * SWITCH_OVER)
    assert built.files == set()
    query = QUERIES[0]
    assert len(grown.search(NAME, query, ALL_GROUPS, 100)) == len(built.rows)
    grown.close()
