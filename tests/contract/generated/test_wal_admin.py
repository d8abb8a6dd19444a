# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 66017728a3ad3615311f1cb8b55b9645a43b5bef24aa3923fc8fc06233979a09)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "WAL administration", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_prepare_checkpoint_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_prepare_checkpoint", {"scope": "admin", "works_degraded": False, "progress": False})


def test_prepare_checkpoint_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_prepare_checkpoint", {})


def test_prepare_checkpoint_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_prepare_checkpoint", {})


def test_prepare_checkpoint_answers_example_1(service: Service) -> None:
    """Before a backup."""
    harness.check_example(service, "knowledge_prepare_checkpoint", {})


def test_build_indices_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_build_indices", {"scope": "admin", "works_degraded": False, "progress": False})


def test_build_indices_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_build_indices", {})


def test_build_indices_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_build_indices", {})


def test_build_indices_answers_example_1(service: Service) -> None:
    """Build anew."""
    harness.check_example(service, "knowledge_build_indices", {})
