"""The corrections file: what is checked, what is applied where, and what stays of the file."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lcg.runtime.call import Call
from lcg.server.app import LcgService
from tests.workspaces import running_service

Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corrected")


@pytest.fixture(scope="module")
def own_service(root: Path) -> Iterator[LcgService]:
    with running_service(root) as running:
        yield running


@pytest.fixture
def ask(own_service: LcgService) -> Ask:
    return lambda method, **params: own_service.call(f"knowledge_{method}", params, Call(f"knowledge_{method}"))


@pytest.fixture
def file(root: Path, ask: Ask) -> Path:
    """Return where the file belongs, in a workspace without rows."""
    ask("clear_all", confirm=True)
    path = root / ".liminis" / "knowledge-corrections.yaml"
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    return path


def make(ask: Ask, group: str, *names: str) -> dict[str, str]:
    return {name: ask("assert_entity", name=name, group_id=group)["entity_uuid"] for name in names}


def test_no_file_and_an_empty_one_are_fine(ask: Ask, file: Path) -> None:
    for text in (None, "", "# nothing yet\n", "corrections:\n"):
        if text is not None:
            file.write_text(text)
        answer = ask("validate_corrections")
        assert (answer["valid"], answer["total_corrections"], answer["issues"]) == (True, 0, [])
        assert ask("apply_corrections") == {
            "success": True,
            "applied": 0,
            "skipped": 0,
            "errors": [],
            "groups_done": [],
            "details": [],
            "message": "No corrections file.",
        }


def test_entries_are_applied_in_their_groups_and_marked_while_comments_stay(ask: Ask, file: Path) -> None:
    make(ask, "a", "Mira", "M. Vane")
    make(ask, "b", "Tern", "Vell")
    edge = ask("assert_relationship", source_name="Tern", predicate="IN", target_name="Vell", group_id="b")["edge_uuid"]
    text = f"""# kept by Ada
corrections:
  - id: c1  # sure
    type: Same_As
    canonical: Mira
    aliases: ["M. Vane"]
  # the sea chart was wrong
  - {{id: 2, type: retract, edge_uuid: '{edge}'}}
# end
"""
    file.write_text(text)
    assert ask("validate_corrections")["issues"] == []
    dry = ask("apply_corrections", dry_run=True)
    assert dry["details"] == [{"id": "c1", "action": "dry_run:same_as"}, {"id": "2", "action": "dry_run:retract"}]
    assert (dry["applied"], dry["groups_done"], file.read_text()) == (0, [], text)
    done = ask("apply_corrections")
    assert (done["success"], done["applied"], done["groups_done"]) == (True, 2, ["a", "b"])
    assert [node["name"] for node in ask("list_entities", group_ids="a")["nodes"]] == ["Mira"]
    assert ask("get_edges_by_uuids", uuids=[edge])["edges"][0]["invalid_at"]
    marked = file.read_text()
    lines = [line.split("#")[-1].strip() for line in marked.splitlines() if "#" in line]
    assert lines == ["kept by Ada", "sure", "the sea chart was wrong", "end"]
    assert marked.count("applied_at") == 2
    again = ask("apply_corrections")
    assert (again["success"], again["applied"], again["skipped"], again["details"]) == (True, 0, 2, [])
    assert file.read_text() == marked
    assert ask("validate_corrections")["unapplied_corrections"] == 0


def test_an_entry_that_fails_is_told_and_does_not_stop_the_others(ask: Ask, file: Path) -> None:
    make(ask, "a", "Mira", "M. Vane", "Tern")
    file.write_text(
        "corrections:\n"
        "- {id: c1, type: same_as, canonical: Nobody, aliases: [Tern]}\n"
        "- {id: c2, type: same_as, canonical: Mira, aliases: [Someone, M. Vane]}\n"
        "- {id: c3, type: same_as, canonical: Mira, aliases: [Tern]}\n"
        "- {id: c4, type: retract, edge_uuid: nothing}\n"
    )
    done = ask("apply_corrections")
    assert (done["success"], done["applied"]) == (False, 1)
    assert [error.split(":")[0] for error in done["errors"]] == ["c1", "c2", "c4"]
    assert done["details"] == [{"id": "c3", "action": "same_as"}]
    assert next(line for line in file.read_text().splitlines() if "applied_at" in line).startswith("- {id: c3,")


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("{id: c, type: same_as, aliases: [x]}", "canonical"),
        ("{id: c, type: same_as, canonical: x}", "aliases"),
        ("{id: c, type: same_as, canonical_uuid: nobody, aliases: [x]}", "nobody not found"),
        ("{id: c, type: same_as, canonical: x, aliases: x}", "list of names"),
        ("{id: c, type: retract}", "edge_uuid"),
        ("{id: c, type: retract, edge_uuid: nothing}", "nothing not found"),
        ("{id: c, type: split}", "unknown type 'split'"),
        ("{type: retract, edge_uuid: x}", "no id"),
        ("just words", "no mapping"),
        ("{id: c, type: same_as, canonical: x, aliases: [x]}", "circle"),
    ],
)
def test_a_faulty_entry_is_an_issue_and_is_not_applied(ask: Ask, file: Path, entry: str, words: str) -> None:
    file.write_text(f"corrections:\n- {entry}\n")
    answer = ask("validate_corrections")
    assert (answer["valid"], answer["total_corrections"]) == (False, 1)
    assert words in " ".join(answer["issues"])
    assert ask("apply_corrections")["success"] is False


def test_an_entity_is_no_alias_of_itself_whether_it_is_looked_at_or_applied(ask: Ask, file: Path) -> None:
    ask("assert_entity", name="Mira", group_id="g")
    file.write_text("corrections:\n- {id: c, type: same_as, canonical: Mira, aliases: [' Mira']}\n")
    told = "c: aliases in a circle: 'Mira' becomes an alias of itself"
    assert ask("validate_corrections")["issues"] == [told]
    assert ask("apply_corrections")["errors"] == [told]


def test_circles_over_several_entries_and_repeated_ids_are_issues(ask: Ask, file: Path) -> None:
    file.write_text(
        "corrections:\n"
        "- {id: c, type: same_as, canonical: A, aliases: [B]}\n"
        "- {id: c, type: same_as, canonical: B, aliases: [A]}\n"
    )
    issues = " ".join(ask("validate_corrections")["issues"])
    assert "circle" in issues
    assert "used 2 times" in issues


@pytest.mark.parametrize(
    "text", ["corrections: [", "correction: []", "a: 1\na: 2", "- x", "corrections: 5", "just words"]
)
def test_a_file_that_cannot_be_read_is_told_and_stays(ask: Ask, file: Path, text: str) -> None:
    file.write_text(text)
    assert ask("validate_corrections")["valid"] is False
    done = ask("apply_corrections")
    assert (done["success"], done["applied"], len(done["errors"])) == (False, 0, 1)
    assert file.read_text() == text
    if text == "corrections: [":
        assert "YAML parse error" in done["errors"][0]
