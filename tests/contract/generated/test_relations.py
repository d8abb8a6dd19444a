# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 85dfc88f0b48004a618280b012d396acf3875ccc796fa46dea80d6cb5471f49e)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Relation typing", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_canonicalize_relations_has_the_facts_of_the_registry() -> None:
    harness.check_facts(
        "knowledge_canonicalize_relations", {"scope": "write", "works_degraded": False, "progress": True}
    )


def test_canonicalize_relations_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_canonicalize_relations", {"group_id": "liminis"})


def test_canonicalize_relations_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_canonicalize_relations", {"group_id": "liminis"})


def test_canonicalize_relations_answers_example_1(service: Service) -> None:
    """Preview."""
    harness.check_example(service, "knowledge_canonicalize_relations", {"group_id": "liminis", "dry_run": True})


def test_backfill_relation_types_has_the_facts_of_the_registry() -> None:
    harness.check_facts(
        "knowledge_backfill_relation_types", {"scope": "write", "works_degraded": False, "progress": True}
    )


def test_backfill_relation_types_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_backfill_relation_types", {"group_id": "nowhere"})


def test_backfill_relation_types_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_backfill_relation_types", {"group_id": "nowhere"})


def test_backfill_relation_types_answers_example_1(service: Service) -> None:
    """A group that nobody knows."""
    harness.check_example(service, "knowledge_backfill_relation_types", {"group_id": "nowhere", "dry_run": True})


def test_reprocess_relation_types_has_the_facts_of_the_registry() -> None:
    harness.check_facts(
        "knowledge_reprocess_relation_types", {"scope": "write", "works_degraded": False, "progress": True}
    )


def test_reprocess_relation_types_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_reprocess_relation_types", {})


def test_reprocess_relation_types_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_reprocess_relation_types", {})


def test_reprocess_relation_types_answers_example_1(service: Service) -> None:
    """Preview."""
    harness.check_example(service, "knowledge_reprocess_relation_types", {"scope": "all", "dry_run": True})
