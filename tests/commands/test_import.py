"""`lcg import`: what becomes of rows, what is refused, and that a refusal changes nothing."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Workspace
from tests.commands.program import answer, lcg
from tests.processes import REAL, environment, serving

HEADER = '{"format":"lcg-graph","version":1}'
MEMORY: list[dict[str, Any]] = [
    {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes tea", "Ada wrote notes"]},
    {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
    {"type": "relation", "from": "Ada", "to": "Acme", "relationType": "works_at"},
]


def entity(uuid: str, name: str, **fields: Any) -> dict[str, Any]:
    base = {"type": "entity", "group": "g", "uuid": uuid, "name": name, "labels": ["Entity"]}
    return base | {"created_at": "2026-01-01T00:00:00Z"} | fields


def edge(uuid: str, source: str, target: str, **fields: Any) -> dict[str, Any]:
    base = {"type": "edge", "group": "g", "uuid": uuid, "name": "KNOWS", "source_uuid": source, "target_uuid": target}
    return base | {"fact": f"{source} knows {target}", "created_at": "2026-01-01T00:00:00Z"} | fields


def write(path: Path, rows: list[dict[str, Any]], header: str | None = HEADER) -> str:
    lines = [] if header is None else [header]
    path.write_text("\n".join([*lines, *map(json.dumps, rows)]) + "\n", encoding="utf-8")
    return path.name


def report(root: Path, *arguments: str) -> dict[str, Any]:
    done = lcg(root, "import", *arguments, "--json")
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == (1 if found["refused_count"] else 0), done.stderr
    return found


def counted(report: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Return the counts that are not zero."""
    counts = {kind: {what: n for what, n in rows.items() if n} for kind, rows in report["rows"].items()}
    return {kind: rows for kind, rows in counts.items() if rows}


def exported(root: Path) -> str:
    return lcg(root, "export", "-").stdout


def digests(root: Path) -> dict[str, str]:
    return {group: found["digest"] for group, found in answer(root, "status")["wal_groups"].items()}


def test_an_export_makes_the_same_graph_in_an_empty_directory(workspace: Workspace, tmp_path: Path) -> None:
    file, empty = tmp_path / "graph.jsonl", tmp_path / "empty"
    empty.mkdir()
    lcg(workspace.root, "export", str(file))
    done = lcg(empty, "import", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert exported(empty) == file.read_text(encoding="utf-8")
    assert digests(empty) == digests(workspace.root)


def test_what_is_there_already_is_not_written_again(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "graph.jsonl"
    lcg(workspace.root, "export", str(file))
    before = answer(workspace.root, "groups")
    found = report(workspace.root, str(file))
    assert {outcome for rows in counted(found).values() for outcome in rows} == {"unchanged"}
    assert answer(workspace.root, "groups") == before


def test_a_service_that_runs_does_the_work(workspace: Workspace) -> None:
    write(workspace.root / "g.jsonl", [entity("u1", "Ada"), entity("u2", "Bob"), edge("e1", "u1", "u2")])
    with serving(workspace.root, command=REAL) as server:
        server.says("listening")
        assert counted(report(workspace.root, "g.jsonl")) == {"entity": {"created": 2}, "edge": {"created": 1}}
        attached = exported(workspace.root)
        assert answer(workspace.root, "show", "Ada", "--group", "g")["entities"][0]["fact_count"] == 1
    assert exported(workspace.root) == attached


def test_a_dry_run_counts_and_changes_nothing(workspace: Workspace) -> None:
    before = exported(workspace.root)
    write(workspace.root / "m.jsonl", MEMORY, None)
    found = report(workspace.root, "m.jsonl", "--dry-run", "--group", "new")
    assert not found["written"] and counted(found)["entity"] == {"created": 2}
    assert exported(workspace.root) == before


def test_a_dry_run_makes_no_workspace(tmp_path: Path) -> None:
    write(tmp_path / "m.jsonl", MEMORY, None)
    assert counted(report(tmp_path, "m.jsonl", "--dry-run"))["entity"] == {"created": 2}
    assert [path.name for path in tmp_path.iterdir()] == ["m.jsonl"]


def test_one_refused_line_keeps_everything_out(workspace: Workspace) -> None:
    before = exported(workspace.root)
    write(workspace.root / "g.jsonl", [entity("u1", "Ada"), edge("e1", "u1", "nowhere")])
    done = lcg(workspace.root, "import", "g.jsonl")
    assert done.returncode == 1
    assert done.stderr == "lcg import: g.jsonl:3: neither the file nor the graph has its target (nowhere)\n"
    assert "Nothing was imported" in done.stdout
    assert exported(workspace.root) == before


def test_refused_lines_and_what_rests_on_them_can_be_left_out(workspace: Workspace) -> None:
    rows = [entity("u1", "Ada"), entity("u2", "Bob", labels="Entity"), edge("e1", "u1", "u2"), edge("e2", "u1", "u1")]
    write(workspace.root / "g.jsonl", rows)
    found = report(workspace.root, "g.jsonl", "--on-error", "skip")
    assert [(each["line"], each["reason"].split()[0]) for each in found["refused"]] == [(3, "labels"), (4, "neither")]
    assert counted(found) == {"entity": {"created": 1}, "edge": {"created": 1, "refused": 1}}


@pytest.mark.parametrize(
    ("rule", "outcome", "summary"),
    [("preserve", "refused", "old"), ("skip", "kept", "old"), ("overwrite", "updated", "new")],
)
def test_the_rule_decides_what_happens_to_a_row_that_the_graph_has(
    workspace: Workspace, rule: str, outcome: str, summary: str
) -> None:
    write(workspace.root / "old.jsonl", [entity("u1", "Ada", summary="old")])
    write(workspace.root / "new.jsonl", [entity("u1", "Ada", summary="new")])
    report(workspace.root, "old.jsonl")
    assert counted(report(workspace.root, "new.jsonl", "--uuids", rule)) == {"entity": {outcome: 1}}
    assert answer(workspace.root, "show", "Ada", "--group", "g")["entities"][0]["summary"] == summary


def test_new_uuids_take_an_entity_of_the_same_name_for_the_one_that_is_there(workspace: Workspace) -> None:
    rows = [entity("u1", "ONE"), entity("u2", "four"), edge("e1", "u1", "u2")]
    write(workspace.root / "g.jsonl", rows)
    wish = ("g.jsonl", "--uuids", "regenerate", "--group", "a")
    assert counted(report(workspace.root, *wish)) == {"entity": {"created": 1, "adopted": 1}, "edge": {"created": 1}}
    shown = answer(workspace.root, "show", "four", "--group", "a")["entities"][0]
    assert [each["name"] for each in shown["neighbors"]] == ["one"]
    again = counted(report(workspace.root, *wish))
    assert again == {"entity": {"unchanged": 1, "adopted": 1}, "edge": {"unchanged": 1}}


def test_a_name_that_another_entity_has_is_refused_where_uuids_are_kept(workspace: Workspace) -> None:
    write(workspace.root / "g.jsonl", [entity("u1", "One", group="a")])
    found = report(workspace.root, "g.jsonl")
    assert "the name 'One' belongs to entity" in found["refused"][0]["reason"]


def test_a_group_that_only_letter_case_tells_from_another_is_refused(workspace: Workspace) -> None:
    write(workspace.root / "g.jsonl", [entity("u1", "Ada", group="Liminis")])
    done = lcg(workspace.root, "import", "g.jsonl")
    assert done.returncode == 1 and "letter case only" in done.stderr


def test_several_groups_do_not_become_one(workspace: Workspace) -> None:
    write(workspace.root / "g.jsonl", [entity("u1", "Ada"), entity("u2", "Bob", group="h")])
    done = lcg(workspace.root, "import", "g.jsonl", "--group", "x")
    assert done.returncode == 1 and "2 groups" in done.stderr


def test_a_memory_file_is_found_by_words_and_says_where_it_came_from(tmp_path: Path) -> None:
    write(tmp_path / "memory.jsonl", MEMORY, None)
    assert report(tmp_path, "memory.jsonl")["format"] == "memory-server"
    shown = answer(tmp_path, "show", "Ada")["entities"][0]
    assert shown["labels"] == ["Entity", "person"] and shown["summary"] == "likes tea\nAda wrote notes"
    assert [fact["fact"] for fact in shown["facts"]] == ["Ada works at Acme"]
    passages = answer(tmp_path, "search", "tea")["passages"]
    assert [(each["text"], each["source"]) for each in passages[:1]] == [("Ada: likes tea", "memory.jsonl")]


def test_a_memory_file_that_has_grown_brings_what_is_new_only(tmp_path: Path) -> None:
    write(tmp_path / "memory.jsonl", MEMORY, None)
    report(tmp_path, "memory.jsonl")
    grown = [{**MEMORY[0], "observations": ["likes tea", "Ada wrote notes", "plays chess"]}, *MEMORY[1:]]
    write(tmp_path / "memory.jsonl", grown, None)
    found = counted(report(tmp_path, "memory.jsonl"))
    assert found["episode"] == {"created": 1, "unchanged": 2} and found["entity"] == {"kept": 1, "unchanged": 1}
    assert counted(report(tmp_path, "memory.jsonl", "--uuids", "overwrite"))["entity"] == {"updated": 1, "unchanged": 1}
    assert "chess" in answer(tmp_path, "show", "Ada")["entities"][0]["summary"]


def test_a_plain_text_memory_file_keeps_when_by_whom_and_what_no_longer_holds(tmp_path: Path) -> None:
    when = "2026-03-02T09:00:00+01:00"
    past = {
        "text": "lives in Rome",
        "added_at": when,
        "agent": "codex",
        "superseded_at": when,
        "superseded_by": "codex",
    }
    now = {"text": "lives in Oslo", "added_at": when, "agent": "codex"}
    tag = {"added_at": when, "agent": "claude-code"}
    rows: list[dict[str, Any]] = [
        {"type": "header", "repo_name": "r", "repo_root": "/r", **tag},
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": [now], **tag},
        {"type": "entity", "name": "Bob", "entityType": "person", "observations": [], **tag},
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": [past, now], **tag},
        {"type": "relation", "from": "Ada", "to": "Bob", "relationType": "knows", **tag},
        {"type": "relation", "from": "Bob", "to": "Ada", "relationType": "knows", **tag},
        {"type": "tombstone", "from": "Bob", "to": "Ada", "relationType": "knows"},
    ]
    write(tmp_path / "memory.local.jsonl", rows, None)
    assert report(tmp_path, "memory.local.jsonl")["format"] == "plain-text-memory"
    shown = answer(tmp_path, "show", "Ada")["entities"][0]
    assert (shown["summary"], shown["created_at"]) == ("lives in Oslo", "2026-03-02 08:00:00")
    assert shown["attributes"] == {"superseded": [past]}
    assert [fact["fact"] for fact in shown["facts"]] == ["Ada knows Bob"]
    assert shown["sources"] == ["memory.local.jsonl (codex)"]


def test_odd_names_of_groups_and_files_are_taken_or_refused_in_words(tmp_path: Path) -> None:
    write(tmp_path / "m.jsonl", MEMORY, None)
    for group in (" ", "a\nb", "g" * 300, "\udcff"):
        done = lcg(tmp_path, "import", "m.jsonl", "--group", group)
        assert done.returncode == 2 and "--group" in done.stderr, done.stderr
    odd = tmp_path / "\udcff.jsonl"
    (tmp_path / "m.jsonl").rename(odd)
    assert lcg(tmp_path, "import", odd.name).returncode == 0
    assert answer(tmp_path, "show", "Ada")["entities"][0]["sources"] == ["\ufffd.jsonl"]


def test_stdin_is_imported_as_a_file_is(workspace: Workspace) -> None:
    content = "\n".join(map(json.dumps, MEMORY))
    command = [*REAL, "import", "-", "--group", "piped"]
    subprocess.run(
        command, cwd=workspace.root, env=environment(), input=content.encode(), check=True, capture_output=True
    )
    shown = answer(workspace.root, "show", "Ada", "--group", "piped")["entities"][0]
    assert shown["sources"] == ["stdin"]


def test_files_of_memory_servers_have_no_uuids_to_make_anew(tmp_path: Path) -> None:
    write(tmp_path / "m.jsonl", MEMORY, None)
    done = lcg(tmp_path, "import", "m.jsonl", "--uuids", "regenerate")
    assert done.returncode == 2 and "skip or overwrite" in done.stderr
