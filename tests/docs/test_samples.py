"""The requests and configurations of the documents work with a real server; test_following.py has the other samples."""

import json
import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.docs.pages import WRITTEN, Sample, samples, text_of
from tests.docs.test_commands import mcp_servers
from tests.processes import REAL, serving
from tests.server.running import Client as SocketClient

pytestmark = pytest.mark.e2e

SERVERS = [(sample, server) for page in WRITTEN for sample in samples(page, "json") for server in mcp_servers(sample)]
REQUESTS = [
    json.loads(line)
    for page in WRITTEN
    for sample in samples(page, "json")
    if not mcp_servers(sample)
    for line in sample.text.splitlines()
]
REFUSED = [request for request in REQUESTS if "groupid" in request["params"]]
LCG = str(Path(sys.executable).with_name("lcg"))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A workspace that a service with the built-in extractor serves on its default socket."""
    path = tmp_path_factory.mktemp("w")
    with serving(path, "--extractor", "builtin", command=REAL) as server:
        server.says("listening on")
        yield path


@pytest.fixture
def client(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SocketClient]:
    monkeypatch.chdir(workspace)  # the path of a socket has to be short
    client = SocketClient(Path(".lcg/service.sock"))
    yield client
    client.close()


@pytest.mark.parametrize("request_", [r for r in REQUESTS if r not in REFUSED], ids=lambda r: r["method"])
def test_a_request_is_answered(request_: dict[str, Any], client: SocketClient) -> None:
    answer = client.call(request_["method"], request_["params"], request_["id"])
    assert answer["id"] == request_["id"]
    assert "error" not in answer


def test_the_request_that_is_called_wrong_is_refused_with_what_would_be_right(client: SocketClient) -> None:
    (request,) = REFUSED
    answer = client.call(request["method"], request["params"])
    assert "Did you mean `group_ids`?" in answer["error"]["message"]


@pytest.mark.parametrize(("sample", "server"), SERVERS, ids=lambda value: getattr(value, "page", ""))
def test_an_mcp_configuration_starts_a_server_with_tools(
    sample: Sample, server: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "my-project").mkdir()
    here = str(tmp_path / "my-project")

    def localised(text: str) -> str:
        return text.replace("/path/to/this/checkout/.venv/bin/lcg", LCG).replace("~/my-project", here)

    parameters = StdioServerParameters(
        command=localised(server["command"]),
        args=[localised(text) for text in server["args"]],
        env={"LCG_IDLE_EXIT_SECS": "1"},  # so that a service which one starts does not outlive the test for long
        cwd=here,
    )

    async def connect() -> list[str]:
        with (tmp_path / "stderr").open("w") as errors:
            async with Client(stdio_client(parameters, errlog=errors)) as client:
                tools = [tool.name for tool in (await client.list_tools()).tools]
                await client.call_tool("knowledge_status", {})  # the list alone needs no workspace
                return tools

    assert "knowledge_process_chunk" in anyio.run(connect)
    assert (tmp_path / "my-project/.lcg/lock").exists()


def test_every_file_of_a_workspace_is_explained(workspace: Path) -> None:
    rows = re.findall(
        r"^\| `([^`]+)` \|", text_of("docs/architecture.md").partition("## What lies in")[2], re.MULTILINE
    )
    explained = [re.sub(r"<\w+>", "*", row) for row in rows]
    files = [path.relative_to(workspace / ".lcg") for path in (workspace / ".lcg").rglob("*") if not path.is_dir()]
    assert len(files) > 5
    assert [str(file) for file in files if not any(fnmatch(str(file), pattern) for pattern in explained)] == []
