"""Files are lost or damaged while the service is down; the next start mends everything by itself, from the log."""

import random
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.ledger import Ledger, some_writes
from tests.faults.picture import Picture, take_picture
from tests.processes import Refused, daemon

pytestmark = pytest.mark.e2e

STORE = Path("db/liminis.db")
ENGINE_LOG = Path("db/liminis.db.wal")
TEXT = Path("search/text.db")
VECTORS = Path("search/vectors.db")


def delete(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def keep_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def keep_a_page_less(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4096])


def spoil_the_head(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(random.Random(1).randbytes(64))


def spoil_everything(path: Path) -> None:
    path.write_bytes(random.Random(2).randbytes(path.stat().st_size))


def append_rubbish(path: Path) -> None:
    with path.open("ab") as file:
        file.write(random.Random(3).randbytes(5000))


Damage = tuple[Path, Callable[[Path], None]]


@dataclass(frozen=True)
class Sample:
    """A workspace that was killed: its directory, what was acknowledged, and what it held."""

    directory: Path
    ledger: Ledger
    picture: Picture

    def copy_to(self, workspace: Path, *damages: Damage) -> None:
        """Make a copy and damage it."""
        shutil.copytree(self.directory / ".lcg", workspace / ".lcg", ignore=shutil.ignore_patterns("*.sock"))
        for path, harm in damages:
            harm(workspace / ".lcg" / path)

    def check(self, workspace: Path) -> str:
        """Start a service on a copy and check that nothing is missing, nothing was made up, and writing goes on."""
        with daemon(workspace) as service, service.client() as client:
            picture = take_picture(client)
            assert picture == self.picture
            self.ledger.check(picture)
            self.ledger.found.clear()
            self.ledger.check_search(client)
            some_writes(Ledger(), client, "later")
            take_picture(client)
            return service.errors


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """A workspace with a checkpoint behind it, writes since then to old groups and to a new one, and a kill."""
    directory = tmp_path_factory.mktemp("sample")
    ledger = Ledger()
    with daemon(directory) as service:
        with service.client() as client:
            some_writes(ledger, client, "before")
        assert service.end() == 0
    with daemon(directory) as service:
        with service.client() as client:
            some_writes(ledger, client, "after", ("liminis", "new"))
            picture = take_picture(client)
        service.kill()
    assert (directory / ".lcg" / ENGINE_LOG).stat().st_size > 0
    return Sample(directory, ledger, picture)


DAMAGES: list[Damage] = [
    (STORE, delete),
    (STORE, empty),
    (STORE, keep_half),
    (STORE, keep_a_page_less),
    (STORE, spoil_the_head),
    (ENGINE_LOG, delete),
    (ENGINE_LOG, keep_half),
    (ENGINE_LOG, spoil_the_head),
    (ENGINE_LOG, append_rubbish),
    (TEXT, spoil_everything),
    (VECTORS, keep_half),
]


def name_of(value: object) -> str | None:
    return value.stem + value.suffix if isinstance(value, Path) else getattr(value, "__name__", None)


@pytest.mark.parametrize(("path", "harm"), DAMAGES, ids=name_of)
def test_one_damaged_file_is_mended(sample: Sample, tmp_path: Path, path: Path, harm: Callable[[Path], None]) -> None:
    sample.copy_to(tmp_path, (path, harm))
    said = sample.check(tmp_path)
    set_aside = list((tmp_path / ".lcg" / "db").glob("liminis.db.corrupt-*"))
    if path == STORE and harm not in (delete, keep_a_page_less):
        assert set_aside
        assert "set aside" in said


TOGETHER: dict[str, list[Damage]] = {
    "indexes deleted": [(TEXT, delete), (VECTORS, delete)],
    "indexes halved": [(TEXT, keep_half), (VECTORS, keep_half)],
    "store spoilt, engine log spoilt": [(STORE, spoil_the_head), (ENGINE_LOG, spoil_everything)],
    "store halved, indexes spoilt": [(STORE, keep_half), (TEXT, spoil_everything), (VECTORS, spoil_everything)],
    "engine log spoilt, indexes deleted": [(ENGINE_LOG, spoil_everything), (TEXT, delete), (VECTORS, delete)],
    "all four halved": [(path, keep_half) for path in (STORE, ENGINE_LOG, TEXT, VECTORS)],
}


@pytest.mark.parametrize("damages", TOGETHER.values(), ids=TOGETHER.keys())
def test_several_damaged_files_are_mended(sample: Sample, tmp_path: Path, damages: Sequence[Damage]) -> None:
    sample.copy_to(tmp_path, *damages)
    sample.check(tmp_path)


@pytest.fixture(scope="module")
def closed(sample: Sample, tmp_path_factory: pytest.TempPathFactory) -> Sample:
    """The same workspace after a clean end."""
    directory = tmp_path_factory.mktemp("closed")
    sample.copy_to(directory)
    with daemon(directory) as service:
        assert service.end() == 0
    return Sample(directory, sample.ledger, sample.picture)


def turn_letters_over(path: Path) -> None:
    """Change one bit in each text that is stored as it is, which no program notices that only reads it."""
    content = path.read_bytes()
    assert b"known of" in content
    path.write_bytes(content.replace(b"known of", b"jnown of"))


def turn_numbers_over(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(len(content) // 2, len(content), 61):
        content[place] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("path", "harm"), [(STORE, turn_letters_over), (TEXT, turn_letters_over), (VECTORS, turn_numbers_over)], ids=name_of
)
def test_bits_that_turned_over_since_a_clean_end_are_noticed(
    closed: Sample, tmp_path: Path, path: Path, harm: Callable[[Path], None]
) -> None:
    closed.copy_to(tmp_path, (path, harm))
    assert f"{path.name} is not what it was when it was closed" in closed.check(tmp_path)


def test_files_that_are_as_they_were_at_a_clean_end_are_left_alone(closed: Sample, tmp_path: Path) -> None:
    closed.copy_to(tmp_path)
    said = closed.check(tmp_path)
    assert "anew" not in said
    assert "is not what it was" not in said
    assert not list((tmp_path / ".lcg" / "db").glob("*.corrupt-*"))


def test_everything_but_the_log_may_go(sample: Sample, tmp_path: Path) -> None:
    sample.copy_to(tmp_path)
    for part in ("db", "search"):
        shutil.rmtree(tmp_path / ".lcg" / part)
    (tmp_path / ".lcg" / "lock").unlink()
    sample.check(tmp_path)


def spoil_some_pages(path: Path) -> None:
    """Fill pages in the middle with rubbish: the engine has no checksums, and may crash over such a page."""
    chance = random.Random(4)
    content = bytearray(path.read_bytes())
    used = [start for start in range(4096, len(content), 4096) if any(content[start : start + 4096])]
    for start in chance.sample(used, 50):
        content[start : start + 4096] = chance.randbytes(4096)
    path.write_bytes(content)


def test_a_store_that_kills_whoever_opens_it_is_set_aside_by_the_second_start(sample: Sample, tmp_path: Path) -> None:
    sample.copy_to(tmp_path, (STORE, spoil_some_pages))
    with daemon(tmp_path, state=None) as first, suppress(AssertionError):
        first.wait_until("healthy")
    assert "set aside" in sample.check(tmp_path) + first.errors
    assert list((tmp_path / ".lcg" / "db").glob("liminis.db.corrupt-*"))


def test_a_sound_store_whose_opening_was_cut_short_is_kept(sample: Sample, tmp_path: Path) -> None:
    sample.copy_to(tmp_path)
    (tmp_path / ".lcg" / "db" / "liminis.db.opening").touch()
    assert "set aside" not in sample.check(tmp_path)
    left = {path.suffix.partition("-")[0] for path in (tmp_path / ".lcg" / "db").iterdir()}
    assert not left & {".opening", ".unfinished", ".corrupt"}


def test_a_store_whose_making_was_cut_short_is_made_again(sample: Sample, tmp_path: Path) -> None:
    sample.copy_to(tmp_path, (STORE, keep_half))
    (tmp_path / ".lcg" / "db" / "liminis.db.unfinished").touch()
    sample.check(tmp_path)
    new = tmp_path / "new"
    (new / ".lcg" / "db").mkdir(parents=True)
    for name in ("liminis.db", "liminis.db.unfinished"):
        (new / ".lcg" / "db" / name).touch()
    with daemon(new) as service, service.client() as client:
        assert client.result("knowledge_assert_entity", name="Ada")["created"]


def test_without_hydration_the_groups_stay_ahead_of_the_graph_and_reads_say_so(sample: Sample, tmp_path: Path) -> None:
    sample.copy_to(tmp_path, (STORE, spoil_the_head))
    # The second start finds an empty store that is sound, which is no reason to fill it.
    for _ in range(2):
        with daemon(tmp_path, env={"LCG_AUTO_HYDRATE": "0"}) as service, service.client() as client:
            status = client.result("knowledge_status")
            assert status["entity_count"] == 0
            assert {facts["hydration_status"] for facts in status["wal_groups"].values()} == {"wal_ahead"}
            answer = client.result("knowledge_find_entities", query="before")
            assert answer["nodes"] == []
            assert {warning["type"] for warning in answer["warnings"]} == {"wal_ahead"}
            assert {warning["group_id"] for warning in answer["warnings"]} == {"liminis", "team", "new"}
            with pytest.raises(Refused, match="knowledge_rebuild_from_wal") as refused:
                client.result("knowledge_assert_entity", name="Ada")
            assert refused.value.kind == "precondition"


@pytest.mark.parametrize("harm", [empty, keep_half])
def test_a_ruined_store_without_a_log_is_never_taken_for_an_empty_one(
    sample: Sample, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    sample.copy_to(tmp_path, (STORE, harm))
    shutil.rmtree(tmp_path / ".lcg" / "wal")
    ruin = (tmp_path / ".lcg" / STORE).read_bytes()
    with daemon(tmp_path, state="degraded") as service, service.client() as client:
        health = client.result("health_check")
        assert (health["ok"], health["reason"]) == (False, "store_unreadable")
        status = client.result("knowledge_status")
        assert (status["degraded"], status["reason"], status["connected"]) == (True, "store_unreadable", False)
        calls = {"knowledge_assert_entity": {"name": "Ada"}, "knowledge_find_entities": {"query": "Ada"}}
        for method, params in calls.items():
            with pytest.raises(Refused) as refused:
                client.result(method, **params)
            assert refused.value.code == -32001
            assert refused.value.message == "DB unavailable, recovery required"
        assert client.result("knowledge_close") == {"status": "closed"}
        assert service.status() == 0
    assert (tmp_path / ".lcg" / STORE).read_bytes() == ruin
