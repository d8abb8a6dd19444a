"""Reading ontology files: what is taken, what is ignored and where that is said."""

import os
from pathlib import Path

import pytest

from lcg.ontology.model import EntityType, RelationType
from lcg.ontology.reading import OntologyFile, read_file

WHOLE = """\
mode: strict
entity_types:
  - name: agent
    description: Who acts.
  - {name: ship captain, parent: Agent}
relation_types:
  - name: sails to
    aliases: [sailedTo, voyaged-to]
    keywords: [Sail, set off]
    source_type: ship captain
    single_valued: true
"""


def read(folder: Path, text: str) -> OntologyFile:
    path = folder / "ontology.yaml"
    path.write_text(text, encoding="utf-8")
    return read_file(path)


def issues(folder: Path, text: str) -> list[str]:
    """Return the issues without the folder: `line: what`, or only what."""
    return [issue.removeprefix(f"{folder / 'ontology.yaml'}:").strip() for issue in read(folder, text).issues]


def test_everything_declared_is_normalised(tmp_path: Path) -> None:
    found = read(tmp_path, WHOLE)
    assert found.issues == []
    assert found.ontology is not None
    assert found.ontology.mode == "strict"
    assert found.ontology.entity_types == (EntityType("Agent", "Who acts."), EntityType("ShipCaptain", "", "Agent"))
    assert found.ontology.relation_types == (
        RelationType(
            "SAILS_TO", "", "ShipCaptain", "", ("SAILED_TO", "VOYAGED_TO"), ("sail", "set_off"), single_valued=True
        ),
    )
    assert found.ontology.chain("ShipCaptain") == ("Entity", "Agent", "ShipCaptain")
    assert found.ontology.relation_type("voyagedTo") == "SAILS_TO"


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("", "the file is ignored, since it is blank"),
        ("mode: strict\n", "the file is ignored, since it declares no type"),
        ("mode: Strict\nentity_types: [{name: A}]\n", "1: the file is ignored; expected mode: open or strict"),
        ("- a\n", "1: the file is ignored; expected a mapping"),
        ("mode: open\nentity_types: A\n", "2: the file is ignored; expected entity_types: a list, got 'A'"),
        ("mode: open\nentity_types: [\n", "3: the file is ignored, since it is no valid YAML"),
        ("[" * 5000, "the file is ignored, since it is no valid YAML"),
    ],
)
def test_an_unusable_file_is_ignored_as_a_whole(tmp_path: Path, text: str, issue: str) -> None:
    assert read(tmp_path, text).ontology is None
    (said,) = issues(tmp_path, text)
    assert said.startswith(issue)


@pytest.mark.parametrize(
    ("entry", "issue"),
    [
        ("{name: Other, colour: red}", "4: the key 'colour' is ignored"),
        ("Ship", "4: an entry of entity_types is ignored; expected a mapping with a name, got 'Ship'"),
        ("{description: nameless}", "4: an entry of entity_types is ignored"),
        ("{name: Cook, name: Chef}", "4: a second value of name is ignored"),
        ("{name: SAILOR}", "4: a second declaration of Sailor is ignored"),
        ("{name: Entity}", "4: the declaration of 'Entity' is ignored"),
        ("{name: merged}", "4: the declaration of 'merged' is ignored; Entity and Merged are reserved"),
        ("{name: Cook, parent: Nobody}", "4: the parent of Cook is ignored, since Nobody is not declared"),
        ("{name: Cook, parent: Cook}", "4: the parent of Cook is ignored, since it leads back to Cook"),
        ("{name: Cook, description: [a]}", "4: description is ignored; expected a text, got a list"),
    ],
)
def test_an_unusable_entry_is_ignored_alone(tmp_path: Path, entry: str, issue: str) -> None:
    text = f"mode: open\nentity_types:\n  - name: Sailor\n  - {entry}\n"
    found = read(tmp_path, text)
    assert found.ontology is not None
    assert "Sailor" in found.ontology.entities
    assert all(declared.parent is None for declared in found.ontology.entity_types)
    (said,) = issues(tmp_path, text)
    assert said.startswith(issue)


def test_every_member_of_a_cycle_loses_its_parent_and_nobody_else(tmp_path: Path) -> None:
    text = "entity_types: [{name: A, parent: B}, {name: B, parent: A}, {name: C, parent: A}]"
    found = read(tmp_path, text)
    assert found.ontology is not None
    assert [declared.parent for declared in found.ontology.entity_types] == [None, None, "A"]


def test_a_file_of_other_bytes_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "ontology.yaml"
    path.write_bytes(b"mode: \xff\xfe")
    assert read_file(path).ontology is None
    os.mkdir(tmp_path / "folder.yaml")
    assert read_file(tmp_path / "folder.yaml").issues


def test_the_hash_follows_meaning_not_spelling(tmp_path: Path) -> None:
    def fingerprint(text: str) -> str:
        ontology = read(tmp_path, text).ontology
        assert ontology is not None
        return ontology.fingerprint

    plain = fingerprint("entity_types: [{name: ShipCaptain}, {name: Port}]")
    assert fingerprint("mode: open\nentity_types: [{name: port}, {name: ship captain}]") == plain
    assert fingerprint("mode: strict\nentity_types: [{name: ShipCaptain}, {name: Port}]") != plain
    assert fingerprint("entity_types: [{name: ShipCaptain, parent: Port}, {name: Port}]") != plain


def test_the_real_ontology_is_taken_whole(tmp_path: Path) -> None:
    folder = os.environ.get("LCG_TEST_DATA")
    if not folder:
        pytest.skip("LCG_TEST_DATA is not set")
    found = read_file(Path(folder) / "apollo" / "ontology.yaml")
    assert found.issues == []
    assert found.ontology is not None
    assert (len(found.ontology.entity_types), len(found.ontology.relation_types)) == (12, 25)
    assert found.ontology.relation_type("Launched From") == "LAUNCHED"


@pytest.mark.parametrize("value", ["yes", "1", "[true]", "single"])
def test_a_switch_that_is_neither_true_nor_false_is_ignored_and_told_with_its_line(tmp_path: Path, value: str) -> None:
    path = tmp_path / "ontology.yaml"
    path.write_text(f"relation_types:\n  - name: LED_BY\n    single_valued: {value}\n")
    found = read_file(path)
    assert found.ontology is not None
    assert not found.ontology.relations["LED_BY"].single_valued
    (issue,) = found.issues
    assert issue.startswith(f"{path}:3: single_valued is ignored; expected ")
