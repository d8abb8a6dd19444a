"""Resources and their updates over real processes: attached to a service that somebody else writes to."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.processes import REAL, Client, Server, daemon, serving

pytestmark = pytest.mark.e2e

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
GROUPS = "knowledge://groups"


@contextmanager
def attached(workspace: Path) -> Iterator[tuple[Server, Client]]:
    """Serve a workspace; yield an MCP process that is attached to it, and a client of the service itself."""
    arguments = ("--mcp-stdio", "--connect", ".lcg/service.sock", "--profile", "core")
    with (
        daemon(workspace) as service,
        service.client() as writer,
        serving(workspace, *arguments, command=REAL) as server,
    ):
        yield server, writer


def next_message(server: Server, method: str) -> Any:
    while True:
        message = server.line()
        if message.get("method") == method:
            return message["params"]


def test_a_client_of_the_older_revisions_is_told_of_what_another_process_writes(tmp_path: Path) -> None:
    with attached(tmp_path) as (server, writer):
        capabilities = server.initialize()["result"]["capabilities"]
        assert capabilities["resources"]["subscribe"] is True
        assert {"tools", "prompts", "completions"} <= capabilities.keys()
        server.request(1, "resources/subscribe", {"uri": GROUPS})
        assert server.line()["result"] == {}
        assert "result" in writer.call("knowledge_assert_entity", {"name": "Ada", "group_id": "theirs"})
        assert next_message(server, "notifications/resources/updated") == {"uri": GROUPS}
        server.request(2, "resources/read", {"uri": GROUPS})
        (content,) = server.line()["result"]["contents"]
        assert '"theirs"' in content["text"]
        server.end_input()
        assert server.status() == 0


def test_a_client_of_the_newest_revision_listens_until_it_goes(tmp_path: Path) -> None:
    with attached(tmp_path) as (server, writer):
        asked = {"notifications": {"resourceSubscriptions": [GROUPS]}, "_meta": MODERN}
        server.request(1, "subscriptions/listen", asked)
        acknowledged = next_message(server, "notifications/subscriptions/acknowledged")
        assert acknowledged["notifications"] == {"resourceSubscriptions": [GROUPS]}
        assert "result" in writer.call("knowledge_assert_entity", {"name": "Ada", "group_id": "theirs"})
        assert next_message(server, "notifications/resources/updated")["uri"] == GROUPS
        server.end_input()
        assert [message["id"] for message in server.rest() if "result" in message] == [1]
        assert server.status() == 0
