"""Every sample of the documents is run, read or compared by a test; those that cannot be say so, and stand here."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from lcg.client_files.clients import CLIENTS, SCOPE, arguments
from lcg.ontology.reading import read_file
from tests.docs.pages import WRITTEN, Sample, samples
from tests.docs.walking import furnish, reader, to_follow

pytestmark = pytest.mark.e2e

FOLLOWED = {"sh", "python"}
"""Run here, page by page."""
ELSEWHERE = {"json", "toml", "yaml"}
"""Requests and configurations, see test_samples.py, and files of people, see below."""
PROSE = {"", "text", "markdown"}
"""What is shown and not used: output, pictures, words for an agent."""
MARKED = {
    ("docs/http.md", "sh", "needs Claude Code"),
    ("docs/http.md", "nginx", "needs nginx"),
    ("docs/models.md", "sh", "needs a hosted model and its key"),
}
SAYS = {
    "docs/getting-started.md": [
        "billing-service",
        "- Priya Nair has maintained the billing service since May.",
        "0 problems",
    ],
    "docs/guides/coding-agent.md": ["Facts", "liminis"],
    "docs/guides/notes-folder.md": ["Tom Weber maintains `billing-service` from now on", "unchanged"],
}
"""What a reader of a page gets to see."""
GIVEN = Sample("", "sh", "lcg ingest notes && lcg ingest --group docs docs")
"""What readers of these pages have done before."""
LATER = {"docs/command-line.md", "docs/explorer.md", "docs/migration.md", "docs/moving-data.md"}
SERVICE = Sample("", "sh", "lcg --extractor builtin")
"""Runs beside those who read these pages, as it does for people with agents. Commands that ask it are quicker."""
BESIDE = {
    "docs/command-line.md",
    "docs/guides/coding-agent.md",
    "docs/guides/notes-folder.md",
    "docs/moving-data.md",
}
STREAM = "docs/guides/team-stream.md"
EVERY = [sample for page in WRITTEN for sample in samples(page)]


def test_every_kind_of_sample_is_used_by_a_test_or_marked() -> None:
    assert {s.language for s in EVERY if s.not_run is None} <= FOLLOWED | ELSEWHERE | PROSE


def test_samples_that_cannot_run_are_those_that_are_known_here() -> None:
    assert {(s.page, s.language, s.not_run) for s in EVERY if s.not_run} == MARKED


# What the readme has people do is run by the CI, and what `make demo` then tells them by tests/demo/.
@pytest.mark.parametrize("page", [page for page in WRITTEN if page not in (STREAM, "README.md") and to_follow(page)])
def test_a_page_can_be_followed(page: str, tmp_path: Path) -> None:
    with reader(tmp_path) as somebody:
        furnish(somebody.folder)
        if page in BESIDE:
            somebody.follow(SERVICE)
        if page in LATER:
            somebody.follow(GIVEN)
        said = "".join(somebody.follow(sample) for sample in to_follow(page))
    assert [text for text in SAYS.get(page, []) if text not in said] == []


def test_a_stream_can_be_published_and_followed(tmp_path: Path) -> None:
    first, next_edition, subscribe, update = to_follow(STREAM)
    for name in ("publisher", "team"):
        (tmp_path / name).mkdir()
    with reader(tmp_path / "publisher") as publisher, reader(tmp_path / "team", PUBLISHED=published(tmp_path)) as team:
        furnish(publisher.folder)
        publisher.follow(first)
        assert "Tom Weber maintains `billing-service` from now on" in team.follow(subscribe)
        (publisher.folder / "notes/news.md").write_text("Ines Duarte leads Harbour Freight.\n", encoding="utf-8")
        publisher.follow(next_edition)
        team.follow(update)
        found = team.follow(Sample("", "sh", "lcg search --group handbook who leads Harbour Freight"))
        assert "Ines Duarte leads Harbour Freight." in found


def published(folder: Path) -> str:
    return str(folder / "publisher/project/.lcg/wal/handbook")


@pytest.mark.parametrize("sample", [s for s in EVERY if s.language == "yaml"], ids=lambda s: s.page)
def test_an_ontology_is_read_without_an_issue(sample: Sample, tmp_path: Path) -> None:
    (tmp_path / "ontology.yaml").write_text(sample.text, encoding="utf-8")
    assert yaml.safe_load(sample.text)
    assert read_file(tmp_path / "ontology.yaml").issues == []


def tables(sample: Sample) -> list[dict[str, Any]]:
    """Return the entries of `lcg` in a client's file; none when the sample is something else."""
    if sample.language == "toml":
        return list(tomllib.loads(sample.text)["mcp_servers"].values())
    return list(json.loads(sample.text)["mcpServers"].values()) if '"mcpServers"' in sample.text else []


CONFIGURED = [(s, table) for s in EVERY if s.language in ("json", "toml") for table in tables(s)]


@pytest.mark.parametrize(("sample", "table"), CONFIGURED, ids=lambda value: getattr(value, "page", ""))
def test_a_client_is_told_what_mcp_config_tells_it(sample: Sample, table: dict[str, Any]) -> None:
    assert table["command"] == "/path/to/this/checkout/.venv/bin/lcg"
    *_, flag, workspace = table["args"]
    expected = arguments(workspace) if flag == "--workspace" else arguments("")[:-2]
    assert table["args"] == expected
    if sample.language == "toml":
        codex = next(client for client in CLIENTS.values() if client.name == "codex")
        assert table == codex.entry(workspace, SCOPE) | {"command": table["command"], "args": expected}
