# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Curation", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_merge_entities_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_merge_entities", {"scope": "write", "works_degraded": False, "progress": False})


def test_merge_entities_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_merge_entities", {})


def test_merge_entities_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_merge_entities", {})


def test_merge_entities_answers_example_1(service: Service) -> None:
    """Look before a merge."""
    harness.check_example(
        service,
        "knowledge_merge_entities",
        {"canonical_name": "Priya Nair", "alias_names": ["P. Nair"], "dry_run": True},
    )


def test_validate_corrections_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_validate_corrections", {"scope": "read", "works_degraded": False, "progress": False})


def test_validate_corrections_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_validate_corrections", {})


def test_validate_corrections_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_validate_corrections", {})


def test_validate_corrections_answers_example_1(service: Service) -> None:
    """A workspace without the file."""
    harness.check_example(service, "knowledge_validate_corrections", {})


def test_apply_corrections_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_apply_corrections", {"scope": "write", "works_degraded": False, "progress": False})


def test_apply_corrections_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_apply_corrections", {})


def test_apply_corrections_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_apply_corrections", {})


def test_apply_corrections_answers_example_1(service: Service) -> None:
    """A workspace without the file."""
    harness.check_example(service, "knowledge_apply_corrections", {"dry_run": True})


def test_reprocess_entity_types_has_the_facts_of_the_registry() -> None:
    harness.check_facts(
        "knowledge_reprocess_entity_types", {"scope": "write", "works_degraded": False, "progress": True}
    )


def test_reprocess_entity_types_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_reprocess_entity_types", {})


def test_reprocess_entity_types_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_reprocess_entity_types", {})


def test_reprocess_entity_types_answers_example_1(service: Service) -> None:
    """A group without entities."""
    harness.check_example(service, "knowledge_reprocess_entity_types", {"group_id": "nowhere", "dry_run": True})
