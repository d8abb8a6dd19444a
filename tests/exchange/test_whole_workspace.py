"""A workspace with everything that methods can leave in one: taken out, brought in elsewhere, it is the same."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Workspace
from tests.commands.program import answer, lcg

ADA = {"group_id": "a", "labels": ["Person"], "attributes": {"née": "Byron", "deep": {"list": [1, 2.5, None]}}}
STEPS: list[tuple[str, dict[str, Any]]] = [
    ("assert_entity", {"name": "Ada", "summary": "first", **ADA}),
    ("assert_entity", {"name": "Ada", "summary": "second", **ADA}),  # its vector stays that of the first
    ("assert_entity", {"name": "Countess of Lovelace", "group_id": "a"}),
    ("assert_entity", {"name": "Charles", "group_id": "b"}),
    ("assert_relationship", {"source_name": "Ada", "predicate": "IS", "target_name": "Ada", "group_id": "a"}),
    (
        "assert_relationship",
        {
            "source_name": "Countess of Lovelace",
            "predicate": "WROTE",
            "target_name": "Ada",
            "group_id": "a",
            "valid_at": "1843-01-01",
        },
    ),
    ("process_chunk", {"chunk_text": "Ada works at Acme.", "chunk_id": "c", "source_file": "n.md", "group_id": "a"}),
    (
        "process_chunk",
        {"chunk_text": "Ada works at Bell. 東京 is large.", "chunk_id": "c", "source_file": "n.md", "group_id": "a"},
    ),
    ("add_episode", {"name": "e", "episode_body": "Bob met Ada.", "source_description": "mail", "group_id": "b"}),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("everything")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        workspace = Workspace(root)
        results = workspace.ask_all(*STEPS)
        uuids = [result["entity_uuid"] for result in results if "entity_uuid" in result]
        assert workspace.ask("merge_entities", group_id="a", canonical_uuid=uuids[0], alias_uuids=[uuids[2]])["success"]
        workspace.ask(
            "add_cross_group_edge",
            group_id="a",
            source={"uuid": uuids[0]},
            target={"source_group_id": "b", "endpoint_name": "Charles"},
            name="KNOWS",
            fact="Ada knows Charles",
        )
    return root


def digests(root: Path) -> dict[str, str]:
    return {group: found["digest"] for group, found in answer(root, "status")["wal_groups"].items()}


def test_it_is_the_same_elsewhere_and_after_a_rebuild_there(made: Path, tmp_path: Path) -> None:
    text = lcg(made, "export", "-").stdout
    kinds = [json.loads(line).get("type") for line in text.splitlines()[1:]]
    assert set(kinds) == {"entity", "edge", "episode", "mention"}
    assert "Merged" in text and "cross_group_pointers" in text and "summary_embedded" in text and '"revision"' in text
    (tmp_path / "graph.jsonl").write_text(text, encoding="utf-8")
    done = lcg(tmp_path, "import", "graph.jsonl")
    assert done.returncode == 0, done.stderr
    assert lcg(tmp_path, "export", "-").stdout == text
    assert digests(tmp_path) == digests(made)
    for words in (("search", "Ada"), ("show", "Ada"), ("show", "Charles")):
        here, there = answer(made, *words), answer(tmp_path, *words)
        assert here == there
    assert json.loads(lcg(tmp_path, "verify", "--json").stdout)["ok"]


def test_a_group_by_itself_can_come_before_the_one_that_it_leads_to(made: Path, tmp_path: Path) -> None:
    for group in ("a", "b"):
        lcg(made, "export", "--group", group, str(tmp_path / f"{group}.jsonl"))
        done = lcg(tmp_path, "import", f"{group}.jsonl")
        assert done.returncode == 0, done.stderr
    assert digests(tmp_path) == digests(made)
    facts = {fact["fact"] for fact in answer(tmp_path, "show", "Charles")["entities"][0]["facts"]}
    assert facts == {"Ada knows Charles"}
