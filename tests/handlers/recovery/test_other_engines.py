"""A start that finds the store of another engine: that is set aside, unharmed, and the logs fill a new one."""

from pathlib import Path

import pytest

from lcg.store.files import StoreFiles
from lcg.store.kuzu.engine import format_of_engine
from lcg.store.kuzu.formats import format_of
from tests.handlers.recovery.test_beside_others import phases
from tests.handlers.recovery.workspace import BACKUP, ENGINE_LOG, NAMES, STORE, assert_whole, service_over
from tests.store.engine_name import ENGINE, OTHER_ENGINE, begin_file_of


def set_aside(root: Path, engine: str) -> dict[str, bytes]:
    """Return what was set aside as that engine's, by its name without engine and time."""
    return {
        path.name.partition(f".{engine}-")[0]: path.read_bytes() for path in (root / STORE).parent.glob(f"*.{engine}-*")
    }


@pytest.mark.parametrize(("engine", "version"), [(OTHER_ENGINE, 49), (ENGINE, 1)])
def test_the_store_of_another_engine_is_set_aside_and_a_new_one_is_filled(
    root: Path, digests: dict[str, str], capsys: pytest.CaptureFixture[str], engine: str, version: int
) -> None:
    begin_file_of(root / STORE, engine, version)
    theirs = {path.name: path.read_bytes() for path in (root / STORE, root / ENGINE_LOG)}
    with service_over(root) as own:
        assert own.names() == NAMES
        assert_whole(own, digests)
    assert set_aside(root, engine) == theirs
    assert format_of(root / STORE) == format_of_engine(ENGINE)
    assert phases(capsys.readouterr().err) == [], "nothing was damaged"


def test_what_an_engine_left_beside_its_store_goes_with_it(root: Path) -> None:
    begin_file_of(root / STORE, OTHER_ENGINE, 49)
    left = StoreFiles(root / STORE).engine_files
    for path in left:
        path.write_bytes(path.name.encode())
    with service_over(root) as own:
        assert own.names() == NAMES
    assert set_aside(root, OTHER_ENGINE).keys() == {STORE.name, *(path.name for path in left)}


def test_without_logs_it_is_left_where_it_is(root: Path) -> None:
    begin_file_of(root / STORE, OTHER_ENGINE, 49)
    before = (root / STORE).read_bytes()
    (root / "wal").rename(root / "away")
    with service_over(root) as own:
        health = own.ask("health_check")
        assert (health["state"], health["reason"]) == ("degraded", "store_unreadable")
    assert (root / STORE).read_bytes() == before
    assert set_aside(root, OTHER_ENGINE) == {}
    (root / "away").rename(root / "wal")
    with service_over(root) as own:
        assert own.names() == NAMES


def test_a_backup_of_another_engine_is_not_put_in_place(root: Path, digests: dict[str, str]) -> None:
    begin_file_of(root / BACKUP, OTHER_ENGINE, 49)
    with service_over(root) as own:
        refused = own.recover("restore_from_backup")
        assert refused["success"] is False
        assert f"made by {OTHER_ENGINE}" in refused["error"]
        assert_whole(own, digests)


def test_one_that_is_not_filled_from_logs_stays_empty(root: Path) -> None:
    begin_file_of(root / STORE, OTHER_ENGINE, 49)
    with service_over(root, auto_hydrate=False) as own:
        assert own.names() == []
    assert STORE.name in set_aside(root, OTHER_ENGINE)
