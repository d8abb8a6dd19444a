"""One process owns a workspace; a second one says whose it is, and a dead owner is no owner."""

from pathlib import Path

import pytest

from tests.processes import PATIENCE_S, REAL, daemon, serving

pytestmark = pytest.mark.e2e


def test_a_second_process_of_either_kind_fails_at_once_and_names_the_owner(tmp_path: Path) -> None:
    with daemon(tmp_path) as owner, owner.client() as client:
        for arguments in ((), ("--mcp-stdio",)):
            with serving(tmp_path, *arguments, command=REAL) as second:
                assert second.status() == 1
                assert f"process {owner.process.pid} " in second.errors
                assert "lcg --mcp-stdio --connect .lcg/service.sock" in second.errors
                assert second.rest() == []
        assert client.result("knowledge_assert_entity", name="Ada")["created"]
        assert owner.end() == 0


def test_beside_a_standalone_process_nobody_else_starts(tmp_path: Path) -> None:
    with serving(tmp_path, "--mcp-stdio", command=REAL) as owner:
        owner.initialize()
        for arguments in ((), ("--mcp-stdio",)):
            with serving(tmp_path, *arguments, command=REAL) as second:
                assert second.status() == 1
                assert f"process {owner.process.pid} " in second.errors
                assert "--connect" in second.errors
        owner.tool(1, "knowledge_assert_entity", {"name": "Ada"})
        assert owner.line()["result"]["isError"] is False


def test_after_kill_9_of_either_kind_the_next_one_starts(tmp_path: Path) -> None:
    with daemon(tmp_path) as service:
        with service.client() as client:
            client.result("knowledge_assert_entity", name="Ada")
        service.kill()
    with serving(tmp_path, "--mcp-stdio", command=REAL) as standalone:
        standalone.initialize()
        standalone.tool(1, "knowledge_assert_entity", {"name": "Ada"})
        assert standalone.line()["result"]["structuredContent"]["created"] is False
        standalone.tool(2, "knowledge_assert_entity", {"name": "Grace"})
        assert standalone.line()["result"]["structuredContent"]["created"] is True
        standalone.process.kill()
        standalone.process.wait(PATIENCE_S)
    with daemon(tmp_path) as service, service.client() as client:
        assert sorted(client.rows("MATCH (e:Entity) RETURN e.name")) == [["Ada"], ["Grace"]]
