# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Direct assertion", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_assert_entity_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_assert_entity", {"scope": "write", "works_degraded": False, "progress": False})


def test_assert_entity_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_assert_entity", {"name": "Priya Nair"})


def test_assert_entity_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_assert_entity", {"name": "Priya Nair"})


def test_assert_entity_answers_example_1(service: Service) -> None:
    """A person."""
    harness.check_example(
        service,
        "knowledge_assert_entity",
        {"name": "Priya Nair", "labels": ["Person"], "summary": "Runs the billing service."},
    )


def test_assert_relationship_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_assert_relationship", {"scope": "write", "works_degraded": False, "progress": False})


def test_assert_relationship_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name(
        "knowledge_assert_relationship",
        {"source_name": "Priya Nair", "predicate": "MAINTAINS", "target_name": "billing-service"},
    )


def test_assert_relationship_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(
        degraded_service,
        "knowledge_assert_relationship",
        {"source_name": "Priya Nair", "predicate": "MAINTAINS", "target_name": "billing-service"},
    )


def test_assert_relationship_answers_example_1(service: Service) -> None:
    """Who maintains what."""
    harness.check_example(
        service,
        "knowledge_assert_relationship",
        {
            "source_name": "Priya Nair",
            "predicate": "MAINTAINS",
            "target_name": "billing-service",
            "fact": "Priya Nair has maintained the billing service since May.",
            "valid_at": "2026-05-01",
        },
    )
