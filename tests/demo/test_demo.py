"""The demo as a process: it ends well, its answers are there, and what it prints to be pasted works."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from lcg.server.lock import last_owner
from tests.processes import ROOT, environment

pytestmark = pytest.mark.e2e

NOTES = "# Services\n\nPriya Nair maintains the `billing-service`. The billing-service depends on `Postgres`.\n"


def run(documents: Path | None, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    """Run the demo on a folder, or on its own notes, in a temporary folder of its own, without a terminal."""
    temporary = tmp_path / "temporary"
    temporary.mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-m", "demo"],
        cwd=ROOT,
        env=environment({"LCG_DEMO_DIR": str(documents or ""), "TMPDIR": str(temporary)}),
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "services.md").write_text(NOTES, encoding="utf-8")
    return folder


async def _found(server: dict[str, Any], query: str) -> list[str]:
    parameters = StdioServerParameters(command=server["command"], args=server["args"])
    async with Client(stdio_client(parameters)) as client:
        answer = await client.call_tool("knowledge_find_entities", {"query": query})
        return [node["name"] for node in (answer.structured_content or {})["nodes"]]


def steps(shown: str) -> list[str]:
    """Return the lines that are printed to be pasted into a shell."""
    return [line.strip() for line in shown.splitlines() if re.match(r"    (cd |\S*/lcg )", line)]


def test_it_ingests_asks_walks_and_prints_a_configuration_that_finds_it_all_again(
    documents: Path, tmp_path: Path
) -> None:
    done = run(documents, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    shown = done.stdout
    assert "1/1" in shown
    assert shown.count("?  knowledge_find_relationships, knowledge_search_passages") == 2
    assert "  knowledge_get_entity_neighbors, " in shown
    assert "Priya Nair maintains the billing-service." in shown
    _, opening, rest = shown.partition("\n{\n")
    server = json.loads(opening + rest[: rest.index("\n}") + 2])["mcpServers"]["lcg"]
    assert server["args"][:3] == ["--mcp-stdio", "--connect", "auto"]
    workspace = Path(server["args"][server["args"].index("--workspace") + 1])
    try:
        assert "billing-service" in anyio.run(_found, server, "billing")
    finally:
        started = last_owner(workspace / ".lcg" / "lock")
        assert started is not None
        os.kill(started.pid, signal.SIGKILL)


def test_its_own_notes_answer_its_questions_and_the_steps_that_it_prints_work(tmp_path: Path) -> None:
    done = run(None, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    _, asked, answers = done.stdout.partition("who looks after billing now?")
    assert asked
    assert answers.splitlines()[1].strip().startswith("2026-06-01  Tom Weber maintains billing-service")
    go, ask, view, ingest, connect = steps(done.stdout)
    assert view.endswith("/lcg view")  # which serves until it is ended; tests/explorer/ have it
    project = tmp_path / "my project"
    project.mkdir()
    (project / "services.md").write_text(NOTES, encoding="utf-8")
    for step, folder, expected in (
        (f"{go} && {ask}", tmp_path, "Tom Weber maintains `billing-service` from now on"),
        (ingest, project, "1 file: 1 new."),
        (connect, project, ""),
    ):
        taken = subprocess.run(
            step, shell=True, cwd=folder, env=environment(), check=True, capture_output=True, encoding="utf-8"
        )
        assert expected in taken.stdout
    assert json.loads((project / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["lcg"]


def test_a_second_run_has_a_workspace_of_its_own(documents: Path, tmp_path: Path) -> None:
    assert [run(documents, tmp_path).returncode for _ in range(2)] == [0, 0]
    assert len(list((tmp_path / "temporary").glob("lcg-demo-*"))) == 2


def test_a_folder_without_documents_is_explained(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run(tmp_path / "empty", tmp_path)
    assert done.returncode == 1
    assert "LCG_DEMO_DIR: no .md or .txt file" in done.stdout
