"""A client may start the service of its workspace; it is the one that everybody else finds there."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from lcg.client import AsyncClient, Client, Unreachable
from lcg.server.lock import last_owner
from tests.server.running import eventually

pytestmark = pytest.mark.e2e


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current directory; whoever owns it as a workspace at the end is killed."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    found = last_owner(tmp_path / ".lcg" / "lock")
    if found is not None:
        with suppress(ProcessLookupError):
            os.kill(found.pid, signal.SIGKILL)


def is_gone(pid: int) -> bool:
    with suppress(FileNotFoundError):
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    return True


def test_two_clients_start_one_service_which_stays_when_they_go(workspace: Path) -> None:
    async def main() -> list[int]:
        async with AsyncClient(start=True, timeout_s=60) as one, AsyncClient(start=True, timeout_s=60) as two:
            answers = await asyncio.gather(one.knowledge_status(), two.knowledge_status())
            await one.knowledge_assert_entity("Ada")
            return [answer["pid"] for answer in answers]

    first, second = asyncio.run(main())
    assert first == second != os.getpid()
    with Client(timeout_s=60) as graph:  # any other client finds it, too
        assert [node["name"] for node in graph.knowledge_list_entities()["nodes"]] == ["Ada"]
        graph.knowledge_close()
    eventually(lambda: is_gone(first))


def test_without_being_asked_to_no_client_starts_anything(workspace: Path) -> None:
    with Client() as graph, pytest.raises(Unreachable, match="Start one with `lcg`"):
        graph.knowledge_status()
    assert list(workspace.iterdir()) == []


def test_a_service_elsewhere_cannot_be_started() -> None:
    with pytest.raises(ValueError, match="give no path"):
        Client("elsewhere/service.sock", start=True)
