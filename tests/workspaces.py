"""Running services over temporary workspaces, for every test that needs one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lcg.server.app import LcgService, open_service
from lcg.settings import Settings


def workspace_settings(root: Path, **changes: Any) -> Settings:
    """Return the settings of a workspace in a directory, with the built-in extractor."""
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


@contextmanager
def running_service(root: Path, **changes: Any) -> Iterator[LcgService]:
    """Run a service over a workspace for the length of a `with` block."""
    service = open_service(workspace_settings(root, **changes))
    try:
        yield service
    finally:
        service.close()
