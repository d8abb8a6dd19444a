"""Typing stored entities: scopes, chains of labels, restamping, failures, and what a dry run promises."""

from collections.abc import Iterator
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.model.rows import Entity
from tests.handlers.conftest import put as put_rows
from tests.handlers.typing_workspace import Typing, group_ontology, typing

FLAT = "relation_types: [{name: OWNS}]"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Typing]:
    with typing(tmp_path_factory.mktemp("entities")) as running:
        yield running


@pytest.fixture(autouse=True)
def plain_classifier(world: Typing) -> None:
    world.classifier.verdicts.clear()
    world.classifier.error = world.classifier.at_call = None


def put(world: Typing, group: str, **entities: list[str]) -> None:
    for name, labels in entities.items():
        world.ask("assert_entity", name=name, labels=labels, group_id=group)


def test_a_type_is_written_with_its_ancestors_and_a_dry_run_says_it_before(world: Typing, group: str) -> None:
    put(world, group, Mira=[], Vell=[], Tern=["Ship"])
    world.classifier.verdicts |= {"Mira": "captain", "Tern": "Port", "Vell": "Lighthouse"}
    dry = world.ask("reprocess_entity_types", group_id=group, dry_run=True)
    (step,) = dry["plan"]
    assert (dry["would_reclassify_count"], step["entity_name"], step["old_type"], step["new_type"]) == (
        1,
        "Mira",
        None,
        "Captain",
    )
    assert world.labels(group)["Mira"] == ["Entity"]
    real = world.ask("reprocess_entity_types", group_id=group)
    assert real == {
        "success": True,
        "group_id": group,
        "classifier": {"provider": "openai", "model": "stub"},
        "reclassified_count": 1,
        "unchanged_count": 1,
        "restamped_count": 0,
    }
    assert world.labels(group) == {
        "Mira": ["Entity", "Agent", "Captain"],
        "Vell": ["Entity"],
        "Tern": ["Entity", "Ship"],
    }


def test_each_scope_takes_its_candidates(world: Typing, group: str) -> None:
    put(world, group, Plain=[], Ship=["Ship"], Port=["Port"])
    world.classifier.verdicts |= {"Plain": "Port", "Ship": "Port", "Port": "Agent"}

    def planned(scope: str) -> list[str]:
        plan = world.ask("reprocess_entity_types", group_id=group, scope=scope, dry_run=True)["plan"]
        return sorted(step["entity_name"] for step in plan)

    assert planned("untyped") == ["Plain"]
    assert planned("off_ontology") == ["Plain", "Ship"]
    assert planned("all") == ["Plain", "Port", "Ship"]


def test_a_rerun_changes_nothing(world: Typing, group: str) -> None:
    put(world, group, Mira=[])
    world.classifier.verdicts["Mira"] = "Captain"
    world.ask("reprocess_entity_types", group_id=group, scope="all")
    before = world.seq(group)
    again = world.ask("reprocess_entity_types", group_id=group, scope="all")
    assert (again["reclassified_count"], again["unchanged_count"]) == (0, 1)
    assert world.seq(group) == before


def test_stale_chains_are_restamped_without_any_candidate(world: Typing, group: str) -> None:
    put(world, group, Mira=["Captain"], Vell=["Lighthouse"])
    answer = world.watch("reprocess_entity_types", group_id=group)
    assert (answer["reclassified_count"], answer["restamped_count"]) == (0, 1)
    assert world.labels(group) == {"Mira": ["Entity", "Agent", "Captain"], "Vell": ["Entity", "Lighthouse"]}
    assert world.phases() == [("restamping", 0, 1), ("restamping", 1, 1)]


def test_tombstones_are_no_candidates(world: Typing, group: str) -> None:
    put_rows(world.service, Entity("old", group, "Old", ("Entity", "Merged"), 1, attributes='{"merged_into": "x"}'))
    world.classifier.verdicts["Old"] = "Port"
    assert world.ask("reprocess_entity_types", group_id=group, scope="all", dry_run=True)["plan"] == []


def test_a_failing_classifier_is_told_in_band_and_nothing_is_written(world: Typing, group: str) -> None:
    put(world, group, Mira=[], Vell=["Captain"])
    before = world.seq(group)
    world.classifier.error = "no answer."
    answer = world.ask("reprocess_entity_types", group_id=group)
    assert (answer["success"], answer["kind"]) == (False, "provider_failed")
    assert "no answer." in answer["error"]
    assert world.seq(group) == before


def test_an_entity_that_got_labels_meanwhile_keeps_them(world: Typing, group: str) -> None:
    put(world, group, Mira=[])
    world.classifier.verdicts["Mira"] = "Port"
    world.classifier.at_call = lambda: put(world, group, Mira=["Pilot"])
    answer = world.ask("reprocess_entity_types", group_id=group)
    assert (answer["reclassified_count"], answer["unchanged_count"]) == (0, 1)
    assert world.labels(group) == {"Mira": ["Entity", "Pilot"]}


def test_without_entity_types_only_the_untyped_can_be_classified_and_freely(tmp_path: Any) -> None:
    with typing(tmp_path, FLAT) as world:
        for scope in ("off_ontology", "all"):
            answer = world.ask("reprocess_entity_types", scope=scope)
            assert (answer["success"], answer["kind"]) == (False, "precondition")
            assert "Declare entity_types in" in answer["error"]
        put(world, "liminis", Mira=[])
        world.classifier.verdicts["Mira"] = "ship captain"
        assert world.ask("reprocess_entity_types")["reclassified_count"] == 1
        assert world.classifier.menus == [[]]
        assert world.labels("liminis") == {"Mira": ["Entity", "ShipCaptain"]}
        put(world, "liminis", Vell=[])
        # The label of tombstones is nobody's to choose.
        world.classifier.verdicts["Vell"] = "merged"
        assert world.ask("reprocess_entity_types")["reclassified_count"] == 0


def test_a_group_is_typed_by_its_own_ontology(tmp_path: Any) -> None:
    group_ontology(tmp_path, "own", "entity_types: [{name: Harbour}]")
    with typing(tmp_path) as world:
        put(world, "own", Vell=[])
        world.classifier.verdicts["Vell"] = "Port"
        assert world.ask("reprocess_entity_types", group_id="own")["reclassified_count"] == 0
        world.classifier.verdicts["Vell"] = "Harbour"
        assert world.ask("reprocess_entity_types", group_id="own")["reclassified_count"] == 1


def test_checks_come_in_order_scope_ontology_candidates_extractor(tmp_path: Any) -> None:
    with typing(tmp_path, None, extractor=None) as world:
        assert world.ask("reprocess_entity_types", scope="all")["kind"] == "precondition"
        assert world.ask("reprocess_entity_types")["success"] is True
        put(world, "liminis", Mira=[])
        with pytest.raises(OperationFailed) as caught:
            world.ask("reprocess_entity_types", dry_run=True)
        assert caught.value.kind is ErrorKind.UNCONFIGURED


def test_a_pass_that_is_given_up_while_it_classifies_writes_nothing(world: Typing, group: str) -> None:
    put(world, group, Mira=[])
    world.classifier.verdicts["Mira"] = "Port"
    with pytest.raises(OperationFailed, match="operation cancelled"):
        world.watch("reprocess_entity_types", group_id=group, stop_at=1)
    assert world.labels(group) == {"Mira": ["Entity"]}
