"""One running service for all handler tests; every test works in a group of its own."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.runtime.call import Call
from lcg.server.app import LcgService, open_service
from lcg.settings import Settings

Ask = Callable[..., dict[str, Any]]
_numbers = itertools.count(1)


def workspace_settings(root: Path, **changes: Any) -> Settings:
    """Return settings of a workspace in a directory."""
    return Settings(
        **{
            "socket_path": root / "service.sock",
            "db_path": root / "db" / "liminis.db",
            "wal_dir": root / "wal",
            "search_dir": root / "search",
            "workspace_root": root,
            "extractor": "builtin",
            **changes,
        }
    )


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LcgService]:
    running = open_service(workspace_settings(tmp_path_factory.mktemp("workspace")))
    yield running
    running.close()


@pytest.fixture
def group() -> str:
    return f"group-{next(_numbers)}"


@pytest.fixture
def ask(service: LcgService) -> Ask:
    """Call a method by its name without `knowledge_`."""

    def call(method: str, **params: Any) -> dict[str, Any]:
        name = method if method == "health_check" else f"knowledge_{method}"
        return service.call(name, params, Call(name))

    return call
