"""A workspace as a kill leaves it, made once and copied for each test."""

import shutil
from pathlib import Path

import pytest

from lcg.graph import committer
from tests.handlers.recovery.workspace import BACKUP, ENGINE_LOG, STORE, service_over


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A workspace as a kill leaves it: a checkpoint, a backup from then, and writes since; with its digests."""
    root, copy = tmp_path_factory.mktemp("sample"), tmp_path_factory.mktemp("copy") / "w"
    with pytest.MonkeyPatch.context() as patch, service_over(root) as own:
        patch.setattr(committer, "_IDLE_SECONDS", 1_000.0)
        for number in range(3):
            own.ask("assert_entity", name=f"early {number}", group_id="a")
        own.ask("add_episode", name="e", episode_body="Ada wrote it.", source_description="s", group_id="a")
        own.ask("prepare_checkpoint")
        own.graph.run(lambda _: shutil.copyfile(root / STORE, root / BACKUP))
        own.ask("assert_entity", name="late 1", group_id="a")
        own.ask("assert_entity", name="late 2", group_id="a")
        own.ask("assert_entity", name="other", group_id="b")
        digests = own.digests()
        own.graph.run(lambda _: shutil.copytree(root, copy))
    assert (copy / ENGINE_LOG).stat().st_size > 0
    return copy, digests


@pytest.fixture
def root(sample: tuple[Path, dict[str, str]], tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample[0], tmp_path / "w"))


@pytest.fixture
def digests(sample: tuple[Path, dict[str, str]]) -> dict[str, str]:
    return sample[1]
