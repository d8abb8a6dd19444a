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


ONTOLOGY = """\
entity_types: [{name: Person, description: A human being.}]
relation_types: [{name: ADVISES, description: Somebody gives advice to somebody.}]
"""


def write_ontology(root: Path, text: str = ONTOLOGY) -> None:
    """Declare types in a workspace, as people do before it is served."""
    path = root / ".lcg" / "ontology.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@contextmanager
def running_service(root: Path, **changes: Any) -> Iterator[LcgService]:
    """Run a service over a workspace for the length of a `with` block."""
    service = open_service(workspace_settings(root, **changes))
    try:
        yield service
    finally:
        service.close()
