"""A workspace with a small graph in two groups, made once, and `lcg view` over a copy of it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.runtime.call import Call
from lcg.server.app import open_service
from lcg.settings import Settings
from tests.explorer.viewing import View, viewing

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("assert_entity", {"name": "Ada", "labels": ["Person"], "summary": "wrote the first program", "group_id": "a"}),
    ("assert_entity", {"name": "Engine", "labels": ["Machine"], "summary": "never built", "group_id": "a"}),
    ("assert_entity", {"name": "Charles", "labels": ["Person"], "group_id": "a"}),
    ("assert_relationship", {"source_name": "Ada", "predicate": "WROTE_FOR", "target_name": "Engine", "group_id": "a",
                             "fact": "Ada wrote for the engine.", "valid_at": "1842-01-01"}),
    ("assert_relationship", {"source_name": "Ada", "predicate": "KNOWS", "target_name": "Charles", "group_id": "a",
                             "fact": "Ada knows Charles.", "valid_at": "1833-06-05"}),
    ("add_episode", {"name": "letter", "episode_body": "Priya Nair wrote to Bob Stone.",
                     "source_description": "letter.md", "group_id": "b"}),
]  # fmt: skip


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made") / "engines"
    root.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        service = open_service(Settings(extractor="builtin"))
        try:
            for name, params in CALLS:
                service.call(f"knowledge_{name}", params, Call(f"knowledge_{name}"))
        finally:
            service.close()
    return root


@pytest.fixture(scope="session")
def view(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[View]:
    root = Path(shutil.copytree(made, tmp_path_factory.mktemp("viewed") / made.name))
    with viewing(root) as running:
        yield running


@pytest.fixture
def workspace(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / made.name))
