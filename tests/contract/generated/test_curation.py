# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 04c67772805af69294d92b5b8521156349c14eee92a907150f3e4af73d7ec947)
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
