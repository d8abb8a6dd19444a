"""A service over a workspace of its own that can be spoilt, and what has to hold of it once it is back."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.workspaces import workspace_settings

TAIL = 3
"""Log lines behind the sample's checkpoint: two of group a, one of group b."""
LINES = 7
STORE = Path("db/liminis.db")
ENGINE_LOG = Path("db/liminis.db.wal")
STRATEGIES = ["drop_lbug_wal", "rebuild_from_workspace_wal", "restore_from_backup"]
BACKUP = Path("db/liminis.db.pre-upgrade-backup")


class Own:
    """A service over a workspace of its own; `ended` says whether it wanted the process to end."""

    def __init__(self, root: Path, **changes: Any) -> None:
        self.root = root
        self.ended = False
        self.service = LcgService(workspace_settings(root, **changes), self._end)

    def _end(self) -> None:
        self.ended = True

    def start(self) -> "Own":
        self.service.start()
        while self.ask("health_check")["state"] == "starting":
            time.sleep(0.01)
        return self

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        name = method if method == "health_check" else f"knowledge_{method}"
        return self.service.call(name, params, Call(name))

    def recover(self, strategy: str) -> dict[str, Any]:
        return self.ask("recover", strategy=strategy)

    def digests(self) -> dict[str, str]:
        return {group: facts["digest"] for group, facts in self.ask("status")["wal_groups"].items()}

    def names(self, group: str = "a") -> list[str]:
        return sorted(node["name"] for node in self.ask("list_entities", group_ids=[group])["nodes"])

    def found(self, query: str) -> list[str]:
        return [node["name"] for node in self.ask("find_entities", query=query)["nodes"]]

    @property
    def graph(self) -> Any:
        core = self.service._situation.core
        assert core is not None
        return core.graph


@contextmanager
def service_over(root: Path, **changes: Any) -> Iterator[Own]:
    own = Own(root, **changes).start()
    try:
        yield own
    finally:
        own.service.close()


NAMES = ["Ada", "early 0", "early 1", "early 2", "late 1", "late 2"]


def spoil(path: Path) -> bytes:
    """Fill a file with rubbish and return that."""
    rubbish = random.Random(7).randbytes(path.stat().st_size)
    path.write_bytes(rubbish)
    return rubbish


def block(path: Path) -> None:
    """Put something in a file's place that nobody can open as a file. Rubbish the engine may pass over in silence."""
    path.unlink()
    path.mkdir()
    (path / "in the way").touch()


@contextmanager
def degraded_over(root: Path, **changes: Any) -> Iterator[Own]:
    """Start a service whose logs are not there, so that it cannot help itself, and put them back then."""
    (root / "wal").rename(root / "away")
    with service_over(root, **changes) as own:
        assert own.ask("health_check")["state"] == "degraded"
        (root / "away").rename(root / "wal")
        yield own


def assert_whole(own: Own, digests: dict[str, str]) -> None:
    assert own.ask("health_check")["ok"]
    assert own.digests() == digests
    assert own.names() == NAMES
    assert own.found("late 2")[0] == "late 2"
    assert own.ask("search_passages", query="Ada")["passages"]
    own.ask("assert_entity", name="after", group_id="a")
    assert own.found("after")[0] == "after"
