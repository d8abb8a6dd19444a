"""A workspace with two groups, made once, and a copy of it for each test, which runs in it."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from lcg.runtime.call import Call
from lcg.server.app import open_service
from lcg.settings import Settings


class Workspace:
    """The workspace in the current directory, for calls one after the other."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Open the workspace, call one method, close it."""
        return self.ask_all((method, params))[0]

    def ask_all(self, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
        """Open the workspace, call methods, close it."""
        service = open_service(Settings(extractor="builtin"))
        try:
            return [service.call(f"knowledge_{name}", params, Call(f"knowledge_{name}")) for name, params in calls]
        finally:
            service.close()

    def names(self, group_id: str = "a") -> list[str]:
        nodes = self.ask("list_entities", group_ids=[group_id])["nodes"]
        return sorted(node["name"] for node in nodes)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        calls: list[tuple[str, dict[str, Any]]] = [
            ("assert_entity", {"name": "one", "summary": "the first", "group_id": "a"}),
            ("assert_entity", {"name": "two", "summary": "the second", "group_id": "a"}),
            ("wal_mark_create", {"name": "early", "group_id": "a"}),
            (
                "assert_relationship",
                {"source_name": "one", "predicate": "KNOWS", "target_name": "two", "group_id": "a"},
            ),
            ("assert_entity", {"name": "three", "group_id": "a"}),
            ("add_episode", {"name": "e", "episode_body": "Ada wrote to Bob.", "source_description": "s"}),
        ]
        Workspace(root).ask_all(*calls)
    return root


@pytest.fixture
def workspace(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    root = Path(shutil.copytree(made, tmp_path / "w"))
    monkeypatch.chdir(root)
    # The program knows no such variable, and `lcg doctor` would say so.
    monkeypatch.delenv("LCG_TEST_DATA", raising=False)
    return Workspace(root)
