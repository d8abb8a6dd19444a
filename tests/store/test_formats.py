"""A store's file says which engine made it, and only that engine gets to open it."""

from pathlib import Path

import pytest

from lcg import engines
from lcg.engines import KINDS
from lcg.generated import config
from lcg.store.kuzu.engine import format_of_engine
from lcg.store.kuzu.formats import Format, format_of
from lcg.store.kuzu.store import KuzuStore
from lcg.store.protocol import OtherEngine, StoreError
from tests.store.engine_name import ENGINE, OTHER_ENGINE, begin_file_of
from tests.store.test_kuzu import open_store


def test_a_store_says_which_engine_made_it(tmp_path: Path) -> None:
    path = tmp_path / "graph"
    open_store(path).close()
    assert format_of(path) == format_of_engine(ENGINE)
    assert str(format_of(path)).startswith(ENGINE)


@pytest.mark.parametrize("content", [b"", b"KUZU", b"LBUG\x31", b"SQLite format 3\0", b"\0" * 4096])
def test_nothing_is_said_of_files_that_are_nobody_s(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "graph"
    path.write_bytes(content)
    assert format_of(path) is None


def test_nothing_is_said_of_what_is_no_file(tmp_path: Path) -> None:
    assert format_of(tmp_path) is None
    assert format_of(tmp_path / "missing") is None


@pytest.mark.parametrize(
    ("engine", "version"), [(OTHER_ENGINE, 49), (OTHER_ENGINE, 39), (ENGINE, format_of_engine(ENGINE).version + 1)]
)
def test_a_file_of_another_engine_or_version_is_refused_untouched(tmp_path: Path, engine: str, version: int) -> None:
    path = tmp_path / "graph"
    begin_file_of(path, engine, version)
    before = path.read_bytes()
    with pytest.raises(OtherEngine, match=f"{Format(engine, version)}.*{format_of_engine(ENGINE)}") as caught:
        open_store(path)
    assert caught.value.engine == engine
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["graph"]


def test_the_marks_of_engines_are_told_apart() -> None:
    assert len({kind.mark for kind in KINDS.values()}) == len(KINDS)
    assert {len(kind.mark) for kind in KINDS.values()} == {4}


def test_an_engine_that_is_not_installed_is_named_with_what_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    with pytest.raises(StoreError, match=r"ladybug is not installed.*pip install 'lcg\[ladybug\]'"):
        KuzuStore(tmp_path / "graph", "ladybug")
    assert not list(tmp_path.iterdir())


def test_the_engines_are_those_that_the_registry_lets_be_chosen() -> None:
    assert tuple(KINDS) == tuple(config.LCG_ENGINE.words)
