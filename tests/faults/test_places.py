"""Places of a workspace that are not what they have to be: the start is refused with path, expectation and remedy."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.faults.test_disk import unchangeable
from tests.processes import REAL, daemon, serving

pytestmark = pytest.mark.e2e


def refusal(workspace: Path, env: Mapping[str, str] | None = None) -> str:
    """Return what both kinds of process say when they do not start; they say it in one line, and leave nothing open."""
    said = set()
    for arguments in ((), ("--mcp-stdio",)):
        with serving(workspace, *arguments, command=REAL, env=env or {}) as process:
            assert process.status() == 1, process.errors
            assert process.rest() == []
            said.add(process.errors)
    assert len(said) == 1, said
    (line,) = said
    assert line.count("\n") == 1, line
    return line


@pytest.mark.parametrize(
    ("place", "holds", "remedy"),
    [
        (".lcg", "everything that a workspace holds", "start lcg in another directory"),
        (".lcg/wal", "the logs", "LCG_WAL_DIR"),
        (".lcg/search", "the search indexes", "start lcg in another directory"),
    ],
)
def test_a_file_in_the_place_of_a_directory(tmp_path: Path, place: str, holds: str, remedy: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(exist_ok=True)
    path.write_text("in the way")
    said = refusal(tmp_path)
    assert f"{place} is a file, but a directory is expected there, for {holds}" in said
    assert remedy in said
    assert path.read_text() == "in the way"
    path.unlink()
    with daemon(tmp_path) as service, service.client() as client:
        assert client.result("knowledge_assert_entity", name="Ada")["created"]


def test_a_link_to_nothing_and_a_file_above_a_configured_place(tmp_path: Path) -> None:
    (tmp_path / ".lcg").symlink_to(tmp_path / "nowhere")
    assert ".lcg is a link to nothing" in refusal(tmp_path)
    (tmp_path / ".lcg").unlink()
    (tmp_path / "file").touch()
    for variable, path in (("LCG_WAL_DIR", "file/wal"), ("LCG_DB_PATH", "file/db/liminis.db")):
        said = refusal(tmp_path, {variable: path})
        assert "file is a file" in said
        assert f"set {variable} to another place" in said


@pytest.mark.parametrize("place", [".", ".lcg", ".lcg/db", ".lcg/search"])
def test_a_directory_without_the_right_to_write(tmp_path: Path, place: str) -> None:
    path = tmp_path / place
    path.mkdir(parents=True, exist_ok=True)
    with unchangeable(path):
        said = refusal(tmp_path)
        assert f"{place} cannot be written in" in said
        assert "Mend the owner or the rights" in said
    with daemon(tmp_path) as service, service.client() as client:
        assert client.result("knowledge_assert_entity", name="Ada")["created"]
