"""The file of the official memory server itself, which is run for it where npm is, is imported and found."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.clients.environments import Missing, node_programs
from tests.commands.program import answer, lcg
from tests.processes import PATIENCE_S

pytestmark = pytest.mark.e2e

PACKAGE = "@modelcontextprotocol/server-memory@2026.8.31"
CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
CALLS: list[tuple[str, dict[str, Any]]] = [
    (
        "create_entities",
        {
            "entities": [
                {"name": "Ada Lovelace", "entityType": "person", "observations": ["likes tea", "wrote notes – twice"]},
                {"name": "Zürich", "entityType": "city", "observations": []},
                {"name": "Bob", "entityType": "person", "observations": []},
            ]
        },
    ),
    ("create_relations", {"relations": [{"from": "Ada Lovelace", "to": "Zürich", "relationType": "lives in"}]}),
    ("create_relations", {"relations": [{"from": "Bob", "to": "Ada Lovelace", "relationType": "works_with"}]}),
    ("add_observations", {"observations": [{"entityName": "Zürich", "contents": ["lies at a lake"]}]}),
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Let the memory server write its file."""
    if shutil.which("node") is None:
        pytest.skip("node is not here")
    try:
        program = node_programs(PACKAGE) / "mcp-server-memory"
    except Missing as reason:
        pytest.skip(f"the memory server cannot be had: {reason}")
    file = tmp_path_factory.mktemp("memory") / "memory.jsonl"
    requests: list[dict[str, Any]] = [
        {"id": 0, "method": "initialize", "params": CLIENT},
        {"method": "notifications/initialized"},
    ]
    with subprocess.Popen(
        [program], env={"PATH": _path(), "MEMORY_FILE_PATH": str(file)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        for number, (name, arguments) in enumerate(CALLS, 1):
            requests.append({"id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}})
        for request in requests:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **request}).encode() + b"\n")
            server.stdin.flush()
            # One after the other: the server reads and writes its whole file for each.
            assert "id" not in request or "result" in json.loads(server.stdout.readline())
        server.stdin.close()
        server.terminate()
        server.wait(PATIENCE_S)
    return file


def _path() -> str:
    node = shutil.which("node")
    assert node is not None
    return f"{Path(node).parent}:/usr/bin:/bin"


def test_every_entity_observation_and_relation_is_found(memory: Path, tmp_path: Path) -> None:
    done = lcg(tmp_path, "import", str(memory))
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    shown = answer(tmp_path, "show", "ada lovelace")["entities"][0]
    assert shown["labels"] == ["Entity", "person"] and shown["sources"] == ["memory.jsonl"]
    assert {fact["fact"] for fact in shown["facts"]} == {
        "Ada Lovelace lives in Zürich",
        "Bob works with Ada Lovelace",
    }
    assert answer(tmp_path, "search", "tea")["passages"][0]["text"] == "Ada Lovelace: likes tea"
    assert answer(tmp_path, "search", "lake")["entities"][0]["name"] == "Zürich"


def test_importing_it_again_writes_nothing(memory: Path, tmp_path: Path) -> None:
    lcg(tmp_path, "import", str(memory))
    rows = answer(tmp_path, "import", str(memory))["rows"]
    assert {what for kind in rows.values() for what, number in kind.items() if number} == {"unchanged"}
