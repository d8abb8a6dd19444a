# DO NOT EDIT. Renew with `make gen`.
# Source: spec/tools.yaml (sha256 66017728a3ad3615311f1cb8b55b9645a43b5bef24aa3923fc8fc06233979a09)
# Template: codegen/templates/test_contract.py.j2
"""What the registry says of the methods under "Status", asked of a running service."""

from lcg.runtime.call import Service
from tests.contract import harness


def test_status_has_the_facts_of_the_registry() -> None:
    harness.check_facts("knowledge_status", {"scope": "read", "works_degraded": True, "progress": False})


def test_status_refuses_unknown_names_before_its_handler_runs() -> None:
    harness.check_unknown_name("knowledge_status", {})


def test_status_while_the_store_is_not_open(degraded_service: Service) -> None:
    harness.check_degraded(degraded_service, "knowledge_status", {})


def test_status_answers_example_1(service: Service) -> None:
    """A new workspace."""
    harness.check_example(service, "knowledge_status", {})
