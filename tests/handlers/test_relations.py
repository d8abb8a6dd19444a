"""Typing stored relationships: by words, by facts, made up; what is written, counted, reported and refused."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from lcg.errors import OperationFailed
from lcg.generated.errors import ErrorKind
from lcg.graph.planning import Planned
from lcg.model.operations import EdgePut
from lcg.ontology.model import Ontology, RelationType
from lcg.providers.embedder.protocol import EmbedderError
from lcg.services.relation_matching import match
from tests.handlers.typing_workspace import ONTOLOGY, Typing, typing

SAILS = Ontology(
    "open",
    (),
    (
        RelationType("SAILS_TO", aliases=("VOYAGED_TO",), keywords=("sail", "set_off")),
        RelationType("OWNS", keywords=("belong", "set")),
    ),
)


@pytest.mark.parametrize(
    ("predicate", "stored", "expected"),
    [
        ("MIRA → TERN", None, ("noise", None)),
        ("SAILS TO -> OWNS", "OWNS", ("noise", None)),
        ("sails to", "A1 → B", ("noise", None)),
        ("Mira → Tern", None, ("residual", None)),
        ("sails to", "OWNS", ("mapped", "SAILS_TO")),
        ("voyagedTo", None, ("mapped", "SAILS_TO")),
        ("is SAILING near", "OWNS", ("mapped", "SAILS_TO")),
        ("set off for", None, ("mapped", "SAILS_TO")),
        ("sets", None, ("mapped", "OWNS")),
        ("near", "OWNS", ("mapped", "OWNS")),
        ("near", "voyaged-to", ("mapped", "SAILS_TO")),
        ("near", "BELONGING", ("mapped", "OWNS")),
        ("near", "UNCLASSIFIED", ("residual", None)),
        ("near", None, ("residual", None)),
        ("", "  ", ("residual", None)),
    ],
)
def test_the_first_rule_that_matches_decides(predicate: str, stored: str | None, expected: tuple[str, str]) -> None:
    found = match(SAILS, predicate, stored)
    assert (found.kind, found.relation_type) == expected


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Typing]:
    with typing(tmp_path_factory.mktemp("relations")) as running:
        yield running


@pytest.fixture(autouse=True)
def plain_classifier(world: Typing) -> None:
    world.classifier.verdicts.clear()
    world.classifier.error = world.classifier.at_call = None
    world.classifier.sizes.clear()


def canonicalize(world: Typing, group: str, **params: Any) -> dict[str, Any]:
    return world.ask("canonicalize_relations", group_id=group, **{"embedding_threshold": 1, **params})


def test_canonicalizing_maps_what_it_can_and_says_so_before(world: Typing, group: str) -> None:
    world.edge(group, "VOYAGED_TO", "by alias")
    world.edge(group, "A → B", "noise without a type")
    world.edge(group, "A -> B", "noise with a type", "KEPT")
    world.edge(group, "NEAR", "left over", "NEXT_TO")
    dry = canonicalize(world, group, dry_run=True)
    assert world.types(group)["by alias"] is None
    assert dry.pop("dry_run") is True
    real = canonicalize(world, group)
    assert real.pop("dry_run") is False
    assert dry == real
    assert real == {
        "group_id": group,
        "total_edges": 4,
        "mapped_count": 1,
        "noise_count": 2,
        "residual_count": 1,
        "embedding_fallback_promoted": 0,
        "mapped_pct": 25,
        "noise_pct": 50,
        "residual_pct": 25,
    }
    assert world.types(group) == {
        "by alias": "SAILS_TO",
        "noise without a type": "UNCLASSIFIED",
        "noise with a type": "KEPT",
        "left over": "UNCLASSIFIED",
    }


def test_what_is_right_already_is_not_written_again(world: Typing, group: str) -> None:
    world.edge(group, "SAILED_TO", "by keyword")
    world.edge(group, "NEAR", "left over")
    canonicalize(world, group)
    before = world.seq(group)
    canonicalize(world, group)
    assert world.seq(group) == before


def test_invalidated_relationships_are_typed_too_and_other_groups_are_not(world: Typing, group: str) -> None:
    uuid = world.edge(group, "SAILED_TO", "over")
    world.edge(f"{group} b", "SAILED_TO", "elsewhere")
    row = replace(world.graph.edges([uuid])[uuid], invalid_at=1)
    world.graph.write(group, "test", lambda view: Planned([EdgePut(row)], None))
    assert canonicalize(world, group)["mapped_count"] == 1
    assert world.types(group) == {"over": "SAILS_TO"}
    assert world.types(f"{group} b") == {"elsewhere": None}


def test_what_words_leave_over_takes_the_nearest_type_above_the_threshold(world: Typing, group: str) -> None:
    world.edge(group, "GOES", "The ship travels to the port.")
    answer = canonicalize(world, group, embedding_threshold=0.5)
    assert (answer["residual_count"], answer["embedding_fallback_promoted"]) == (1, 1)
    assert world.types(group) == {"The ship travels to the port.": "SAILS_TO"}


def test_without_an_embedder_the_comparison_is_skipped_and_that_is_said(
    world: Typing, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.edge(group, "GOES", "The vessel travels to the harbour.")
    core = world.service._situation.core
    assert core is not None

    def fail(texts: object) -> None:
        raise EmbedderError("it sleeps.")

    monkeypatch.setattr(core.embedding, "vectors", fail)
    answer = canonicalize(world, group, embedding_threshold=0)
    assert answer["embedding_warning"].endswith("it sleeps.")
    assert world.types(group) == {"The vessel travels to the harbour.": "UNCLASSIFIED"}


def test_an_unknown_group_has_zero_counts_and_does_not_begin_to_exist(world: Typing) -> None:
    answer = canonicalize(world, "nowhere")
    assert (answer["total_edges"], answer["mapped_pct"], answer["residual_pct"]) == (0, 0, 0)
    assert world.seq("nowhere") is None
    assert world.ask("backfill_relation_types", group_id="nowhere") == {
        "group_id": "nowhere",
        "total_edges": 0,
        "backfilled": 0,
        "dry_run": False,
        "deprecated": True,
    }


@pytest.mark.parametrize("ontology", [None, "entity_types: [{name: A}]"])
def test_without_relation_types_the_error_says_where_they_belong(tmp_path: Any, ontology: str | None) -> None:
    with typing(tmp_path, ontology) as world:
        with pytest.raises(OperationFailed, match=r"Declare relation_types in .*ontology\.yaml") as caught:
            canonicalize(world, "g")
        assert caught.value.kind is ErrorKind.PRECONDITION
        answer = world.ask("reprocess_relation_types")
        assert (answer["success"], answer["kind"], answer["group_id"]) == (False, "precondition", "liminis")
        assert "Declare relation_types" in answer["error"]
        assert answer["classifier"] == {"provider": "openai", "model": "stub"}


def test_backfilling_makes_types_up_for_blank_ones_only(world: Typing, group: str) -> None:
    world.edge(group, "met with", "Mira met Vell.")
    world.edge(group, "Mira → Tern", "Mira bought the Tern last May.")
    world.edge(group, "KNOWS", "typed", "OWNS")
    dry = world.ask("backfill_relation_types", group_id=group, dry_run=True)
    assert (dry["total_edges"], dry["backfilled"], dry["dry_run"]) == (3, 2, True)
    assert world.ask("backfill_relation_types", group_id=group)["backfilled"] == 2
    assert world.types(group) == {
        "Mira met Vell.": "MET_WITH",
        "Mira bought the Tern last May.": "MIRA_BOUGHT_THE_TERN",
        "typed": "OWNS",
    }
    assert world.ask("backfill_relation_types", group_id=group)["backfilled"] == 0


def test_the_classifier_reads_facts_and_its_abstention_is_written(world: Typing, group: str) -> None:
    world.edge(group, "A", "Mira sails.")
    world.edge(group, "B", "Mira waits.")
    world.edge(group, "C", "Mira has a ship.", "HAS")
    world.classifier.verdicts |= {"Mira sails.": "voyaged to", "Mira has a ship.": "OWNS", "Mira waits.": "IDLES"}
    dry = world.ask("reprocess_relation_types", group_id=group, dry_run=True)
    assert dry["breakdown"] == {"SAILS_TO": 1, "UNCLASSIFIED": 1}
    assert dry["would_reclassify_count"] == len(dry["plan"]) == 2
    assert {(step["fact"], step["old_type"], step["new_type"]) for step in dry["plan"]} == {
        ("Mira sails.", None, "SAILS_TO"),
        ("Mira waits.", None, "UNCLASSIFIED"),
    }
    assert set(world.types(group).values()) == {None, "HAS"}
    real = world.ask("reprocess_relation_types", group_id=group)
    assert (real["success"], real["reclassified_count"], real["unchanged_count"]) == (True, 2, 0)
    assert real["breakdown"] == dry["breakdown"]
    assert "plan" not in real
    again = world.ask("reprocess_relation_types", group_id=group, scope="off_ontology")
    assert (again["reclassified_count"], again["unchanged_count"]) == (1, 1)
    assert again["breakdown"] == {"OWNS": 1, "UNCLASSIFIED": 1}
    before = world.seq(group)
    everything = world.ask("reprocess_relation_types", group_id=group, scope="all")
    assert (everything["reclassified_count"], everything["unchanged_count"]) == (0, 3)
    assert world.seq(group) == before
    assert world.classifier.menus[-1] == ["OWNS", "SAILS_TO"]


def test_nothing_is_written_when_the_classifier_fails(world: Typing, group: str) -> None:
    world.edge(group, "A", "Mira sails.")
    before = world.seq(group)
    world.classifier.error = "it answered with a poem."
    answer = world.ask("reprocess_relation_types", group_id=group)
    assert (answer["success"], answer["kind"]) == (False, "provider_failed")
    assert "it answered with a poem." in answer["error"]
    assert world.seq(group) == before


def test_a_fact_that_changed_meanwhile_keeps_what_it_became(world: Typing, group: str) -> None:
    world.edge(group, "A", "Mira sails.")
    world.classifier.verdicts["Mira sails."] = "SAILS_TO"
    world.classifier.at_call = lambda: (world.edge(group, "A", "Mira sails.", "OWNS"), None)[1]
    answer = world.ask("reprocess_relation_types", group_id=group)
    assert (answer["reclassified_count"], answer["unchanged_count"]) == (0, 1)
    assert world.types(group) == {"Mira sails.": "OWNS"}


def test_without_a_classifier_only_candidates_are_a_reason_to_fail(tmp_path: Any) -> None:
    with typing(tmp_path, extractor=None) as world:
        answer = world.ask("reprocess_relation_types")
        assert (answer["success"], answer["breakdown"]) == (True, {})
        assert answer["classifier"] == {"provider": "none", "model": None}
        world.edge("liminis", "A", "Mira sails.")
        with pytest.raises(OperationFailed, match="No extraction provider configured") as caught:
            world.ask("reprocess_relation_types")
        assert caught.value.kind is ErrorKind.UNCONFIGURED


def many(world: Typing, group: str, count: int) -> None:
    """Make relationships of one predicate, each with a fact of its own."""
    uuid = world.edge(group, "SAILED_TO", "fact 0")
    row = world.graph.edges([uuid])[uuid]
    rows = [replace(row, uuid=f"{group}-{n}", fact=f"fact {n}") for n in range(1, count)]
    world.graph.write(group, "test", lambda view: Planned([EdgePut(row) for row in rows], None))


def test_a_long_pass_is_written_in_batches_and_reports_each(world: Typing, group: str) -> None:
    many(world, group, 300)
    before = world.seq(group) or 0
    world.watch("canonicalize_relations", group_id=group)
    assert world.phases() == [
        ("lexical", 0, 300),
        ("lexical", 300, 300),
        ("writing", 0, 300),
        ("writing", 250, 300),
        ("writing", 300, 300),
    ]
    assert world.frames[-1]["total_mutations"] == 300
    assert world.seq(group) == before + 2


def test_a_pass_that_is_given_up_stops_between_batches_and_keeps_those_before(world: Typing, group: str) -> None:
    many(world, group, 300)
    with pytest.raises(OperationFailed, match="operation cancelled"):
        world.watch("canonicalize_relations", group_id=group, stop_at=4)
    assert sorted(map(str, world.types(group).values())).count("SAILS_TO") == 250
    assert canonicalize(world, group)["mapped_count"] == 300
    assert set(world.types(group).values()) == {"SAILS_TO"}


def test_the_classifier_is_asked_in_batches_of_fifty(world: Typing, group: str) -> None:
    many(world, group, 120)
    world.watch("reprocess_relation_types", group_id=group, dry_run=True)
    assert world.classifier.sizes == [50, 50, 20]
    assert [phase for phase, _, _ in world.phases()] == ["classifying"] * 4


def test_the_fixture_is_what_the_tests_say(world: Typing) -> None:
    assert world.ask("status")["ontology"]["relation_type_count"] == ONTOLOGY.count("keywords")
