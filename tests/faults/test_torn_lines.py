"""A line that a crash cut off is reported and passed over, and its bytes never come back."""

import shutil
from pathlib import Path

import pytest

from tests.faults.picture import Picture, take_picture
from tests.processes import Refused, daemon

pytestmark = pytest.mark.e2e

ASSERT = "knowledge_assert_entity"


def log_file(workspace: Path) -> Path:
    (path,) = (workspace / ".lcg" / "wal" / "liminis").glob("*.jsonl")
    return path


def write(workspace: Path, *names: str) -> tuple[Picture, str]:
    """Assert names, and kill the service; return what it held and what it said."""
    with daemon(workspace) as service:
        with service.client() as client:
            for name in names:
                client.result(ASSERT, name=name)
            picture = take_picture(client)
        service.kill()
    return picture, service.errors


def names(picture: Picture) -> list[str]:
    return sorted(name for _, name, _ in picture.entities.values())


# Nothing but the brace, in the number, in the middle of a row, all but the last byte.
CUTS = (1, 8, 150, -2)


def test_torn_lines_are_reported_and_writing_goes_on_with_the_store_or_without(tmp_path: Path) -> None:
    write(tmp_path, "Ada", "Grace")
    expected = ["Ada", "Grace"]
    for turn, cut in enumerate(CUTS):
        path = log_file(tmp_path)
        last = path.read_bytes().splitlines()[-1]
        torn = last.replace(f'"seq":{2 + turn}'.encode(), f'"seq":{3 + turn}'.encode()).replace(
            b'"name":"', b'"name":"Not '
        )
        with path.open("ab") as log:
            log.write((torn + b"\n")[:cut])
        if turn % 2:
            shutil.rmtree(tmp_path / ".lcg" / "db")
        picture, said = write(tmp_path, f"after cut {turn}")
        expected.append(f"after cut {turn}")
        assert "torn" in said
        assert path.name in said
        assert names(picture) == expected
    again, said = write(tmp_path)
    assert again == picture
    assert "torn" not in said
    shutil.rmtree(tmp_path / ".lcg" / "db")
    assert write(tmp_path)[0] == picture


def test_a_line_that_lacks_only_its_line_feed_counts(tmp_path: Path) -> None:
    write(tmp_path, "Ada", "Grace")
    path = log_file(tmp_path)
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    shutil.rmtree(tmp_path / ".lcg" / "db")
    picture, said = write(tmp_path, "Edsger")
    assert "torn" not in said
    assert names(picture) == ["Ada", "Edsger", "Grace"]
    shutil.rmtree(tmp_path / ".lcg" / "db")
    assert write(tmp_path)[0] == picture


def test_a_log_that_lost_its_last_line_to_a_cut_takes_no_more_until_the_line_is_back(tmp_path: Path) -> None:
    write(tmp_path, "Ada", "Grace", "Edsger")
    path = log_file(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    with daemon(tmp_path) as service:
        with service.client() as client:
            assert ["Edsger"] in client.rows("MATCH (e:Entity) RETURN e.name"), "the store still has it"
            with pytest.raises(Refused, match="knowledge_dump_wal") as caught:
                client.result(ASSERT, name="Barbara")
            assert caught.value.kind == "unavailable"
            path.write_bytes(whole)
            client.result(ASSERT, name="Barbara")
        assert "lost" in service.errors
        service.kill()
    # The store forgets what it took since its last checkpoint; the log has to bring both back.
    (tmp_path / ".lcg" / "db" / "liminis.db.wal").unlink()
    with daemon(tmp_path) as service, service.client() as client:
        found = client.rows("MATCH (e:Entity) RETURN e.name")
    assert sorted(name for (name,) in found) == ["Ada", "Barbara", "Edsger", "Grace"]
