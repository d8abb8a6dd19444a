"""A service of a test's own, with groups that may be rebuilt and lost."""

from pathlib import Path
from typing import Any

from lcg.runtime.call import Call
from lcg.server.app import open_service
from tests.workspaces import workspace_settings

ALL = ["n1", "n2", "n3", "n4", "n5"]


class Own:
    """A service over a workspace of its own, with a group `a` of five entities, seq 1 to 5, and a group `b`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.service = open_service(workspace_settings(root))
        for number in range(1, 6):
            self.ask("assert_entity", name=f"n{number}", summary=f"thing {number}", group_id="a")
        self.ask("assert_entity", name="other", group_id="b")

    def ask(self, method: str, call: Call | None = None, **params: Any) -> dict[str, Any]:
        return self.service.call(f"knowledge_{method}", params, call or Call(f"knowledge_{method}"))

    def rebuild(self, **params: Any) -> dict[str, Any]:
        return self.ask("rebuild_from_wal", group_id="a", **params)

    def names(self, group: str = "a") -> list[str]:
        return sorted(node["name"] for node in self.ask("list_entities", group_ids=[group])["nodes"])

    def position(self) -> dict[str, Any]:
        self.names()  # Waits until the service has started.
        found: dict[str, Any] = self.ask("status")["wal_groups"]["a"]
        return found

    def restart(self, *, lose_store: bool = False) -> None:
        self.service.close()
        if lose_store:
            (self.root / "db" / "liminis.db").unlink()
        self.service = open_service(workspace_settings(self.root))
