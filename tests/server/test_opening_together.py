"""Store and search indexes are opened at the same time: what happens when one of them cannot be, or both."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.errors import Unavailable
from lcg.runtime.call import Call
from lcg.runtime.threads import made_aside
from lcg.search.index_file import IndexFile
from lcg.server.app import LcgService
from tests.workspaces import running_service, workspace_settings


def ask(service: LcgService, method: str, **params: Any) -> dict[str, Any]:
    return service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    with running_service(tmp_path) as service:
        ask(service, "assert_entity", name="Ada", group_id="a")
    return tmp_path


@pytest.fixture
def left_open(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[IndexFile]]:
    """Index files that are open."""
    opened: set[IndexFile] = set()
    opening, closing = IndexFile.__init__, IndexFile.close

    def begin(file: IndexFile, *args: Any, **options: Any) -> None:
        opening(file, *args, **options)
        opened.add(file)

    def end(file: IndexFile) -> None:
        closing(file)
        opened.discard(file)

    monkeypatch.setattr(IndexFile, "__init__", begin)
    monkeypatch.setattr(IndexFile, "close", end)
    yield opened


def finds_ada(root: Path) -> bool:
    with running_service(root) as service:
        found = ask(service, "find_entities", query="Ada", group_ids=["a"])["nodes"]
    return [entity["name"] for entity in found] == ["Ada"]


def own_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name in {"lcg-text", "lcg-vectors", "lcg-hops"}]


@pytest.mark.parametrize("index", ["text.db", "vectors.db"])
def test_an_index_that_cannot_be_opened_says_which_and_what_to_look_at(
    filled: Path, left_open: set[IndexFile], caplog: pytest.LogCaptureFixture, index: str
) -> None:
    file = filled / "search" / index
    file.unlink()
    (file / "in the way").mkdir(parents=True)
    (filled / "db" / "liminis.db.sums").unlink()
    with pytest.raises(Unavailable), running_service(filled) as service:
        ask(service, "find_entities", query="Ada", group_ids=["a"])
    assert f"{index} cannot be opened and not be made anew" in caplog.text
    assert "Check the free space and the permissions of its folder" in caplog.text
    assert not left_open
    assert own_threads() == []
    shutil.rmtree(file)
    assert finds_ada(filled), "and the store was left closed"


def test_a_store_that_cannot_be_opened_beside_an_index_that_cannot(filled: Path, left_open: set[IndexFile]) -> None:
    settings = workspace_settings(filled)
    file = settings.search_dir / "text.db"
    file.unlink()
    (file / "in the way").mkdir(parents=True)
    settings.db_path.write_bytes(b"")
    logs = settings.wal_dir.rename(filled / "wal-kept")
    with pytest.raises(Unavailable), running_service(filled) as service:
        ask(service, "find_entities", query="Ada", group_ids=["a"])
    assert not left_open
    assert own_threads() == []
    shutil.rmtree(file)
    shutil.rmtree(settings.wal_dir, ignore_errors=True)
    logs.rename(settings.wal_dir)
    assert finds_ada(filled)


def test_where_no_thread_can_start_all_is_opened_one_after_the_other(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start

    def refuse(thread: threading.Thread) -> None:
        if thread.name in {"lcg-text", "lcg-vectors", "lcg-hops"}:
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert finds_ada(filled)
    (filled / "db" / "liminis.db.sums").unlink()  # so that all of it is checked
    assert finds_ada(filled)


def test_what_is_made_aside_raises_what_making_it_did() -> None:
    def fail() -> None:
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        made_aside("lcg-text", fail).result(10)
