"""Running services, shared by all contract tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lcg.errors import Unavailable
from lcg.runtime.call import Call, Service
from lcg.wal.log import Log
from lcg.wal.marks import Mark
from tests.workspaces import running_service, write_ontology

NAMED_IN_EXAMPLES = ("Priya Nair", "billing-service")
MARKED_IN_EXAMPLES = "before-merge"


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Over a fresh workspace that holds the entities and types which the registry's examples take for granted."""
    root = tmp_path_factory.mktemp("contract")
    write_ontology(root)
    with running_service(root) as running:
        for name in NAMED_IN_EXAMPLES:
            running.call("knowledge_assert_entity", {"name": name}, Call("knowledge_assert_entity"))
        yield running


@pytest.fixture(scope="module")
def degraded_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Over a workspace whose store is ruined and that has a mark, but no log to rebuild it from.

    Each module has its own, since recovery may mend it.
    """
    root = tmp_path_factory.mktemp("degraded")
    store = root / "db" / "liminis.db"
    store.parent.mkdir()
    store.write_bytes(b"this is no database" * 1_000)
    Log(root / "wal").create_mark("liminis", Mark(MARKED_IN_EXAMPLES, None, None, 0))
    with running_service(root) as running:
        with pytest.raises(Unavailable):  # which also waits for the end of the startup
            running.call("knowledge_find_entities", {"query": "anything"}, Call("knowledge_find_entities"))
        yield running


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a directory of each test's own: an example writes files at a relative path."""
    monkeypatch.chdir(tmp_path)
